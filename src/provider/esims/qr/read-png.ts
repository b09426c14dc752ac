import { inflateSync } from 'node:zlib';
import { convertIndexedToRgb, type DecodedPng, decode, hasPngSignature } from 'fast-png';

/** Pixels as red, green and blue, without transparency. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

const largestSide = 1024;
/** The chunks that make the picture. Others may hold compressed data of their own, of any size. */
const needed = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);
const signatureLength = 8;

/**
 * Reads a PNG of up to 1024 × 1024 pixels, transparency over white. `undefined` for anything else, also for one that
 * would unpack to more than its size says: an image comes from outside, and a small one can be made to fill a memory.
 */
export function readPng(bytes: Uint8Array): Pixels | undefined {
  if (!hasPngSignature(bytes.subarray(0, signatureLength))) {
    return undefined;
  }
  try {
    return flatten(decode(bounded(bytes)));
  } catch {
    return undefined;
  }
}

/** The same PNG with nothing in it but its picture. Throws where that is too large, or no picture. */
function bounded(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kept = [bytes.subarray(0, signatureLength)];
  const packed: Uint8Array[] = [];
  let lines = 0;
  let lineLength = 0;
  for (let start = signatureLength; start < bytes.length; ) {
    const end = start + 12 + view.getUint32(start);
    const chunk = bytes.subarray(start, end);
    const type = Buffer.from(chunk.subarray(4, 8)).toString('latin1');
    if (type === 'IHDR') {
      const [width, height] = [view.getUint32(start + 8), view.getUint32(start + 12)];
      if (width > largestSide || height > largestSide) {
        throw new RangeError('too many pixels');
      }
      // Eight bytes are the most that a pixel takes. In an interlaced picture a line is in up to seven pieces.
      lineLength = width * 8 + 7;
      lines = height;
    }
    if (type === 'IDAT') {
      packed.push(chunk.subarray(8, -4));
    }
    if (needed.has(type)) {
      kept.push(chunk);
    }
    start = end;
  }
  inflateSync(Buffer.concat(packed), { maxOutputLength: Math.max(1, lines * lineLength) });
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

/** One byte a channel, whatever the depth and whether by palette. */
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
  // Several grey pixels share a byte, as the indices of a palette would.
  const last = 2 ** png.depth - 1;
  const greys = Array.from({ length: last + 1 }, (_, level) => [Math.round((level * 255) / last)]);
  return convertIndexedToRgb({ ...png, palette: greys });
}
