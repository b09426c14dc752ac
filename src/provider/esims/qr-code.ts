import { crc32, deflateSync } from 'node:zlib';
import { encodeQR } from 'qr';
import { z } from 'zod';
import { Secret } from '../../lib/secret.ts';
import type { Outcome } from '../errors.ts';
import { startDeadline, type Timing } from '../http/timing.ts';
import { defineOperation, type RequestOptions, type RequestSender } from '../request/request-sender.ts';
import { providerError } from '../response/error-messages.ts';
import { optionalBoolean } from '../response/fields.ts';
import { findActivationCode, wholeActivationCode } from './activation-code.ts';
import { activationCodePattern, type EsimReference, esimReference, fetchProfile } from './esim-operations.ts';

/** The QR code that a phone scans to install an eSIM. */
export interface EsimQrCode {
  /** Drawn from the activation code: a PNG of at least 400 px. Without one, the provider's image, of at most 1 MB. */
  readonly image: ProviderImage;
  /** The code's content, `LPA:1$…`, to be typed where it cannot be scanned. Absent if the image is the provider's. */
  readonly activationCode?: Secret | undefined;
}

/**
 * Fetches the QR code of an eSIM (API §4.13.6). The activation code in the response, or else in the profile, is drawn, so
 * that any phone can scan it. Where neither has one, the provider's image is passed on unread: it may be too small, and
 * hold anything.
 */
export function createQrCode(
  request: RequestSender,
  { baseUrl, totalTimeout, timing }: { baseUrl: URL; totalTimeout: number; timing: Timing },
) {
  return async (input: EsimReference, options?: RequestOptions): Promise<Outcome<EsimQrCode>> => {
    const { signal, clear: lift } = startDeadline(totalTimeout, timing, options?.signal);
    try {
      const response = await request(fetchQrCode, input, { signal });
      if (response.kind !== 'accepted' && !hasNoCode(response)) {
        return response;
      }
      const { code, image, addresses = [] } = response.kind === 'accepted' ? response.value : {};
      if (code) {
        return drawn(code);
      }
      const profile = await request({ ...fetchProfile, name: fetchQrCode.name }, input, { signal });
      const built = profile.kind === 'accepted' ? wholeActivationCode(profile.value) : undefined;
      if (built) {
        return drawn(built);
      }
      if (image) {
        return { kind: 'accepted', value: { image } };
      }

      const [path] = addresses.flatMap((address) => pathUnder(baseUrl, address) ?? []);
      const fetched = path === undefined ? undefined : await request(fetchImage, { path }, { signal });
      if (fetched?.kind === 'accepted' && fetched.value.code) {
        return drawn(fetched.value.code);
      }
      if (fetched?.kind === 'accepted' && fetched.value.image) {
        return { kind: 'accepted', value: { image: fetched.value.image } };
      }
      // The error about the QR code tells more than the error about the profile.
      if (response.kind !== 'accepted') {
        return response;
      }
      return profile.kind === 'accepted' ? nothingToShow : profile;
    } finally {
      lift();
    }
  };
}

const search = { answer: z.unknown().transform(findInJson), fromBytes: findInBytes };

const fetchQrCode = defineOperation({
  name: 'esims.qrCode',
  input: esimReference,
  redact: () => ({ code: activationCodePattern }),
  request: ({ iccid }) => ({ method: 'GET', path: `/api/esim/activate/${iccid}/qr/code`, query: {} }),
  expect: () => search,
});

const fetchImage = defineOperation({
  name: fetchQrCode.name,
  input: z.object({ path: z.string() }),
  redact: () => ({ code: activationCodePattern }),
  request: ({ path }) => ({ method: 'GET', path, query: {} }),
  expect: () => search,
});

/** Whether the provider works but has no QR code. */
function hasNoCode(response: Exclude<Outcome<unknown>, { kind: 'accepted' }>): boolean {
  const { kind, error } = response;
  if (kind === 'not_sent') {
    return false;
  }
  return error.status === 404 || error.reason === 'empty_answer' || error.reason === 'unreadable_answer';
}

/** The path of a URL under the provider's base URL. No other host is contacted, because the token would leak to it. */
function pathUnder(baseUrl: URL, address: string): string | undefined {
  if (!URL.canParse(address)) {
    return undefined;
  }
  const { origin, pathname, search } = new URL(address);
  const prefix = baseUrl.pathname.replace(/\/+$/, '');
  if (origin !== baseUrl.origin || !pathname.startsWith(`${prefix}/`)) {
    return undefined;
  }
  return pathname.slice(prefix.length) + search;
}

function drawn(activationCode: Secret): Outcome<EsimQrCode> {
  const image = { bytes: drawQrCode(activationCode.reveal()), format: 'png' } as const;
  return { kind: 'accepted', value: { image, activationCode } };
}

const nothingToShow: Outcome<EsimQrCode> = {
  kind: 'unconfirmed',
  error: providerError('unconfirmed', {
    operation: fetchQrCode.name,
    reason: 'unreadable_answer',
    detail:
      'It holds no activation code and no image, and the eSIM’s profile holds no activation code to draw.',
  }),
};

/** An image as the provider sent it. Its content is unknown. */
export interface ProviderImage {
  readonly bytes: Uint8Array;
  readonly format: 'png' | 'jpeg';
}

/** What was found in a response. */
export interface QrCodeSearch {
  readonly code?: Secret | undefined;
  readonly image?: ProviderImage | undefined;
  /** URLs that may lead to an image. */
  readonly addresses: readonly string[];
}

/**
 * Searches JSON whose structure the API does not document (API §4.13.6), at any depth, for an activation code, as text or
 * as the parts of a code, and for an image in a data URI or in base64. Collects URLs as well.
 */
export function findInJson(body: unknown): QrCodeSearch {
  const texts = textsIn(body);
  const code = firstResult(texts, findActivationCode);
  return {
    code: code === undefined ? undefined : new Secret(code),
    image: firstResult(texts, encodedImage),
    addresses: texts.filter((text) => /^https?:\/\//i.test(text)),
  };
}

/** Searches a body that is not JSON: an image, or a text that could also occur in JSON. */
function findInBytes(bytes: Uint8Array): QrCodeSearch | undefined {
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

/** The eight bytes that a PNG begins with (ISO/IEC 15948 §5.2). */
const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

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

/** Modules of white margin that a scanner needs around the code (ISO/IEC 18004). */
const quietZone = 4;
/** Pixels. */
const minSide = 400;

/** Draws a text as a QR code: a PNG, black on white, at least 400 px wide, with its quiet zone. */
export function drawQrCode(text: string): Uint8Array {
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border: quietZone });
  const scale = Math.ceil(minSide / modules.length);
  const lines = modules.flatMap((row) => {
    const line = Buffer.concat(row.map((dark) => Buffer.alloc(scale, dark ? 0 : 255)));
    return Array<Buffer>(scale).fill(line);
  });
  return encodeGreyPng(lines, modules.length * scale);
}

/** Encodes lines of grey pixels, a byte each, as a PNG (ISO/IEC 15948). */
function encodeGreyPng(lines: readonly Buffer[], width: number): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(lines.length, 4);
  // Eight bits a pixel. The zeros after it: grey, deflated, filtered by line, not interlaced.
  header.writeUInt8(8, 8);
  const unfiltered = Buffer.of(0);
  const data = deflateSync(Buffer.concat(lines.flatMap((line) => [unfiltered, line])));
  return Buffer.concat([
    pngSignature,
    pngChunk('IHDR', header),
    pngChunk('IDAT', data),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function pngChunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, checksum]);
}
