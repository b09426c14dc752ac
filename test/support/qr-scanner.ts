import assert from 'node:assert/strict';
import { decode } from 'fast-png';
import jsqr from 'jsqr';

/** A grey picture, one byte per pixel. */
interface Picture {
  readonly width: number;
  readonly height: number;
  readonly grey: Uint8Array;
}

/** Decodes a PNG of ours, which are all grey. */
export function pictureOf(png: Uint8Array): Picture {
  const { width, height, channels, depth, data } = decode(png);
  assert.deepEqual({ channels, depth }, { channels: 1, depth: 8 });
  return { width, height, grey: Uint8Array.from(data) };
}

/** Reads a PNG with an independent QR reader. */
export function scan(png: Uint8Array): string | undefined {
  const { width, height, grey } = pictureOf(png);
  const rgba = Uint8ClampedArray.from({ length: grey.length * 4 }, (_, at) =>
    at % 4 === 3 ? 255 : (grey[at >> 2] ?? 0),
  );
  return jsqr.default(rgba, width, height, { inversionAttempts: 'dontInvert' })?.data;
}

/** Reads a screenshot, which is in colour, with the same reader. */
export function scanScreen(png: Uint8Array): string | undefined {
  const { width, height, channels, data } = decode(png);
  const rgba = Uint8ClampedArray.from({ length: width * height * 4 }, (_, at) =>
    at % 4 === 3 ? 255 : (data[(at >> 2) * channels + (at % 4)] ?? 0),
  );
  return jsqr.default(rgba, width, height)?.data;
}
