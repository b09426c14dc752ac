import { encode } from 'fast-png';
import { encodeQR } from 'qr';

/** Cameras want a white margin of this many modules around the code (ISO/IEC 18004). */
const quietZone = 4;
const smallestSide = 400;

/** Draws a text as a QR code: a PNG, black on white, 400 px wide or a little more, with its quiet zone. */
export function drawQrCode(text: string): Uint8Array {
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border: quietZone });
  const scale = Math.ceil(smallestSide / modules.length);
  const side = modules.length * scale;
  const data = new Uint8Array(side * side).fill(255);
  modules.forEach((row, y) => {
    row.forEach((dark, x) => {
      if (!dark) {
        return;
      }
      for (let line = 0; line < scale; line += 1) {
        const start = (y * scale + line) * side + x * scale;
        data.fill(0, start, start + scale);
      }
    });
  });
  return encode({ width: side, height: side, channels: 1, depth: 8, data });
}
