import { quietHours } from '../messages/quiet-hours.ts';
import { routeTitles } from '../messages/routes.ts';
/**
 * What quietly loses messages in Nigeria: accepted, charged, and dropped on the way. These are data, put down on
 * `knownSince` from public pages. Operators publish no list of their own and change their filters, so each rule is a
 * warning, never a block, and each can be switched off in a workspace.
 */
export const knownSince = '2026-11-23';

/** Where the facts below are from. The date is the page's own, or the day it was read. */
const sources = {
  exceptions: 'support.simpu.co, “SMS campaign exceptions”, 2024-07-29',
  promotionalHours: 'status.africastalking.com/incident/538, 2023-07-04',
  guidelines: '5starsmsng.com, “Bulk SMS delivery guideline”, read 2026-11-23',
  spamWords: 'pintechbulksms.com, “Spam words”, read 2026-11-23',
  restrictions: 'cliqsms.com, “Why are there so many restrictions”, read 2026-11-23',
  oneWay: 'developers.telnyx.com, “Alphanumeric sender ID”, read 2026-11-23',
  numberTypes: 'github.com/google/libphonenumber, types of numbers by country, read 2026-11-29',
} as const;

export const deliveryRuleNames = [
  'promotional_words',
  'links',
  'night',
  'sender_digits',
  'sender_not_active',
  'sender_by_network',
  'reply_to_name',
  'landlines',
] as const;
export type DeliveryRuleName = (typeof deliveryRuleNames)[number];

/** `title` and `meaning` are for the settings. */
export const deliveryRules: Readonly<
  Record<DeliveryRuleName, { title: string; meaning: string; sources: readonly string[] }>
> = {
  promotional_words: {
    title: 'Filtered words',
    meaning: `Words such as “win” or “free” that networks filter on ${routeTitles.generic}`,
    sources: [sources.exceptions, sources.spamWords, sources.guidelines],
  },
  links: {
    title: 'Links',
    meaning: `Links in a message on ${routeTitles.generic}`,
    sources: [sources.exceptions, sources.restrictions],
  },
  night: {
    title: 'Quiet hours',
    meaning: `${routeTitles.generic}, ${quietHours.all}: other networks may block it`,
    sources: [sources.exceptions, sources.promotionalHours],
  },
  sender_digits: {
    title: 'Digits in a sender ID',
    meaning: `A sender name that contains digits, on ${routeTitles.generic}`,
    sources: [sources.exceptions, sources.guidelines],
  },
  sender_not_active: {
    title: 'Inactive sender IDs',
    meaning: 'A sender ID that isn’t active on the account',
    sources: [sources.exceptions, sources.spamWords],
  },
  sender_by_network: {
    title: 'Approval by each network',
    meaning: 'Recipients on several networks. For admins, once per sender ID',
    sources: [sources.exceptions],
  },
  reply_to_name: {
    title: '“Reply YES” or “Reply STOP” from a name',
    meaning: 'A text asks for a reply, but a name can’t receive one',
    sources: [sources.oneWay],
  },
  landlines: {
    title: 'Landlines',
    meaning: 'Landline recipients: most landlines can’t receive SMS',
    sources: [sources.numberTypes],
  },
};

/**
 * Words that filters of promotional messages are said to drop a message for, in lower case: of prizes, of banks and
 * codes, of pressure, and of foreign companies.
 */
export const filteredWords: ReadonlySet<string> = new Set([
  ...[
    'win',
    'winner',
    'won',
    'promo',
    'free',
    'giveaway',
    'prize',
    'congratulations',
    'guaranteed',
    'urgent',
  ],
  ...['code', 'otp', 'pin', 'account', 'balance', 'transaction', 'statement', 'refund', 'billing', 'cbn'],
  ...['crypto', 'forex', 'binary', 'whatsapp', 'facebook'],
]);

/** Spam words that belong in a one-time code, which has its own warning. */
export const codeWords: ReadonlySet<string> = new Set(['code', 'otp', 'pin']);

/** What a host that is written without `https://` ends in, where it is meant as a link. */
export const linkEndings: ReadonlySet<string> = new Set([
  ...[
    'com',
    'org',
    'net',
    'info',
    'biz',
    'io',
    'co',
    'me',
    'ly',
    'app',
    'link',
    'shop',
    'site',
    'online',
    'xyz',
  ],
  ...['ng', 'africa', 'gl', 'gle'],
]);

/**
 * The Nigerian networks but MTN, by the first digits of their numbers, as the numbering plan gave them out. Numbers are
 * portable since 2013: enough for a warning only.
 */
export const networkPrefixes: Readonly<Record<'Airtel' | 'Glo' | '9mobile', readonly string[]>> = {
  Airtel: ['701', '708', '802', '808', '812', '901', '902', '904', '907', '911', '912'],
  Glo: ['705', '805', '807', '811', '815', '905', '915'],
  '9mobile': ['809', '817', '818', '908', '909'],
};
