import { isIP } from 'node:net';
import { z } from 'zod';
import { Secret } from '../lib/secret.ts';

/** A fault of a setting, or of a field of the provider's profile. It never contains the value. */
export interface SettingFault {
  setting: string;
  /** Completes a sentence that begins with the setting: *is missing*. */
  problem: string;
  /** What to do about it, as a sentence. */
  remedy: string;
}

/** Metadata of each setting. Without a `remedy`, the remedy is to unset it for its default. */
export const about = z.registry<{ description: string; remedy?: string }>();

/** A row of a table of settings. `default` is *required*, *unset*, *empty*, or the value. */
export interface Described {
  name: string;
  default: string;
  description: string;
}

export function describeFields(shape: Readonly<Record<string, z.ZodType>>): Described[] {
  return Object.entries(shape).map(([name, field]) => ({
    name,
    default: defaultOf(field),
    description: about.get(field)?.description ?? '',
  }));
}

export function defaultOf(field: z.ZodType): string {
  if (field instanceof z.ZodPrefault) {
    return String(field.def.defaultValue) || 'empty';
  }
  const { success, data } = field.safeParse(undefined);
  if (!success) {
    return 'required';
  }
  return data === undefined ? 'unset' : String(data) || 'empty';
}

/**
 * The types of settings. A problem completes a sentence that begins with the setting's name, and never repeats the value:
 * it may be a secret, or contain one.
 */

/** The URL of an API: https, or http on this machine, where no one can listen in. */
export const address = textOf((text) => {
  const url = URL.parse(text);
  if (!url) {
    return 'is not an address';
  }
  if (url.username || url.password) {
    return 'has a user name or a password in it';
  }
  if (url.search || url.hash) {
    return 'has a ? or a # in it';
  }
  if (url.protocol === 'https:') {
    return undefined;
  }
  if (url.protocol !== 'http:') {
    return 'does not begin with https://';
  }
  return isLoopback(url.hostname) ? undefined : 'is http to another machine: keys could be read in transit';
}).transform((text) => new URL(text));

/** The URL of the provider: some print it with the `/api` that every path of its API begins with. */
export const providerAddress = address.transform(withoutEnding(/\/api\/*$/i));

/** A value that must not be printed. */
export const secret = secretOf(() => undefined);

/** What links to this program begin with: `https://host`, or a host alone. In lower case, which plain SMS has. */
export const linkAddress = textOf(linkProblem);

/** This program's public URL: `https://host`. */
export const publicAddress = textOf(
  (text) => linkProblem(text) ?? (text.includes('://') ? undefined : 'does not begin with https://'),
);

function linkProblem(text: string): string | undefined {
  const url = URL.parse(text.includes('://') ? text : `https://${text}`);
  if (url === null || /[^a-z0-9.:/-]/.test(text)) {
    return 'is not an address in lower case';
  }
  if (url.pathname !== '/' || /\/$/.test(text)) {
    return 'has more than a host in it';
  }
  if (!text.includes('://')) {
    return url.hostname.includes('.') ? undefined : 'is a host that phones don’t turn into a link';
  }
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
    ? undefined
    : 'does not begin with https://';
}

/** The address of a page for people. */
export const webPage = textOf(pageProblem).transform((text) => new URL(text));

/** How to reach somebody: an email address, or the address of a page. */
export const contactAddress = textOf((text) =>
  isEmail(text) || pageProblem(text) === undefined
    ? undefined
    : 'is neither an email address nor the https:// address of a page',
).transform((text) => new URL(isEmail(text) ? `mailto:${text}` : text));

/** A proxy, with the name and password that it asks for. */
export const proxyAddress = secretOf((text) => {
  const url = URL.parse(text);
  if (!url || url.hostname === '') {
    return 'is not an address';
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return 'begins neither with http:// nor with https://';
  }
  return url.pathname === '/' && !url.search && !url.hash ? undefined : 'may have a host and a port only';
});

/** Where traces go: http or https to any machine, as collectors are in the network of the program. Some name the whole path. */
export const collectorAddress = textOf((text) => {
  const url = URL.parse(text);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    return 'begins neither with http:// nor with https://';
  }
  return url.username || url.password ? 'has a user name or a password in it' : undefined;
})
  .transform((text) => new URL(text))
  .transform(withoutEnding(/\/v1\/traces\/*$/));

/** An address of this machine to listen on. A name could stand for another machine. */
export const ipAddress = textOf((text) =>
  text === 'localhost' || isIP(text) !== 0 ? undefined : 'is not an IP address',
);

/** One of Slack's tokens, which begin with their type: `xoxb-…`. */
export function token(prefix: string) {
  const form = new RegExp(`^${prefix}\\S+$`);
  return secretOf((text) =>
    form.test(text) ? undefined : `does not begin with ${prefix} or has spaces in it`,
  );
}

/** One of Slack's secrets, which have no prefix and are easily mistaken for its tokens. */
export function slackSecret(name: string) {
  return secretOf((text) => {
    if (/^x[a-z]{2,4}-/.test(text)) {
      return `is a token and not the ${name}`;
    }
    return /\s/.test(text) ? 'has spaces in it' : undefined;
  });
}

/** The id of a Slack app as an OAuth client. */
export const clientId = textOf((text) =>
  /^\d{1,30}\.\d{1,30}$/.test(text) ? undefined : 'is not digits, a dot, and digits',
);

const minStateSecret = 32;
const maxStateSecret = 1_024;

/** A secret of those who run the program, which nobody may be able to guess. In characters. */
export const stateSecret = secretOf((text) => {
  if (text.length < minStateSecret) {
    return `is shorter than ${minStateSecret} characters`;
  }
  return text.length > maxStateSecret ? `is longer than ${maxStateSecret} characters` : undefined;
});

/** Keys of 32 bytes in base64, with commas between them. */
export const keys = textOf((text) => {
  const all = splitKeys(text);
  const wrong = all.findIndex((key) => !isKey(key)) + 1;
  if (wrong > 0) {
    return `is not 32 bytes in base64 at key ${wrong} of ${all.length}`;
  }
  return all.length > 0 ? undefined : 'has no key';
}).transform((text) => splitKeys(text).map((key) => new Secret(key)));

/** A prefix for the name of each command, in characters that Slack allows there. */
export function commandPrefix(longestCommand: string) {
  const maxLength = maxSlackCommand - `/${longestCommand}`.length;
  return textOf((text) => {
    if (!/^[a-z0-9_-]*$/.test(text)) {
      return 'may have lowercase letters a to z, digits, - and _ only';
    }
    return text.length <= maxLength
      ? undefined
      : `is longer than ${maxLength} characters, which is all Slack leaves room for`;
  });
}

export function wholeNumber(min: number, max: number) {
  return textOf((text) => {
    const fits = /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max;
    return fits ? undefined : `is not a whole number from ${min} to ${max}`;
  }).transform(Number);
}

export function oneOf<const Name extends string>(names: readonly Name[]) {
  return z.enum(names, `must be one of ${names.join(', ')}`);
}

/** In characters, slash included (Slack: a manifest's `slash_commands.command`). */
const maxSlackCommand = 32;

export function textOf(problemOf: (text: string) => string | undefined) {
  return z
    .string({ error: ({ input }) => (input === undefined ? 'is missing' : 'isn’t text') })
    .superRefine((text, context) => {
      const problem = problemOf(text);
      if (problem !== undefined) {
        context.addIssue(problem);
      }
    });
}

/** Takes off what the program itself puts after an address. */
function withoutEnding(ending: RegExp): (url: URL) => URL {
  return (url) => {
    url.pathname = url.pathname.replace(ending, '');
    return url;
  };
}

function secretOf(problemOf: (text: string) => string | undefined) {
  return textOf(problemOf).transform((text) => new Secret(text));
}

function pageProblem(text: string): string | undefined {
  const url = URL.parse(text);
  if (url?.protocol !== 'https:') {
    return 'does not begin with https://';
  }
  return url.username || url.password ? 'has a user name or a password in it' : undefined;
}

/** Whether the text is an email address; its characters need no encoding in a `mailto:`. */
function isEmail(text: string): boolean {
  return text.length <= 254 && /^[\w.+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i.test(text);
}

function splitKeys(text: string): string[] {
  return text.split(/[\s,]+/).filter((key) => key !== '');
}

function isKey(text: string): boolean {
  return /^[A-Za-z0-9+/]{43}=?$/.test(text) && Buffer.from(text, 'base64').length === 32;
}

function isLoopback(host: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(host);
}
