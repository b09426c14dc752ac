import { isQuietOperator, meetsQuietHours } from '../messages/quiet-hours.ts';
import { isNigerian, type Route } from '../messages/routes.ts';
import { isName } from '../messages/sender-id.ts';
import { looksLikeOneTimeCode } from '../otp/one-time-code.ts';
import { isLandline, type PhoneNumber, toE164 } from '../phone/phone-number.ts';
import {
  codeWords,
  type DeliveryRuleName,
  filteredWords,
  linkEndings,
  networkPrefixes,
} from './delivery-rules.ts';

/** A message, and the known facts about its recipients and its sender. */
export interface DeliveryFacts {
  route: Route;
  senderId: string;
  text: string;
  recipients: NigerianRecipients;
  landlines: Landlines;
  /** The account's active sender IDs. Undefined where they are not known. */
  activeSenderIds?: readonly string[] | undefined;
  /** Rules that are switched off. */
  off: readonly DeliveryRuleName[];
}

/** What is known of the recipients in Nigeria. */
export interface NigerianRecipients {
  count: number;
  /** Recipients whose operator has its own quiet hours, which get a warning of their own. */
  quiet: number;
  /** Their networks by prefix, where these are known. */
  networks: readonly string[];
}

/** How many of the recipients are landlines, or of a sample of them. */
export interface Landlines {
  count: number;
  of: number;
}

/** What may lose the message on its way. It never prevents a send. */
export type DeliveryWarning =
  | { rule: 'promotional_words'; words: string[] }
  | { rule: 'links' | 'night' | 'sender_digits' | 'sender_not_active' | 'reply_to_name' }
  | { rule: 'sender_by_network'; networks: readonly string[] }
  | ({ rule: 'landlines' } & Landlines);

/**
 * Returns what may lose a message that is sent from `start` on for `durationMs`. The rules are for SMS to Nigeria, except for
 * landlines and for names, which can't receive replies anywhere.
 */
export function checkDelivery(
  facts: DeliveryFacts,
  { start, durationMs = 0 }: { start: Date; durationMs?: number },
): DeliveryWarning[] {
  if (facts.route !== 'generic' && facts.route !== 'dnd') {
    return [];
  }
  const isConcerned = facts.recipients.count > 0;
  const warnings = [
    ...(isConcerned && facts.route === 'generic' ? genericWarnings(facts, { start, durationMs }) : []),
    ...(isConcerned ? senderWarnings(facts) : []),
    ...(isName(facts.senderId) && asksForReply(facts.text) ? [{ rule: 'reply_to_name' as const }] : []),
    ...(facts.landlines.count > 0 ? [{ rule: 'landlines' as const, ...facts.landlines }] : []),
  ];
  return warnings.filter(({ rule }) => !facts.off.includes(rule));
}

function genericWarnings(
  { text, senderId, recipients }: DeliveryFacts,
  { start, durationMs }: { start: Date; durationMs: number },
): DeliveryWarning[] {
  const words = filteredIn(text);
  const isNight = recipients.count > recipients.quiet && meetsQuietHours(start, durationMs);
  return [
    ...(words.length === 0 ? [] : [{ rule: 'promotional_words' as const, words }]),
    ...(hasLink(text) ? [{ rule: 'links' as const }] : []),
    ...(isNight ? [{ rule: 'night' as const }] : []),
    ...(isName(senderId) && /\d/.test(senderId) ? [{ rule: 'sender_digits' as const }] : []),
  ];
}

function senderWarnings({ senderId, activeSenderIds, recipients }: DeliveryFacts): DeliveryWarning[] {
  if (!isName(senderId)) {
    return [];
  }
  const { networks } = recipients;
  const sender = senderId.toLowerCase();
  const isActive = activeSenderIds?.some((active) => active.toLowerCase() === sender) ?? true;
  return [
    ...(isActive ? [] : [{ rule: 'sender_not_active' as const }]),
    ...(networks.length > 1 ? [{ rule: 'sender_by_network' as const, networks }] : []),
  ];
}

/** Returns the filtered words in a text, in the order of their first occurrence, without duplicates. */
export function filteredIn(text: string): string[] {
  const isCode = looksLikeOneTimeCode(text);
  const found = wordsOf(text).filter((word) => filteredWords.has(word) && !(isCode && codeWords.has(word)));
  return [...new Set(found)];
}

/** Whether a text has an address that a phone would open. */
export function hasLink(text: string): boolean {
  return text
    .toLowerCase()
    .split(/\s/)
    .some((piece) => piece.includes('://') || piece.startsWith('www.') || endsLikeHost(piece));
}

/** Whether a piece of text begins with a host, such as `shop.example.com/sale`. */
function endsLikeHost(piece: string): boolean {
  const [host = ''] = piece.split(/[/?#:,;!)]/, 1);
  const labels = host.split('.').filter((label) => label !== '');
  return labels.length > 1 && linkEndings.has(labels.at(-1) ?? '');
}

const replyWords = new Set(['reply', 'respond', 'answer', 'text', 'txt', 'sms', 'send']);
const stopWords = new Set(['stop', 'stopall', 'unsubscribe', 'unsub', 'optout', 'opt']);
/** Words between the two: *reply with the word STOP*. */
const maxBetween = 4;

const answers = new Set(['yes', 'no', 'y', 'n', 'ok', 'okay']);
/** May stand before an answer: *Reply to this SMS with the word JOIN*. */
const beforeAnswer = new Set(
  'back to this us message sms text with by sending either the word keyword code number'.split(' '),
);
/** Before the verb, these say that nobody is asked: *Do not reply*, *we will reply*, *your reply*. */
const notAsked = new Set([
  'not',
  't',
  'no',
  'never',
  'cannot',
  'we',
  'will',
  'll',
  'your',
  'our',
  'a',
  'the',
]);
const maxBeforeAnswer = 6;

/** Whether a text asks for an answer such as *YES*, *1*, or a word in capitals. */
function asksForAnswer(text: string): boolean {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.some((word, index) => {
    const isAsked =
      /^(?:reply|respond|answer)$/i.test(word) && !notAsked.has((words[index - 1] ?? '').toLowerCase());
    const after = isAsked ? words.slice(index + 1, index + 2 + maxBeforeAnswer) : [];
    const answer = after.find((next) => !beforeAnswer.has(next.toLowerCase())) ?? '';
    // In a text of capitals, they mark nothing.
    const isMarked = word !== word.toUpperCase() && /^\p{Lu}{2,}$/u.test(answer);
    return isMarked || answers.has(answer.toLowerCase()) || /^\d{1,2}$/.test(answer);
  });
}

/** Whether a text asks to answer it, also with a word that stops messages. */
export function asksForReply(text: string): boolean {
  const words = wordsOf(text);
  const asksForStop = words.some(
    (word, index) =>
      replyWords.has(word) &&
      words.slice(index + 1, index + 2 + maxBetween).some((next) => stopWords.has(next)),
  );
  return asksForStop || asksForAnswer(text);
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Returns how many of the numbers are landlines. */
export function landlinesAmong(numbers: readonly PhoneNumber[]): Landlines {
  return { count: numbers.filter(isLandline).length, of: numbers.length };
}

/** Describes the Nigerian numbers among these. */
export function nigerianAmong(numbers: readonly PhoneNumber[]): NigerianRecipients {
  const nigerian = numbers.filter(isNigerian);
  const networks = new Set(nigerian.map(networkOf).filter((network) => network !== undefined));
  return {
    count: nigerian.length,
    quiet: nigerian.filter(isQuietOperator).length,
    networks: [...networks].sort(),
  };
}

function networkOf(number: PhoneNumber): string | undefined {
  if (isQuietOperator(number)) {
    return 'MTN';
  }
  const prefix = toE164(number).slice('+234'.length, '+234803'.length);
  return Object.entries(networkPrefixes).find(([, prefixes]) => prefixes.includes(prefix))?.[0];
}
