import type { OperationName } from '../operations.ts';
import { operationInfo } from './error-messages.ts';

/*
 * Patterns for the text of an answer, not for its JSON: a receipt is then found at any depth, in JSON within a text, in
 * JSON that broke off or is none, in a form or in XML, and under any content type. Every repetition is bounded or ends
 * at a quote, so that no answer takes long.
 */

/** The name of a field as it stands before its value: quoted, as a tag, or in PHP's way. */
const named = (names: string) => String.raw`(?:["'](?:${names})["'\\]*\s*(?:=>|[:=])|<(?:${names})>)`;

/** A value that is there: in quotes and not blank, or with a digit; or one that was cut off. */
const present = String.raw`[\s"'\\[]*(?:$|(?=[^\s"'\\<>,;&{}[\]])(?!(?:null|none|undefined|true|false)\b)(?:(?<=["']\s*).|[^\s"'\\<>,;&{}[\]]{0,80}\d))`;

/** A field of one of these names with such a value. */
const field = (names: string, value = present) => new RegExp(named(names) + value, 'i');

/** A text, or a `message`, that says that something was done, and does not say just before that it was not. */
const saysDone = (phrases: string) =>
  new RegExp(
    String.raw`(?:^|"message["\\]*\s*:\s*\\*"?)[^"\\<]{0,300}?(?=\b(?:${phrases})\b)(?<!\b(?:not?|never|cannot|unable|fail\w*|\w+n[’']t)\b[^"\\<.]{0,60})`,
    'i',
  );

const done = 'sent|added|deleted|uploaded|created|purchased|submitted|queued|accepted|processed|completed';

const ids = 'message[_-]?ids?(?:[_-]?str)?|(?:pin|verification)[_-]?ids?';

/** None of these is the name of a field of a request, so an answer that repeats the request has none of them. */
const ofAll: readonly RegExp[] = [
  field(ids),
  // Without quotes too: no prose has these.
  new RegExp(String.raw`(?<!\w)(?:${ids})\s*[:=]${present}`, 'i'),
  field('code|status', String.raw`[\s"'\\]*(?:ok|success(?:ful(?:ly)?)?)\b`),
  field('success', String.raw`[\s"'\\]*true\b`),
  field(
    'sms[_-]?status',
    String.raw`\s*\\*["'](?!null\b|[^"'\\<]*(?:fail|reject|error|invalid|insufficient|\bnot?\b|\bun))\w`,
  ),
  saysDone(`successfully (?:${done})|(?:${done}) successfully`),
];

/** What else is a receipt of one operation: what it was asked to make, or its own marker of success (API §4, §7). */
const own: Readonly<Partial<Record<OperationName, readonly RegExp[]>>> = {
  'tokens.send': [field('status', String.raw`[\s"'\\]*200\b`)],
  'tokens.generate': [field('otp')],
  'senderIds.request': [
    field('status', String.raw`[\s"'\\]*(?:pending|submitted|active|approved|(?:in|under) review)\b`),
  ],
  'phonebooks.addContact': [
    field('contact[_-]?id|(?:created|updated)_?at'),
    field('contact added successfully', ''),
    field('contact|data', String.raw`\s*\{[^{}]{0,500}?${named('id')}${present}`),
  ],
  'phonebooks.upload': [saysDone('in the background')],
  'esims.create': [field('iccid|imsi|activation_?code')],
  // The ICCID alone may be the request's own.
  'esims.purchase': [
    field('imsi|activation_?code|purchase_?date'),
    field('sim', String.raw`\s*\{\s*\\*["']`),
  ],
};

/**
 * Whether an answer holds a receipt: something that only what was done has, such as the id of a message. It outweighs
 * the status and the words beside it. A read has none, as nothing is lost when it is repeated.
 */
export function hasReceipt(operation: OperationName, answer: string): boolean {
  if (operationInfo[operation].effect === 'read') {
    return false;
  }
  const text = answer.replace(/\\u0022|&quot;|&#34;/gi, '"');
  return [...ofAll, ...(own[operation] ?? [])].some((pattern) => pattern.test(text));
}
