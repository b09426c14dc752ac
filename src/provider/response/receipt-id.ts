/*
 * As in `receipt.ts`, the patterns match the text of a response, so that an id is found in JSON inside a string, or in what
 * breaks off later. What ends the value has to be there: of an id that breaks off itself, the rest is not known.
 */

const value = String.raw`[\s"'\\]*[:=][\s"'\\]*([\w.:-]{1,100})(?=[\s"'\\,;}\]&<])`;

/** A number may have lost digits on its way, so the text comes first. */
const names = ['message[_-]?id[_-]?str', 'message[_-]?id'].map(
  (name) => new RegExp(String.raw`(?<![\w-])${name}(?![\w-])${value}`, 'gi'),
);

/** What stands in the place of an id. */
const noId = /^(?:null|none|undefined|true|false|[0_.:-]*)$/i;

/** Returns the one id of a message that a response names; undefined where it names none, or several. */
export function receiptIdIn(body: string): string | undefined {
  const text = body.replace(/\\u0022|&quot;|&#34;/gi, '"');
  for (const name of names) {
    const found = [...text.matchAll(name)].flatMap(([, id = '']) => (noId.test(id) ? [] : id));
    const [id, ...others] = new Set(found);
    if (id !== undefined) {
      return others.length === 0 ? id : undefined;
    }
  }
  return undefined;
}
