import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { answerWords, readStopAnswer } from '../../../src/domain/replies/stop-words.ts';

describe('an answer that stops messages or takes them up again', () => {
  it('is each of the words, in any case, with and without marks and punctuation', () => {
    for (const { answer, words, source } of answerWords) {
      assert.match(source, /\d{4}-\d{2}-\d{2}$/);
      for (const word of words) {
        const bare = word.normalize('NFD').replace(/\p{M}/gu, '');
        for (const written of [
          word,
          bare,
          word.toUpperCase(),
          ` ${bare}. `,
          `"${word}"!!`,
          `Abeg ${word} now`,
        ]) {
          assert.equal(readStopAnswer(written), answer, written);
        }
      }
    }
  });

  it('is known in six languages, and no word means both', () => {
    const stops = answerWords.filter(({ answer }) => answer === 'stop');
    assert.equal(new Set(stops.map(({ language }) => language)).size, 6);
    const all = answerWords.flatMap(({ words }) => words);
    assert.equal(new Set(all).size, all.length);
  });

  it('is no part of another message', () => {
    for (const text of [
      '',
      ' ',
      '...',
      'please',
      'Stop by our shop',
      'Can I cancel my order?',
      'the end',
      'Yes',
      'stopp',
      'unstoppable',
      `stop${' please'.repeat(20)}`,
    ]) {
      assert.equal(readStopAnswer(text), undefined, text);
    }
  });

  it('has the words of a workspace’s own as well, and none of them changes what is known', () => {
    const extra = { stop: ['Mú kúrò', 'start'], start: ['Back'] };
    assert.equal(readStopAnswer('mu kuro', extra), 'stop');
    assert.equal(readStopAnswer('BACK!', extra), 'start');
    assert.equal(readStopAnswer('start', extra), 'start');
    assert.equal(readStopAnswer('mu kuro'), undefined);
    assert.equal(readStopAnswer('please', { stop: ['', ' '], start: [''] }), undefined);
  });

  it('is found in no text that has none of the words', () => {
    const bareWord = (text: string) =>
      text
        .normalize('NFD')
        .replace(/\p{M}/gu, '')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, '');
    const bare = answerWords.flatMap(({ words }) => words.map(bareWord));
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
        const answer = readStopAnswer(text);
        assert.ok(answer === undefined || bare.some((word) => bareWord(text).includes(word)));
      }),
    );
  });
});
