import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { drawQrCode } from '../../../../src/provider/esims/qr-code.ts';
import { pictureOf, scan } from '../../../support/qr-scanner.ts';
import { rounds } from '../../../support/sizes.ts';

/** The margins of the code and the size of its modules, in pixels. */
function measure(png: Uint8Array) {
  const { width, height, grey } = pictureOf(png);
  const dark = (x: number, y: number) => grey[y * width + x] === 0;
  const all = Array.from({ length: width }, (_, index) => index);
  const columns = all.filter((x) => all.some((y) => dark(x, y)));
  const rows = all.filter((y) => all.some((x) => dark(x, y)));
  const [left = 0, top = 0] = [columns[0], rows[0]];
  // The first line of the finder pattern is seven black modules.
  const finder = all.slice(left).findIndex((x) => !dark(x, top));
  return {
    width,
    height,
    module: finder / 7,
    margins: [left, top, width - 1 - (columns.at(-1) ?? 0), height - 1 - (rows.at(-1) ?? 0)],
    colours: new Set(grey),
  };
}

test('draws a black and white square of at least 400 px with a margin of four modules', () => {
  for (const text of [
    'LPA:1$a.io$',
    'LPA:1$rsp.example.com$K2-9F3X7',
    `LPA:1$rsp.example.com$${'Ab3-'.repeat(58)}`,
  ]) {
    const { width, height, module, margins, colours } = measure(drawQrCode(text));
    assert.equal(width, height);
    assert.ok(width >= 400 && width < 500, `${width} px`);
    assert.ok(Number.isInteger(module) && module >= 4, `modules of ${module} px`);
    assert.deepEqual(margins, [4 * module, 4 * module, 4 * module, 4 * module]);
    assert.deepEqual(colours, new Set([255, 0]));
  }
});

test('an independent reader reads back any activation code', () => {
  const code = fc
    .tuple(fc.domain(), fc.stringMatching(/^[A-Za-z0-9-]{0,100}$/))
    .map(([host, id]) => `LPA:1$${host.slice(-100)}$${id}`);
  fc.assert(
    fc.property(code, (code) => {
      assert.equal(scan(drawQrCode(code)), code);
    }),
    { numRuns: rounds(25) },
  );
});
