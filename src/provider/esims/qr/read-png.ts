import { inflateSync } from 'node:zlib';
import { convertIndexedToRgb, type DecodedPng, decode, hasPngSignature } from 'fast-png';

/** Pixels as red, green and blue, without transparency. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** Pixels. */
const maxSide = 1024;
/** The chunks that the picture needs. Other chunks may hold compressed data of any size. */
const imageChunks = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);
const signatureLength = 8;

/**
 * Reads a PNG of at most 1024 × 1024 pixels, with transparency over white. Returns `undefined` for anything else, and for
 * a PNG that unpacks to more than its dimensions allow: an untrusted file may be small and still exhaust the memory.
 */
export function readPng(bytes: Uint8Array): Pixels | undefined {
  if (!hasPngSignature(bytes.subarray(0, signatureLength))) {
    return undefined;
  }
  try {
    return flatten(decode(withoutMetadata(bytes)));
  } catch {
    return undefined;
  }
}

/** Removes every chunk that the picture does not need. Throws a `RangeError` where the picture is too large. */
function withoutMetadata(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kept = [bytes.subarray(0, signatureLength)];
  const compressed: Uint8Array[] = [];
  let lines = 0;
  let lineLength = 0;
  for (let start = signatureLength; start < bytes.length; ) {
    const end = start + 12 + view.getUint32(start);
    const chunk = bytes.subarray(start, end);
    const type = Buffer.from(chunk.subarray(4, 8)).toString('latin1');
    if (type === 'IHDR') {
      const [width, height] = [view.getUint32(start + 8), view.getUint32(start + 12)];
      if (width > maxSide || height > maxSide) {
        throw new RangeError('too many pixels');
      }
      // A pixel takes at most eight bytes. An interlaced line is split into up to seven parts with a byte each.
      lineLength = width * 8 + 7;
      lines = height;
    }
    if (type === 'IDAT') {
      compressed.push(chunk.subarray(8, -4));
    }
    if (imageChunks.has(type)) {
      kept.push(chunk);
    }
    start = end;
  }
  inflateSync(Buffer.concat(compressed), { maxOutputLength: Math.max(1, lines * lineLength) });
  return Buffer.concat(kept);
}

function flatten(png: DecodedPng): Pixels {
  const { width, height } = png;
  const samples = samplesOf(png);
  const channels = samples.length / (width * height);
  const coloured = channels > 2;
  const opaque = channels % 2 === 1;
  const data = new Uint8Array(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const from = pixel * channels;
    const alpha = opaque ? 255 : (samples[from + channels - 1] ?? 0);
    for (let colour = 0; colour < 3; colour += 1) {
      const value = samples[from + (coloured ? colour : 0)] ?? 0;
      data[pixel * 3 + colour] = 255 - Math.round(((255 - value) * alpha) / 255);
    }
  }
  return { width, height, data };
}

/** Converts any depth, and a palette, to one byte per channel. */
function samplesOf(png: DecodedPng): Uint8Array {
  if (png.palette) {
    return convertIndexedToRgb(png);
  }
  if (png.depth === 16) {
    return Uint8Array.from(png.data, (sample) => sample >> 8);
  }
  if (png.depth === 8) {
    return Uint8Array.from(png.data);
  }
  // Several grey pixels share a byte, as palette indices do, so a palette of greys unpacks them.
  const last = 2 ** png.depth - 1;
  const greys = Array.from({ length: last + 1 }, (_, level) => [Math.round((level * 255) / last)]);
  return convertIndexedToRgb({ ...png, palette: greys });
}
