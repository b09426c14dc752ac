import { z } from 'zod';
import { Secret } from '../../../lib/secret.ts';
import { optionalBoolean } from '../../response/fields.ts';
import { readActivationCode, wholeActivationCode } from '../activation-code.ts';
import { readQrCode } from './read-qr-code.ts';

/** What was found in a response. */
export interface ActivationCodeSearch {
  readonly code?: Secret | undefined;
  /** URLs, one of which may be that of an image. */
  readonly addresses: readonly string[];
}

/** Reading an image is slow, so only the first texts and images of a response are examined. */
const maxTexts = 100;
const maxImages = 3;

/**
 * Searches JSON whose structure the API does not document (API §4.13.6) for an activation code, at any depth: as text, as
 * the parts of a code, or as a QR code in a data URI or in base64. Collects URLs as well.
 */
export function findInJson(body: unknown): ActivationCodeSearch {
  const texts = textsIn(body).take(maxTexts).toArray();
  const images = texts.flatMap((text) => imageIn(text) ?? []).slice(0, maxImages);
  const code = firstResult(texts, readActivationCode) ?? firstResult(images, codeIn);
  const addresses = texts.filter((text) => /^https?:\/\//i.test(text));
  return { code: code === undefined ? undefined : new Secret(code), addresses };
}

/** Searches a body that is not JSON: an image, or a text that could also occur in JSON. */
export function findInBytes(bytes: Uint8Array): ActivationCodeSearch | undefined {
  const code = codeIn(bytes);
  if (code !== undefined) {
    return { code: new Secret(code), addresses: [] };
  }
  const found = findInJson(Buffer.from(bytes).toString('utf8'));
  return found.code || found.addresses.length > 0 ? found : undefined;
}

const parts = z.looseObject({
  smdp: z.string(),
  activationCode: z.string(),
  cc_required: optionalBoolean,
});

/** Yields every text in a value. An object with both parts of a code yields the code first. */
function* textsIn(value: unknown): Generator<string, void, undefined> {
  if (typeof value === 'string') {
    yield value.trim();
  }
  if (typeof value !== 'object' || value === null) {
    return;
  }
  if ('activationCode' in value) {
    const { data } = parts.safeParse(value);
    const code =
      data &&
      wholeActivationCode({
        smdp: data.smdp,
        activationCode: new Secret(data.activationCode),
        ccRequired: data.cc_required,
      });
    if (code) {
      yield code.reveal();
    }
  }
  for (const part of Object.values(value)) {
    yield* textsIn(part);
  }
}

const dataUri = /^data:image\/[\w.+-]+;base64,/i;
/** Shorter than any image. Many ordinary words are valid base64. */
const minImageLength = 100;

function imageIn(text: string): Uint8Array | undefined {
  const base64 = text.replace(dataUri, '');
  if (base64.length < minImageLength || !/^[\w+/\s-]+={0,2}$/.test(base64)) {
    return undefined;
  }
  return Buffer.from(base64, 'base64');
}

/** Reads the QR code of an image. Returns `undefined` unless it holds an activation code. */
function codeIn(image: Uint8Array): string | undefined {
  return readActivationCode(readQrCode(image) ?? '');
}

function firstResult<T>(
  candidates: readonly T[],
  read: (candidate: T) => string | undefined,
): string | undefined {
  for (const candidate of candidates) {
    const result = read(candidate);
    if (result !== undefined) {
      return result;
    }
  }
  return undefined;
}
