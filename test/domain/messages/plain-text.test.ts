import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { countPages } from '../../../src/domain/messages/pages.ts';
import { replaceableCharacters, toPlainText } from '../../../src/domain/messages/plain-text.ts';
import { anyCharacter } from '../../support/arbitrary-text.ts';

describe('toPlainText', () => {
  it('swaps what a phone or a word processor types', () => {
    assert.equal(toPlainText('Ready — today… “You” owe ₦500'), 'Ready - today... "You" owe NGN 500');
    assert.equal(toPlainText('It’s\u00A05\u202Fpm\u200B'), "It's 5 pm");
  });

  it('keeps letters with accents, other scripts and emoji', () => {
    assert.equal(toPlainText('Ẹ káàbọ̀ 😀 привет'), 'Ẹ káàbọ̀ 😀 привет');
  });

  it('leaves nothing to swap, and nothing of what it swapped needs Unicode', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        const plain = toPlainText(text);
        assert.deepEqual(replaceableCharacters(plain), []);
        assert.equal(toPlainText(plain), plain);
        const twins = replaceableCharacters(text).map(toPlainText).join('');
        assert.equal(countPages(twins).needsUnicode, false);
      }),
    );
  });

  it('names each swapped character once, in order', () => {
    assert.deepEqual(replaceableCharacters('— a … b — ₦'), ['—', '…', '₦']);
  });
});
