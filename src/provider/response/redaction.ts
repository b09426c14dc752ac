import { Secret } from '../../lib/secret.ts';
import { oneLine } from './response-body.ts';

/** Removes from a response what nobody may see. */
export type Redaction = ReturnType<typeof createRedaction>;

/** The parts of an operation's input that an error message must not quote. */
export interface RedactedInput {
  readonly code?: string | RegExp | undefined;
  readonly text?: string | undefined;
}

/** `numbers` is called only where there is a message to redact. */
export function createRedaction({
  secrets,
  numbers,
  input: { code, text = '' },
}: {
  readonly secrets: readonly SecretRedactor[];
  readonly numbers: () => readonly string[];
  readonly input: RedactedInput;
}) {
  return {
    /** Removes keys and tokens from a whole body. */
    body: (body: string) => secrets.reduce((redacted, redactSecret) => redactSecret(redacted), body),
    /**
     * Removes from an error message what the request held: query strings, phone numbers, codes, the text of a message. A
     * body is not searched for these, because its ids may contain the same digits.
     */
    message: (message: string) => {
      // The text goes first: it may contain numbers and addresses, and is not found once those are replaced.
      const rest = redactText(message, oneLine(text)).replace(queryString, '?…');
      // The last four digits stay, so that one number of a hundred can be identified.
      const masked = numbers().reduce((redacted, number) => {
        const mask = `•••${number.slice(-4)}`;
        return redacted.replaceAll(`+${number}`, mask).replaceAll(number, mask);
      }, rest);
      return code === undefined ? masked : masked.replaceAll(code, '[code]');
    },
  };
}

/** The query string of an address, with or without the scheme and host before its path. */
const queryString = /(?<=[\w/.-])\?[\w.%~[\]-]+=[^\s"'<>“”]*/g;

/** A shorter text cannot be told from ordinary words. No provider's key is shorter. */
const minLength = 8;

type SecretRedactor = (text: string) => string;

/** Returns a function that removes one secret from a text. */
export function secretRedactor(secret: Secret): SecretRedactor {
  let forms: readonly string[] | undefined;
  return (text) => {
    if (forms === undefined) {
      const plain = secret.reveal();
      // A secret may be repeated as it is, URL-encoded, or with its slashes escaped by JSON.
      const all = new Set([plain, encodeURIComponent(plain), plain.replaceAll('/', '\\/')]);
      forms = plain.length < minLength ? [] : [...all];
    }
    return forms.reduce((redacted, form) => redacted.replaceAll(form, '[key]'), text);
  };
}

/** A message is one line and is cut at a maximum length, possibly in the middle of the text. */
function redactText(message: string, text: string): string {
  if (text.length < minLength) {
    return message;
  }
  const rest = message.replaceAll(text, '[text]');
  const opening = text.slice(0, minLength);
  for (let at = rest.indexOf(opening); at >= 0; at = rest.indexOf(opening, at + 1)) {
    if (text.startsWith(rest.slice(at).replace(/…$/, ''))) {
      return `${rest.slice(0, at)}[text]`;
    }
  }
  return rest;
}

/**
 * Replaces the values of these fields by `Secret`s, at any depth of a parsed body, so that they are in the clear
 * nowhere, not in `raw` either. Everything else stays as it is.
 */
export function redactFields(value: unknown, fields: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) {
    return value.map((part: unknown) => redactFields(part, fields));
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const entries = Object.entries(value).map(([name, part]: [string, unknown]) =>
    fields.has(name) && isText(part) ? [name, new Secret(String(part))] : [name, redactFields(part, fields)],
  );
  return Object.fromEntries(entries);
}

function isText(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || typeof value === 'number';
}
