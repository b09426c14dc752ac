import { crc32, deflateSync } from 'node:zlib';

/** Modules of light around the code, without which readers may not find it. */
const quietZone = 4;
const pixelsPerModule = 12;

/** A PNG of a QR code: black on white, with its quiet zone. */
export function pngOf(modules: readonly (readonly boolean[])[]): Buffer {
  const size = (modules.length + 2 * quietZone) * pixelsPerModule;
  const rows = Array.from({ length: size }, (_, y) => {
    // Each row begins with the number of its filter: none.
    const row = Buffer.alloc(size + 1, 255);
    row[0] = 0;
    for (let x = 0; x < size; x += 1) {
      if (modules[moduleAt(y)]?.[moduleAt(x)]) row[x + 1] = 0;
    }
    return row;
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  // Eight bits a pixel; the colour type after it stays 0, which is grey.
  header[8] = 8;
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function moduleAt(pixel: number): number {
  return Math.floor(pixel / pixelsPerModule) - quietZone;
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(typed), 4);
  return Buffer.concat([ends.subarray(0, 4), typed, ends.subarray(4)]);
}
