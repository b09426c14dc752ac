import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { accentedLetters, areAccentsInTheWay, withoutAccents } from '../../../src/domain/messages/accents.ts';
import { countPages } from '../../../src/domain/messages/pages.ts';
import { anyCharacter } from '../../support/arbitrary-text.ts';

/** Letters with accents as people type them: of one character, or with accents behind them, or of their own. */
const letter = fc.oneof(
  fc.constantFrom(...'áàāǎâãåäæçćčéèẹėęíìịñṅóòọöøőśṣßťúùụűýẃźžÁẸỌṢỤÏ'),
  fc.constantFrom(...'ɓɗƙƴƁƊƘƳɛɔŋəƏłđıœÐþ'),
  fc
    .tuple(fc.constantFrom(...'aeionsuAEO'), fc.stringMatching(/^[\u0300\u0301\u0304\u0323]{0,3}$/))
    .map((parts) => parts.join('')),
);
const word = fc.array(letter, { minLength: 1, maxLength: 12 }).map((letters) => letters.join(''));

describe('withoutAccents', () => {
  it('leaves the letters that people type in their place', () => {
    const texts = {
      'Ọláyínká, ṣé o ti gba owó náà?': 'Olayinka, se o ti gba owo naa?',
      'Ẹ kú àárọ̀, Ṣadé': 'E ku aaro, Sade',
      'Ndewo Ụzọma, nnọọ na Ṅkịtị': 'Ndewo Uzoma, nnoo na Nkiti',
      'Ɗanƙwaro ya ɓace, ƴar Ɓauna, ʼyan Ƙauye, Ƴar’adua':
        "Dankwaro ya bace, yar Bauna, 'yan Kauye, Yar’adua",
      'Ɛdɔ yɛ dɛ, Ŋutɔ': 'Edo ye de, Nuto',
      'Çà et là, œuvre, année, Noël': 'Ca et la, oeuvre, annee, Noel',
      'o\u0323\u0301la\u0301': 'ola',
      ᴲkò: 'Eko',
    };
    for (const [typed, sent] of Object.entries(texts)) {
      assert.equal(withoutAccents(typed), sent);
    }
  });

  it('names the letters that change, once each', () => {
    assert.deepEqual(accentedLetters('Ọlá, ọlá, a\u0301'), [
      ['Ọ', 'O'],
      ['á', 'a'],
      ['ọ', 'o'],
    ]);
    assert.deepEqual(accentedLetters('Olá https://palm.ng/á'), [['á', 'a']]);
  });

  it('leaves nothing that plain SMS cannot carry of letters with accents, and nothing to change', () => {
    fc.assert(
      fc.property(fc.array(word), (words) => {
        const text = words.join(' ');
        const sent = withoutAccents(text);
        assert.deepEqual(countPages(sent).unicode, [], sent);
        assert.deepEqual(accentedLetters(sent), []);
        assert.equal(withoutAccents(sent), sent);
      }),
    );
  });

  it('changes no number, link, column, symbol or other script, and does the same twice', () => {
    const kept = fc.oneof(
      fc.stringMatching(/^\+?\d[\d .,:/-]{0,14}$/),
      fc
        .tuple(fc.constantFrom('https://palm.ng/', 'www.palm.ng/?q=', 'palm.com/'), word)
        .map((parts) => parts.join('')),
      word.map((name) => `{{ ${name} | ${name} }}`),
      fc.constantFrom(
        '£5 ¥5 €5 ₦5',
        'привет',
        '你好',
        'مرحبًا',
        'Ελλάδα',
        '😀',
        '👨‍👩‍👧',
        '❤️',
        '½',
        'ß',
        'Øø',
        'æ',
      ),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(word, kept)), (pairs) => {
        const text = pairs.flat().join(' ');
        const sent = withoutAccents(text);
        assert.equal(sent, pairs.flatMap(([changed, same]) => [withoutAccents(changed), same]).join(' '));
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        const sent = withoutAccents(text);
        assert.equal(withoutAccents(sent), sent);
      }),
    );
  });

  it('is offered only where it makes more of a text sendable', () => {
    assert.ok(areAccentsInTheWay('Ọláyínká'));
    assert.ok(areAccentsInTheWay('á 😀'));
    assert.ok(!areAccentsInTheWay('José'), 'é is in the alphabet of SMS');
    assert.ok(!areAccentsInTheWay('привет 😀'));
    assert.ok(!areAccentsInTheWay('https://palm.ng/á'));
  });
});
