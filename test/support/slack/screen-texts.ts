import { z } from 'zod';
import type { LoggedRequest } from '../../../sandbox/lib/logged-request.ts';

/** Words and figures that no screen shows, each with what is written instead. */
const bannedTexts: readonly (readonly [RegExp, string])[] = [
  [/\bmend(?:ed|s)?\b/i, 'fix'],
  [/\banew\b/i, 'again'],
  [/\b(?:by|of) itself\b/i, 'name who does it, or leave it out'],
  [/\bwho(?:ever|m)\b/i, 'name the person'],
  [/\bas far as\b/i, 'leave it out'],
  [/\bso many\b/i, 'the number'],
  [/\bpast that\b/i, 'already ended'],
  [/\b(?:these|those) who\b/i, 'name the people'],
  [/\bhow far it is\b/i, 'progress'],
  [/\bgood for\b/i, 'expires after'],
  [/\bmade of\b/i, 'characters'],
  [/\btaken out\b/i, 'removed'],
  [/\bfilm\b/i, 'video'],
  [/\be-mail/i, 'email'],
  [/\bdeeds?\b/i, 'action'],
  [/\brefused?\b/i, 'rejected, or does not accept'],
  [/\bsegments?\b/i, 'page'],
  [/\bdrop (?:it|one|in)\b/i, 'upload'],
  [/\bdivide (?:it|the)\b/i, 'split'],
  [/\bnone like this\b/i, 'no results'],
  [/\bnot confirmed\b/i, 'unconfirmed'],
  [/\bstill under way\b/i, 'in progress, or the noun'],
  [/\bnot started\b/i, 'draft, or missed'],
  [/\bpay(?:s|ing)? less\b/i, 'say what it costs'],
  [/\bhand(?:ed|s)? over\b/i, 'share'],
  [/\bpreviews?\b/i, 'review'],
  [/\bformer\b/i, 'previous, or earlier'],
  [/\bDo-Not-Disturb is (?:on|off)\b/, 'the number is, or isn’t, on Do-Not-Disturb'],
  [/\bNothing was done\b/, 'say what did not happen'],
  [/\bGeneric\b|(?<!Transactional \()\bDND\b|\bskips? numbers\b/, 'routeTitles, or Do-Not-Disturb'],
  [/\b20\d\d-\d\d-\d\d\b|(?<![+-])\b[012]\d:[0-5]\d\b(?!:| [AP]M)/, 'timeFor, or inZone'],
  [/∶[a-z_+-]+[:∶]/, 'an emoji as Markup'],
  [/\d %/, '36% without a space'],
  [/\bbalance \d+(?:\d{3}\b|\.\d\b)/i, 'formatMoney'],
  [/\b\d{4,} (?:recipients|numbers|rows|pages|characters|contacts)\b/, 'a separator: 12,345'],
  [/\bundefined\b|\[object|\bNaN\b/, 'a value'],
];

/** Matches any of them, ignoring case. A fast first check: few of the thousands of texts match. */
const maybeBanned = new RegExp(bannedTexts.map(([{ source }]) => source).join('|'), 'i');

/** For those who run the program, in docs/settings.md. An admin of a workspace need not be one of them. */
const settingName =
  /\b(?:PROVIDER|SLACK|ENCRYPTION|RETENTION|DATA|DATABASE|COMMAND|LOG|CAMPAIGN|ESIM|LIMIT|METRICS)_[A-Z…][A-Z_…]*/;
/** Error codes of operating systems and libraries. */
const systemCode = /\b(?:E(?:[A-Z]{5,}|PIPE)|ENO[A-Z]+|UND_ERR_\w+|SQLITE_\w+|ERR_[A-Z_]+)\b/;

const textTypes: ReadonlySet<unknown> = new Set(['plain_text', 'mrkdwn', 'text']);

/** A view, a message, or the answer to a request, as the app sent it. */
interface Surface {
  texts: string[];
}

const surfaceSchema = z.object({
  view: z.unknown().optional(),
  blocks: z.unknown().optional(),
  text: z.string().optional(),
  errors: z.record(z.string(), z.string()).optional(),
  /** What a search in a select found. */
  options: z.unknown().optional(),
  option_groups: z.unknown().optional(),
});

type Exchange = Pick<LoggedRequest, 'from' | 'request' | 'answer'>;

/** Returns what the app sent in one exchange with Slack. */
export function contentOf(exchange: Exchange): z.output<typeof surfaceSchema> {
  const { data } = surfaceSchema.safeParse(exchange.from === 'app' ? exchange.request : exchange.answer);
  return data === undefined ? {} : { ...data, view: parsed(data.view), blocks: parsed(data.blocks) };
}

/** Returns what is wrong with the texts that the app sent in one exchange with Slack. */
export function textFaults(exchange: Exchange): string[] {
  return surfacesOf(contentOf(exchange)).flatMap(faultsOf);
}

function surfacesOf({ view, blocks, text, errors }: z.output<typeof surfaceSchema>): Surface[] {
  return [
    { texts: textsIn(view) },
    ...dialogsIn([view, blocks]).map((dialog) => ({ texts: textsIn(dialog) })),
    // The text of a message with blocks repeats them.
    { texts: blocks === undefined ? [text ?? ''] : textsIn(blocks) },
    { texts: Object.values(errors ?? {}) },
  ];
}

/** The confirmation dialogs of the buttons in a structure. */
function dialogsIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  return Object.entries(value).flatMap(([key, field]) => (key === 'confirm' ? [field] : dialogsIn(field)));
}

/** The web client sends views and blocks as JSON in a form. */
function parsed(value: unknown): unknown {
  return typeof value === 'string' ? JSON.parse(value) : value;
}

/** What a field holds: a user's words, or a choice that stands among its options too. */
const held: ReadonlySet<string> = new Set(['initial_value', 'initial_option', 'initial_options']);

/** Every text in a structure but quotations, which are what a user wrote, and dialogs, which are seen alone. */
function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) {
    return value.flatMap(textsIn);
  }
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  if ('text' in value && typeof value.text === 'string' && 'type' in value && textTypes.has(value.type)) {
    return [value.text];
  }
  const fields = Object.entries(value).filter(
    ([key]) => !held.has(key) && key !== 'private_metadata' && key !== 'confirm',
  );
  return 'type' in value && value.type === 'rich_text_quote'
    ? []
    : fields.flatMap(([, field]) => textsIn(field));
}

function faultsOf({ texts }: Surface): string[] {
  const read = texts.map(withoutQuotes);
  return [
    ...read.flatMap((text) => [
      ...(maybeBanned.test(text) ? bannedTexts : []).flatMap(([pattern, instead]) =>
        pattern.test(text) ? [`“${pattern.exec(text)?.[0]}” (write: ${instead}) in: ${text}`] : [],
      ),
      ...(systemCode.test(text) ? [`a code of the system in: ${text}`] : []),
    ]),
    // As code too, but not in what a user wrote.
    ...texts.flatMap((text) =>
      settingName.test(text.replace(/“[^”]*”/g, '“”')) ? [`the name of a setting in: ${text}`] : [],
    ),
    ...repeatedSentences(read).map((sentence) => `twice in one view: ${sentence}`),
  ];
}

/** What stands in quotation marks or as code is the user's, or the provider's. */
function withoutQuotes(text: string): string {
  return text.replace(/“[^”]*”/g, '“”').replace(/`[^`\n]*`/g, '``');
}

/** Returns the sentences of four words or more that a surface shows more than once. */
function repeatedSentences(texts: readonly string[]): string[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const sentence of texts.flatMap((text) => text.split(/\n|(?<=[.!?])\*? /))) {
    const bare = sentence.replace(/:[a-z_]+:|[*_]/g, '').trim();
    if (!/[.!?]$/.test(bare) || bare.split(' ').length < 4) {
      continue;
    }
    if (seen.has(bare)) {
      repeated.add(bare);
    }
    seen.add(bare);
  }
  return [...repeated];
}
