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
    // Phones put these around a number that is copied from their contacts.
    assert.equal(
      toPlainText('Ring \u202A+234 803 123 0101\u202C or \u206808031230102\u2069'),
      'Ring +234 803 123 0101 or 08031230102',
    );
  });

  it('keeps letters with accents and other scripts', () => {
    assert.equal(toPlainText('Ẹ káàbọ̀ привет'), 'Ẹ káàbọ̀ привет');
  });

  it('removes emoji with a space beside them, and writes faces as they are typed', () => {
    assert.equal(toPlainText('🎉 Ready 🎉 see you🎉soon 👍🏽! 🇳🇬'), 'Ready see you soon!');
    assert.equal(toPlainText('We ❤️ you 🙂\n👩‍👩‍👧 Press 1️⃣ now'), 'We <3 you :)\nPress 1 now');
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
    assert.deepEqual(replaceableCharacters('— a … b — ₦ 👍🏽 ❤️ 👍🏽'), ['—', '…', '₦', '👍🏽', '❤️']);
  });
});
