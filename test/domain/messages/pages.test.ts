import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { countPages } from '../../../src/domain/messages/pages.ts';
import { rounds } from '../../support/sizes.ts';

test('a page has 160 characters', () => {
  assert.deepEqual(countPages('Hello'), {
    characters: 5,
    pages: 1,
    perPage: 160,
    special: [],
    needsUnicode: false,
    unicode: [],
    standard: { encoding: 'GSM-7', units: 5, pages: 1 },
  });
  assert.equal(countPages('').pages, 0);
  assert.equal(countPages('a'.repeat(160)).pages, 1);
  assert.equal(countPages('a'.repeat(161)).pages, 2);
  assert.equal(countPages('a'.repeat(320)).pages, 2);
});

test('one special character shortens every page to 70', () => {
  for (const character of [...';\'"”^{}\\[]~|€`‘’“', '//']) {
    const count = countPages(`Hi ${character} ${'a'.repeat(66)}`);
    assert.equal(count.perPage, 70, character);
    assert.deepEqual(count.special, [character]);
    assert.equal(count.needsUnicode, false, character);
  }
  assert.equal(countPages(`{${'a'.repeat(69)}`).pages, 1);
  assert.equal(countPages(`{${'a'.repeat(70)}`).pages, 2);
});

test('ordinary characters are not special', () => {
  const ordinary = 'At 5/6 pm: pay £5 (or #5) & bring @Ada, é à ü ñ!? <ok> 10% = 1+1 *_-.';
  assert.deepEqual(countPages(ordinary).special, []);
  assert.equal(countPages(ordinary).perPage, 160);
});

test('special characters are named once each, in order', () => {
  assert.deepEqual(countPages('{a} [b] {c} https://x').special, ['{', '}', '[', ']', '//']);
});

test('other scripts and emoji need Unicode, with pages of 70', () => {
  for (const text of ['Привет', '你好', 'مرحبا', 'Ẹ kú àárọ̀', 'Hi 👋', 'Hi — you']) {
    const count = countPages(text);
    assert.ok(count.needsUnicode, text);
    assert.equal(count.perPage, 70);
    assert.equal(count.standard.encoding, 'UCS-2');
  }
  assert.deepEqual(countPages('👋 a 👋 Ж').unicode, ['👋', 'Ж']);
  assert.equal(countPages('👋').characters, 2);
});

test('the standard counts septets or UTF-16 units in parts', () => {
  assert.deepEqual(countPages('a'.repeat(161)).standard, { encoding: 'GSM-7', units: 161, pages: 2 });
  assert.deepEqual(countPages('a'.repeat(306)).standard, { encoding: 'GSM-7', units: 306, pages: 2 });
  assert.deepEqual(countPages('a'.repeat(307)).standard, { encoding: 'GSM-7', units: 307, pages: 3 });
  assert.deepEqual(countPages('€'.repeat(80)).standard, { encoding: 'GSM-7', units: 160, pages: 1 });
  assert.deepEqual(countPages('Ж'.repeat(71)).standard, { encoding: 'UCS-2', units: 71, pages: 2 });
  assert.deepEqual(countPages('’'.repeat(70)).standard, { encoding: 'UCS-2', units: 70, pages: 1 });
});

test('no character is split between two parts of the standard', () => {
  // 306 septets fill two parts of 153, unless the 153rd and 154th belong to one character.
  assert.equal(countPages(`${'a'.repeat(152)}€${'a'.repeat(152)}`).standard.pages, 3);
  assert.equal(countPages(`${'a'.repeat(151)}€${'a'.repeat(153)}`).standard.pages, 2);
  assert.equal(countPages(`${'Ж'.repeat(66)}👋${'Ж'.repeat(66)}`).standard.pages, 3);
});

test('a longer text never has fewer pages', () => {
  const text = fc.oneof(
    fc.string({ maxLength: 400 }),
    fc.string({ unit: 'grapheme', maxLength: 200 }),
    fc.stringMatching(/^[a-z{€]{0,400}$/),
  );
  fc.assert(
    fc.property(text, text, (beginning, end) => {
      const one = countPages(beginning);
      const both = countPages(beginning + end);
      assert.ok(both.pages >= one.pages);
      assert.ok(both.standard.pages >= one.standard.pages);
      assert.ok(both.perPage <= one.perPage);
      assert.ok(both.pages * both.perPage >= both.characters);
      assert.ok((both.pages - 1) * both.perPage < both.characters || both.characters === 0);
    }),
    { numRuns: rounds(500) },
  );
});
