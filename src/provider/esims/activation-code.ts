import { Secret } from '../../lib/secret.ts';

/** The fields of a SIM or a profile from which it is installed (API §2.8, §2.11). */
interface Installation {
  /** Host name of the server from which the phone fetches its profile. */
  readonly smdp?: string | undefined;
  /** Usually the matching id alone; some providers send the whole code. */
  readonly activationCode?: Secret | undefined;
  /** Whether the phone asks for a confirmation code. */
  readonly ccRequired?: boolean | undefined;
}

/** `LPA:`, the format's number, the server, the matching id, and up to two more parts. */
const wholeCode = /^(?:LPA:)?(1\$[a-z0-9.-]+(?::\d{1,5})?\$[^\s$]*(?:\$[^\s$]*){0,2})$/i;
const maxLength = 255;

/**
 * Builds the activation code that a phone accepts, typed or in a QR code: `LPA:1$<smdp>$<matching id>`, followed by `$$1`
 * where a confirmation code is required: no object identifier, and the flag (GSMA SGP.22 §4.1). A code that is already
 * whole stays unchanged. Returns `undefined` where the parts do not make a valid code.
 */
export function wholeActivationCode({ smdp, activationCode, ccRequired }: Installation): Secret | undefined {
  if (activationCode === undefined) {
    return undefined;
  }
  const given = activationCode.reveal().trim();
  // A matching id with a $ has further parts already.
  const flag = ccRequired && !given.includes('$') ? '$$1' : '';
  const text = readActivationCode(given) ?? readActivationCode(`1$${smdp?.trim() ?? ''}$${given}${flag}`);
  return text === undefined ? undefined : new Secret(text);
}

/** Reads a whole activation code, with or without `LPA:`. Returns `undefined` for any other text. */
export function readActivationCode(text: string): string | undefined {
  const code = wholeCode.exec(text.trim())?.[1];
  return code === undefined || code.length > maxLength ? undefined : `LPA:${code}`;
}
