import { decodeQR } from 'qr/decode.js';
import { readPng } from './read-png.ts';

/** Reads the text of the QR code in a PNG. Returns `undefined` for any other format and for an unreadable code. */
export function readQrCode(image: Uint8Array): string | undefined {
  const pixels = readPng(image);
  if (pixels === undefined) {
    return undefined;
  }
  try {
    return decodeQR({ ...pixels });
  } catch {
    return undefined;
  }
}
