import { Secret } from '../../lib/secret.ts';

/** What a SIM or a profile tells of how to install it (API §2.8, §2.11). */
interface Installation {
  /** The server that the phone fetches its profile from, as a host name. */
  readonly smdp?: string;
  /** Usually the bare matching id; some providers give the whole code. */
  readonly activationCode?: Secret;
  /** Whether the phone is to ask for a confirmation code. */
  readonly ccRequired?: boolean;
}

/** `LPA:`, the format's number, the server, the matching id, and further parts that few codes have. */
const wholeCode = /^(?:LPA:)?(1\$[a-z0-9.-]+(?::\d{1,5})?\$[^\s$]*(?:\$[^\s$]*){0,2})$/i;
const longest = 255;

/**
 * The activation code as phones take it, typed or in a QR code: `LPA:1$<smdp>$<matching id>`, and `$$1` after it where a
 * confirmation code is required: no object identifier, and the flag for it (GSMA SGP.22 §4.1). A code that is whole
 * already stays what it is. `undefined` where the two parts do not make one.
 */
export function wholeActivationCode({ smdp, activationCode, ccRequired }: Installation): Secret | undefined {
  if (activationCode === undefined) {
    return undefined;
  }
  const given = activationCode.reveal().trim();
  // What holds a $ has further parts already.
  const flag = ccRequired && !given.includes('$') ? '$$1' : '';
  const text = readActivationCode(given) ?? readActivationCode(`1$${smdp?.trim() ?? ''}$${given}${flag}`);
  return text === undefined ? undefined : new Secret(text);
}

/** Reads a whole activation code, with or without `LPA:` before it; `undefined` where the text is none. */
export function readActivationCode(text: string): string | undefined {
  const code = wholeCode.exec(text.trim())?.[1];
  return code === undefined || code.length > longest ? undefined : `LPA:${code}`;
}
