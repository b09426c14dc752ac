import querystring from 'node:querystring';
import { Secret } from '../../lib/secret.ts';

/** The fields of a SIM or a profile from which it is installed (API §2.8, §2.11). */
interface Installation {
  /** Host name of the server from which the phone fetches its profile. */
  readonly smdp?: string | undefined;
  /** Usually the matching id alone; some providers send the whole code, or a link that installs the eSIM. */
  readonly activationCode?: Secret | undefined;
  /** Whether the phone asks for a confirmation code. */
  readonly ccRequired?: boolean | undefined;
}

/** `LPA:`, the format's number, the server, the matching id, and up to two more parts. */
const wholeCode = /^(?:LPA:)?(1\$[a-z0-9.-]+(?::\d{1,5})?\$[^\s$]*(?:\$[^\s$]*){0,2})$/i;
const maxLength = 255;
/** The server and the matching id, without what a whole code begins with. An object identifier is no matching id. */
const serverAndId = /^(?:LPA:)?\$?((?:[a-z0-9-]+\.)+[a-z]{2,}(?::\d{1,5})?\$(?!\d+(?:\.\d+)+(?:\$|$))\S+)$/i;
/** What addresses have, and a matching id has not (SGP.22 §4.1: letters, digits and hyphens). */
const partOfAddress = /[:/?#&%]/;
const maxLinkLength = 2_000;

/**
 * Builds the activation code that a phone accepts, typed or in a QR code: `LPA:1$<smdp>$<matching id>`, followed by `$$1`
 * where a confirmation code is required: no object identifier, and the flag (GSMA SGP.22 §4.1). A code that is already
 * whole stays unchanged, also in an install link. Returns `undefined` where the parts do not make a valid code.
 */
export function wholeActivationCode({ smdp, activationCode, ccRequired }: Installation): Secret | undefined {
  if (activationCode === undefined) {
    return undefined;
  }
  const code = activationCode.reveal().trim();
  // A matching id with a $ has further parts already.
  const flag = ccRequired && !code.includes('$') ? '$$1' : '';
  const withServer = serverAndId.exec(code)?.[1];
  const isId = withServer === undefined && !partOfAddress.test(code);
  const built = isId ? `${smdp?.trim() ?? ''}$${code}${flag}` : withServer;
  const text =
    findActivationCode(code) ?? (built === undefined ? undefined : readActivationCode(`1$${built}`));
  return text === undefined ? undefined : new Secret(text);
}

/** Reads a whole activation code, alone or in an install link. Returns `undefined` for any other text. */
export function findActivationCode(text: string): string | undefined {
  const code = readActivationCode(text);
  if (code !== undefined) {
    return code;
  }
  const link = readInstallLink(text);
  if (link === undefined) {
    return undefined;
  }
  const { searchParams, pathname, hash } = link;
  const ends = [pathname.slice(pathname.lastIndexOf('/') + 1), hash.slice(1)].map((end) =>
    querystring.unescape(end),
  );
  // A link that forwards to another one has that as a parameter.
  const found = [...searchParams.values(), ...ends].map(findActivationCode);
  return found.find((each) => each !== undefined);
}

/** Reads a link that opens the installation on a phone. */
export function readInstallLink(text: string): URL | undefined {
  const link = text.trim();
  return link.length <= maxLinkLength && /^https?:\/\//i.test(link) && URL.canParse(link)
    ? new URL(link)
    : undefined;
}

/** Reads a whole activation code, with or without `LPA:`. Returns `undefined` for any other text. */
export function readActivationCode(text: string): string | undefined {
  const code = wholeCode.exec(text.trim())?.[1];
  return code === undefined || code.length > maxLength ? undefined : `LPA:${code}`;
}
