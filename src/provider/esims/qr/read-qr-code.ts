import { decodeQR } from 'qr/decode.js';
import { readPng } from './read-png.ts';

/** The text of the QR code on a PNG; `undefined` where it is no PNG, or no code on it can be read. */
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
