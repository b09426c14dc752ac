import { encode } from 'fast-png';
import { encodeQR } from 'qr';

/** Modules of white margin that a scanner needs around the code (ISO/IEC 18004). */
const quietZone = 4;
/** Pixels. */
const minSide = 400;

/** Draws a text as a QR code: a PNG, black on white, at least 400 px wide, with its quiet zone. */
export function drawQrCode(text: string): Uint8Array {
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border: quietZone });
  const scale = Math.ceil(minSide / modules.length);
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
