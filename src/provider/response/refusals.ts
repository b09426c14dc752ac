import type { Reason } from '../errors.ts';

/** What a refusal concerns. Except for a country or a number, every other request would be refused too. */
type RefusalConcern = 'account' | 'route' | 'sender' | 'device' | 'country' | 'number';

interface Refusal {
  concerns: RefusalConcern;
  /** Matches the words without case and punctuation, see `plainWords`. */
  words: RegExp;
}

/** Matches words for something that isn't in use, or is no longer. */
const isOff =
  '(?:(?:is |are |was |were |has |have )?(?:been |currently |temporarily )?(?:not (?:yet |been |currently )?(?:active|activated|enabled|available|allowed|approved|permitted|authori[sz]ed|valid|verified|found|registered|recogni[sz]ed|supported|connected|configured|set ?up)|inactive|disabled|deactivated|suspended|restricted|blocked|blacklisted|banned|locked|closed|expired|pending|unknown|invalid|unregistered|unapproved|offline|disconnected)|(?:does|do) not exist|(?:can|could) ?not be found)';

/**
 * Matches a sender name of several words. It must not end in something else that can be invalid, as in
 * `sender Acme, number 7 is invalid`.
 */
const ownName =
  '(?:(?!(?:is|are|was|were|has|have|been|not|never)\\b)\\w+ ){0,6}(?<!\\b(?:accounts?|balance|content|country|device|ip|key|messages?|numbers?|operator|network|recipients?|routes?|service|text)(?: \\d{1,20})? )';

const wordsOf = (...patterns: string[]) => new RegExp(`\\b(?:${patterns.join('|')})\\b`);

/** The provider's words for each reason. The first match counts. */
const refusals = {
  country_inactive: {
    concerns: 'country',
    words: wordsOf(`country ?${isOff}`, `country (?!code)\\w+ ${ownName}${isOff}`, 'inactive country'),
  },
  device_limit: {
    concerns: 'device',
    words: wordsOf('device (?:\\w+ ){0,6}limit', 'limit (?:\\w+ ){0,4}device'),
  },
  device_unknown: {
    concerns: 'device',
    words: wordsOf(
      `device ${isOff}`,
      `device \\w+ ${ownName}${isOff}`,
      '(?:invalid|unknown|no such|no) device',
    ),
  },
  sender_id_unknown: {
    concerns: 'sender',
    words: wordsOf(
      `\\w*sender ?(?:id |name )?${ownName}${isOff}`,
      'not (?:authori[sz]ed|allowed|permitted) (?:to use|to send (?:as|from|with)|for) (?:\\w+ ){0,3}sender',
      '(?:invalid|unknown|unregistered|unapproved|inactive|unauthori[sz]ed) sender(?:id)?',
    ),
  },
  no_route: {
    concerns: 'route',
    words: wordsOf(
      // Not what proxies write about an address, which doesn't concern the account.
      'no (?:\\w+ )?routes?(?! (?:matched|to host))',
      `route (?!not found)${isOff}`,
      'not (?:\\w+ ){1,4}(?:on|for|to) (?:\\w+ ){0,2}route',
    ),
  },
  balance_too_low: {
    concerns: 'account',
    words: wordsOf(
      '(?:insufficient ?|(?:not (?:have )?(?:enough|sufficient)|low) )(?:\\w+ )?(?:balance|credits?|funds?|units?)',
      '(?:balance|credits?|funds?|units?) (?:of [\\d ]+ )?(?:is |are )?(?:too )?(?:low|insufficient|exhausted|not (?:enough|sufficient))',
      '(?:top ?up|recharge|fund) your (?:\\w+ )?(?:account|wallet|balance)',
    ),
  },
  account_inactive: { concerns: 'account', words: wordsOf(`account ${isOff}`, 'inactive account') },
  number_on_dnd: {
    concerns: 'number',
    words: wordsOf(
      '(?:dnd|do not disturb) (?:is )?(?:active|enabled)',
      'on (?:dnd|do not disturb)(?! route)',
    ),
  },
  invalid_number: {
    concerns: 'number',
    words: wordsOf(
      '(?:invalid|wrong|incorrect) (?:phone(?:numbers?)?|mobile|recipients?|destination|receiver|msisdn|numbers?)(?! of)',
      `(?:phone|mobile|recipient|destination|receiver) (?:phone )?numbers? (?:\\d{1,20} )?${isOff}`,
      'numbers? (?:is |are )?(?:invalid|not valid)',
      'not a valid (?:phone |mobile )?number',
    ),
  },
  bad_key: {
    concerns: 'account',
    words: wordsOf(
      'unauthori[sz]ed',
      'unauthenticated',
      'authentication failed',
      '(?:invalid|wrong|incorrect|unknown|missing|expired) (?:api ?)?(?:key|credentials)',
      `api ?key (?:${isOff}|(?:is )?(?:missing|required|incorrect|wrong|revoked))`,
    ),
  },
} as const satisfies Readonly<Partial<Record<Reason, Refusal>>>;

/** Returns the reason for a refusal from the provider's words, or undefined if they aren't known. */
export function refusalReason(message: string): RefusalReason | undefined {
  const words = plainWords(message);
  return reasons.find((reason) => refusals[reason].words.test(words));
}

/** If the provider gives several reasons, the first in the table counts. */
export function rankOf(reason: string): number {
  return isRefusal(reason) ? reasons.indexOf(reason) : reasons.length;
}

type RefusalReason = keyof typeof refusals;

const reasons = Object.keys(refusals).filter((name) => isRefusal(name));

/** Returns what a refusal for this reason concerns, or undefined if it isn't a known refusal. */
export function concernOf(reason: string): RefusalConcern | undefined {
  return isRefusal(reason) ? refusals[reason].concerns : undefined;
}

function isRefusal(name: string): name is keyof typeof refusals {
  return Object.hasOwn(refusals, name);
}

/**
 * Returns the words in lower case with single spaces: `Sender-ID`, `senderId` and `SENDER_ID` are the same.
 */
function plainWords(message: string): string {
  return message
    .slice(0, 1_000)
    .normalize('NFKC')
    .replace(/n['’]t(?![a-z])/gi, ' not')
    .replace(/['’]/g, '')
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
