import { crc32, deflateSync } from 'node:zlib';
import { encodeQR } from 'qr';

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

/** The eight bytes that a PNG begins with (ISO/IEC 15948 §5.2). */
export const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

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
