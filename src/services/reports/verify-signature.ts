import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';

/** How the provider signs what it sends: by an HMAC over the raw body. */
export interface SignatureForm {
  hash: 'sha512' | 'sha256';
  encoding: 'hex' | 'base64';
}

/** Whether a signature is that of these bytes. Takes the same time wherever the two differ. */
export function isSignedBy(
  key: KeyObject,
  { body, signature }: { body: Uint8Array; signature: string },
  { hash, encoding }: SignatureForm,
): boolean {
  const expected = createHmac(hash, key).update(body).digest();
  const given = readSignature(signature, encoding);
  return given !== undefined && given.length === expected.length && timingSafeEqual(given, expected);
}

const written = {
  hex: /^[0-9a-f]{1,256}$/i,
  base64: /^[A-Za-z0-9+/]{1,256}={0,2}$/,
} as const;

/** Node skips what it cannot read; here all of it has to be a signature. */
function readSignature(text: string, encoding: SignatureForm['encoding']): Buffer | undefined {
  const trimmed = text.trim();
  return written[encoding].test(trimmed) ? Buffer.from(trimmed, encoding) : undefined;
}
