import { encode } from 'fast-png';
import { encodeQR } from 'qr';
import type { Sim } from '../state/state.ts';

/** A quiet zone of four modules and six pixels per module: an image of some 230 pixels. */
const layout = { border: 4, scale: 6 };

/** Creates the PNG that a phone scans to find the profile (GSMA SGP.22). */
export function qrImage({ activationCode, smdp }: Sim): Buffer {
  const code = activationCode.startsWith('LPA:') ? activationCode : `LPA:1$${smdp}$${activationCode}`;
  const pixels = encodeQR(code, 'raw', layout);
  const data = Uint8Array.from(pixels.flat(), (dark) => (dark ? 0 : 255));
  return Buffer.from(encode({ width: pixels.length, height: pixels.length, channels: 1, depth: 8, data }));
}
