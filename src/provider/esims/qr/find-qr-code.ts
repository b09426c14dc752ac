import { z } from 'zod';
import { Secret } from '../../../lib/secret.ts';
import { optionalBoolean } from '../../response/fields.ts';
import { readActivationCode, wholeActivationCode } from '../activation-code.ts';
import { pngSignature } from './draw-qr-code.ts';

/** An image as the provider sent it. Its content is unknown. */
export interface ProviderImage {
  readonly bytes: Uint8Array;
  readonly format: 'png' | 'jpeg';
}

/** What was found in a response. */
export interface QrCodeSearch {
  readonly code?: Secret | undefined;
  readonly image?: ProviderImage | undefined;
  /** URLs, one of which may be that of an image. */
  readonly addresses: readonly string[];
}

/**
 * Searches JSON whose structure the API does not document (API §4.13.6), at any depth, for an activation code, as text or
 * as the parts of a code, and for an image in a data URI or in base64. Collects URLs as well.
 */
export function findInJson(body: unknown): QrCodeSearch {
  const texts = textsIn(body);
  const code = firstResult(texts, readActivationCode);
  return {
    code: code === undefined ? undefined : new Secret(code),
    image: firstResult(texts, encodedImage),
    addresses: texts.filter((text) => /^https?:\/\//i.test(text)),
  };
}

/** Searches a body that is not JSON: an image, or a text that could also occur in JSON. */
export function findInBytes(bytes: Uint8Array): QrCodeSearch | undefined {
  const image = imageOf(bytes);
  if (image) {
    return { image, addresses: [] };
  }
  const found = findInJson(Buffer.from(bytes).toString('utf8'));
  return found.code || found.image || found.addresses.length > 0 ? found : undefined;
}

const parts = z.looseObject({
  smdp: z.string(),
  activationCode: z.string(),
  cc_required: optionalBoolean,
});

/** Returns every text in a value. An object with both parts of a code yields the code first. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') {
    return [value.trim()];
  }
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  return [...codeFromParts(value), ...Object.values(value).flatMap(textsIn)];
}

function codeFromParts(value: object): string[] {
  const { data } = 'activationCode' in value ? parts.safeParse(value) : {};
  const code =
    data &&
    wholeActivationCode({
      smdp: data.smdp,
      activationCode: new Secret(data.activationCode),
      ccRequired: data.cc_required,
    });
  return code ? [code.reveal()] : [];
}

const dataUri = /^data:image\/[\w.+-]+;base64,/i;

function encodedImage(text: string): ProviderImage | undefined {
  const base64 = text.replace(dataUri, '');
  return /^[\w+/\s-]+={0,2}$/.test(base64) ? imageOf(Buffer.from(base64, 'base64')) : undefined;
}

/** The first bytes of a file, by its format. */
const signatures = { png: pngSignature, jpeg: Buffer.from([0xff, 0xd8, 0xff]) };

/** Returns the bytes as an image if they begin like one of a format that phones and Slack show. */
function imageOf(bytes: Uint8Array): ProviderImage | undefined {
  const begins = (signature: Buffer) => signature.equals(bytes.subarray(0, signature.length));
  if (begins(signatures.png)) {
    return { bytes, format: 'png' };
  }
  return begins(signatures.jpeg) ? { bytes, format: 'jpeg' } : undefined;
}

function firstResult<T>(texts: readonly string[], read: (text: string) => T | undefined): T | undefined {
  for (const text of texts) {
    const result = read(text);
    if (result !== undefined) {
      return result;
    }
  }
  return undefined;
}
