import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { encode, type ImageData } from 'fast-png';
import { drawQrCode } from '../../../../src/provider/esims/qr/draw-qr-code.ts';
import { readQrCode } from '../../../../src/provider/esims/qr/read-qr-code.ts';
import { type Picture, pictureOf, shrink } from '../../../support/qr-scanner.ts';

const code = 'LPA:1$rsp.example.com$K2-9F3X7';
const drawn = drawQrCode(code);
const large = pictureOf(drawn);
/** One pixel per module: the smallest possible. */
const small = shrink(large, large.width / 37);

/** The same picture in another PNG format. */
function form({ width, height, grey }: Picture, channels: 1 | 2 | 3 | 4, of: (grey: number) => number[]) {
  return { width, height, channels, data: Uint8Array.from([...grey].flatMap(of)) } satisfies ImageData;
}

/** Several pixels per byte. */
function packed({ width, height, grey }: Picture, depth: 1 | 2 | 4): ImageData {
  const line = Math.ceil((width * depth) / 8);
  const data = new Uint8Array(line * height);
  grey.forEach((value, at) => {
    const bit = (at % width) * depth;
    const level = value === 0 ? 0 : 2 ** depth - 1;
    const byte = Math.floor(at / width) * line + (bit >> 3);
    data[byte] = (data[byte] ?? 0) | (level << (8 - depth - (bit & 7)));
  });
  return { width, height, channels: 1, depth, data };
}

const forms: Record<string, Uint8Array> = {
  'grey, 8 bits': drawn,
  'grey, 1 bit': encode(packed(small, 1)),
  'grey, 2 bits': encode(packed(small, 2)),
  'grey, 4 bits': encode(packed(large, 4)),
  'grey, 16 bits': encode({
    ...large,
    channels: 1,
    depth: 16,
    data: Uint16Array.from(large.grey, (v) => v * 257),
  }),
  'black that is opaque on nothing': encode(form(small, 2, (grey) => [0, 255 - grey])),
  colours: encode(form(small, 3, (grey) => (grey ? [255, 240, 200] : [0, 0, 90]))),
  'colours on nothing': encode(form(large, 4, (grey) => (grey ? [0, 0, 0, 0] : [0, 60, 0, 255]))),
  'a palette': encode({
    ...packed(small, 1),
    palette: [
      [20, 0, 60],
      [255, 255, 255],
    ],
  }),
  interlaced: encode(
    form(large, 3, (grey) => [grey, grey, grey]),
    { interlace: 'Adam7' },
  ),
};

for (const [name, png] of Object.entries(forms)) {
  test(`reads a QR code from a PNG of ${name}`, () => {
    assert.equal(readQrCode(png), code);
  });
}

test('returns undefined for anything but a QR code in a PNG', () => {
  const blank = encode({ width: 50, height: 50, channels: 1, data: new Uint8Array(2500).fill(255) });
  for (const bytes of [
    blank,
    drawn.subarray(0, 500),
    drawn.subarray(0, 8),
    Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
    Buffer.from('<svg/>'),
    Buffer.alloc(0),
  ]) {
    assert.equal(readQrCode(bytes), undefined);
  }
});

function chunk(type: string, data: Uint8Array) {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return Buffer.concat([length, Buffer.from(type, 'latin1'), data, Buffer.alloc(4)]);
}

function header(width: number, height: number) {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width);
  data.writeUInt32BE(height, 4);
  data.set([8, 0], 8);
  return chunk('IHDR', data);
}

test('does not unpack a small image with huge contents', () => {
  const signature = drawn.subarray(0, 8);
  const end = chunk('IEND', Buffer.alloc(0));
  const bomb = deflateSync(Buffer.alloc(200_000_000));
  const files = [
    [header(407, 407), chunk('IDAT', bomb)],
    [header(407, 407), chunk('iCCP', Buffer.concat([Buffer.from('x\0\0'), bomb])), chunk('IDAT', bomb)],
    [header(0, 0), chunk('IDAT', bomb)],
    [header(50_000, 50_000), chunk('IDAT', bomb)],
    [chunk('IDAT', bomb)],
  ];
  for (const parts of files) {
    const before = process.memoryUsage().arrayBuffers;
    const started = process.threadCpuUsage();
    assert.equal(readQrCode(Buffer.concat([signature, ...parts, end])), undefined);
    assert.ok(process.threadCpuUsage(started).user < 500_000);
    assert.ok(process.memoryUsage().arrayBuffers - before < 60_000_000);
  }
});

test('never unpacks a colour profile', () => {
  const [head, rest] = [drawn.subarray(0, 33), drawn.subarray(33)];
  const profile = Buffer.from('name\0\0neither packed nor a profile');
  assert.equal(readQrCode(Buffer.concat([head, chunk('iCCP', profile), rest])), code);
});

test('never throws for a corrupted image', () => {
  const png = encode(packed(small, 1));
  fc.assert(
    fc.property(fc.nat(png.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
      const broken = Uint8Array.from(png);
      broken[at] = ((broken[at] ?? 0) + by) % 256;
      const text = readQrCode(broken);
      assert.ok(text === undefined || typeof text === 'string');
    }),
    { numRuns: 500 },
  );
});
