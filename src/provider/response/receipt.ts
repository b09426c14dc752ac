import { type OperationName, operationInfo } from '../operations.ts';

/*
 * The patterns match the text of a response, not its parsed JSON: a receipt is then found at any depth, in JSON inside a
 * string, in truncated or invalid JSON, in a form or in XML, and under any content type. Every repetition is bounded or
 * ends at a quote, so that matching takes linear time.
 */

/** A field's name as it precedes the value: quoted, as a tag, or in PHP's array syntax. */
const fieldName = (names: string) => String.raw`(?:["'](?:${names})["'\\]*\s*(?:=>|[:=])|<(?:${names})>)`;

/** A value: quoted and not blank, or with a digit, or truncated. */
const nonEmptyValue = String.raw`[\s"'\\[]*(?:$|(?=[^\s"'\\<>,;&{}[\]])(?!(?:null|none|undefined|true|false)\b)(?:(?<=["']\s*).|[^\s"'\\<>,;&{}[\]]{0,80}\d))`;

/** A field with one of these names and such a value. */
const field = (names: string, value = nonEmptyValue) => new RegExp(fieldName(names) + value, 'i');

/** A text, or a `message`, that reports success without a negation shortly before. */
const reportsSuccess = (phrases: string) =>
  new RegExp(
    String.raw`(?:^|"message["\\]*\s*:\s*\\*"?)[^"\\<]{0,300}?(?=\b(?:${phrases})\b)(?<!\b(?:not?|never|cannot|unable|fail\w*|\w+n[’']t)\b[^"\\<.]{0,60})`,
    'i',
  );

const done = 'sent|added|deleted|uploaded|created|purchased|submitted|queued|accepted|processed|completed';

const ids = 'message[_-]?ids?(?:[_-]?str)?|(?:pin|verification)[_-]?ids?';

/** Fields that no request has, so a response that merely repeats the request doesn't match. */
const commonReceipts: readonly RegExp[] = [
  field(ids),
  // Without quotes as well: these names do not occur in prose.
  new RegExp(String.raw`(?<!\w)(?:${ids})\s*[:=]${nonEmptyValue}`, 'i'),
  field('code|status', String.raw`[\s"'\\]*(?:ok|success(?:ful(?:ly)?)?)\b`),
  field('success', String.raw`[\s"'\\]*true\b`),
  field(
    'sms[_-]?status',
    String.raw`\s*\\*["'](?!null\b|[^"'\\<]*(?:fail|reject|error|invalid|insufficient|\bnot?\b|\bun))\w`,
  ),
  reportsSuccess(`successfully (?:${done})|(?:${done}) successfully`),
];

/** Further receipts by operation: what it creates, or its own marker of success (API §4, §7). */
const operationReceipts: Readonly<Partial<Record<OperationName, readonly RegExp[]>>> = {
  // Without the ids, which are repeated from the request.
  'tokens.verify': [field('verified', String.raw`[\s"'\\]*true\b`)],
  'tokens.send': [field('status', String.raw`[\s"'\\]*200\b`)],
  'tokens.generate': [field('otp')],
  'senderIds.request': [
    field('status', String.raw`[\s"'\\]*(?:pending|submitted|active|approved|(?:in|under) review)\b`),
  ],
  'phonebooks.addContact': [
    field('contact[_-]?id|(?:created|updated)_?at'),
    field('contact added successfully', ''),
    field('contact|data', String.raw`\s*\{[^{}]{0,500}?${fieldName('id')}${nonEmptyValue}`),
  ],
  'phonebooks.upload': [reportsSuccess('in the background')],
  'esims.create': [field('iccid|imsi|activation_?code')],
  // Without the ICCID, which may be repeated from the request.
  'esims.purchase': [
    field('imsi|activation_?code|purchase_?date'),
    field('sim', String.raw`\s*\{\s*\\*["']`),
  ],
};

/**
 * Whether a response holds a receipt: something that only a completed operation has, such as the id of a message. A
 * receipt outweighs the status and the message. Always false for a read, which can be repeated at no cost.
 */
export function hasReceipt(operation: OperationName, body: string): boolean {
  if (operationInfo[operation].effect === 'read') {
    return false;
  }
  const text = body.replace(/\\u0022|&quot;|&#34;/gi, '"');
  const common = operation === 'tokens.verify' ? [] : commonReceipts;
  return [...common, ...(operationReceipts[operation] ?? [])].some((pattern) => pattern.test(text));
}

/*
 * The patterns of ids match the text of a response as well. The end of the value has to be there: the rest of an id that
 * breaks off is not known.
 */

const idValue = String.raw`[\s"'\\]*[:=][\s"'\\]*([\w.:-]{1,100})(?=[\s"'\\,;}\]&<])`;

/** A number may have lost digits on its way, so the text comes first. */
const idNames = ['message[_-]?id[_-]?str', 'message[_-]?id'].map(
  (name) => new RegExp(String.raw`(?<![\w-])${name}(?![\w-])${idValue}`, 'gi'),
);

/** What stands in the place of an id. */
const noId = /^(?:null|none|undefined|true|false|[0_.:-]*)$/i;

/** Returns the one id of a message that a response names; undefined where it names none, or several. */
export function receiptIdIn(body: string): string | undefined {
  const text = body.replace(/\\u0022|&quot;|&#34;/gi, '"');
  for (const name of idNames) {
    const found = [...text.matchAll(name)].flatMap(([, id = '']) => (noId.test(id) ? [] : id));
    const [id, ...others] = new Set(found);
    if (id !== undefined) {
      return others.length === 0 ? id : undefined;
    }
  }
  return undefined;
}
