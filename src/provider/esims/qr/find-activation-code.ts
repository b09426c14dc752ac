import { z } from 'zod';
import { Secret } from '../../../lib/secret.ts';
import { optionalBoolean } from '../../response/fields.ts';
import { readActivationCode, wholeActivationCode } from '../activation-code.ts';
import { readQrCode } from './read-qr-code.ts';

/** What an answer holds of a QR code. */
export interface ActivationCodeSearch {
  /** The activation code in it. */
  readonly code?: Secret;
  /** The addresses in it, one of which may be that of an image. */
  readonly addresses: readonly string[];
}

/** An image takes a while to read: of many texts and images in one answer only the first few are looked at. */
const mostTexts = 100;
const mostImages = 3;

/**
 * Looks for a QR code in an answer, whose shape the description does not show (API §4.13.6): in words, in the parts
 * that it is made of, as an image in a data URI or in base64, or as an address; wherever in the JSON they stand.
 */
export function findInJson(answer: unknown): ActivationCodeSearch {
  const texts = textsIn(answer).take(mostTexts).toArray();
  const images = texts.flatMap((text) => imageIn(text) ?? []).slice(0, mostImages);
  const code = first(texts, readActivationCode) ?? first(images, codeOn);
  const addresses = texts.filter((text) => /^https?:\/\//i.test(text));
  return { ...(code !== undefined && { code: new Secret(code) }), addresses };
}

/** Looks for a QR code in what is no JSON: the bytes of an image, or a text that might as well stand in JSON. */
export function findInBytes(bytes: Uint8Array): ActivationCodeSearch | undefined {
  const code = codeOn(bytes);
  if (code !== undefined) {
    return { code: new Secret(code), addresses: [] };
  }
  const finding = findInJson(Buffer.from(bytes).toString('utf8'));
  return finding.code || finding.addresses.length > 0 ? finding : undefined;
}

const parts = z.looseObject({
  smdp: z.string(),
  activationCode: z.string(),
  cc_required: optionalBoolean,
});

/** Every text in an answer; of an object that has both parts of a code, the code first. */
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
        ...(data.cc_required !== undefined && { ccRequired: data.cc_required }),
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
/** Shorter than any image: most words are base64 too. */
const shortestImage = 100;

function imageIn(text: string): Uint8Array | undefined {
  const base64 = text.replace(dataUri, '');
  if (base64.length < shortestImage || !/^[\w+/\s-]+={0,2}$/.test(base64)) {
    return undefined;
  }
  return Buffer.from(base64, 'base64');
}

/** Only a code that installs an eSIM is drawn again: whatever else an image says, a phone could do nothing with it. */
function codeOn(image: Uint8Array): string | undefined {
  return readActivationCode(readQrCode(image) ?? '');
}

function first<T>(candidates: readonly T[], read: (candidate: T) => string | undefined): string | undefined {
  for (const candidate of candidates) {
    const found = read(candidate);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}
