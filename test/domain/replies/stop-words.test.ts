import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { answerWords } from '../../../src/domain/replies/answer-words.ts';
import {
  asksFor,
  everydayWords,
  explainUnusable,
  readStopAnswer,
} from '../../../src/domain/replies/stop-words.ts';
import { anyCharacter } from '../../support/arbitrary-text.ts';
import { answers } from './answers.ts';

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

  it('is read as people write it, and most of what they write is neither', () => {
    const { stop, start, unclear, neither } = answers;
    assert.ok(stop.length + start.length + unclear.length + neither.length >= 150 && neither.length >= 50);
    const read = (texts: readonly string[]) => texts.map((text) => [text, readStopAnswer(text)]);
    for (const [meaning, texts] of Object.entries(answers)) {
      const expected = meaning === 'neither' ? undefined : meaning;
      assert.deepEqual(
        read(texts).filter(([, answer]) => answer !== expected),
        [],
        meaning,
      );
    }
  });

  it('has the words of a workspace’s own as well, and none of them changes what is known', () => {
    const extra = { stop: ['Mú kúrò', 'start'], start: ['Back'] };
    assert.equal(readStopAnswer('mu kuro', extra), 'stop');
    assert.equal(readStopAnswer('BACK!', extra), 'start');
    assert.equal(readStopAnswer('start', extra), 'start');
    assert.equal(readStopAnswer('mu kuro'), undefined);
    assert.equal(readStopAnswer('please', { stop: ['', ' '], start: [''] }), undefined);
    assert.equal(readStopAnswer('Wrong number', { stop: ['wrong number'], start: [] }), 'stop');
  });

  it('is each word of its own that is taken, in any case, with punctuation and what people write beside it', () => {
    const phrases = [
      'No more SMS',
      'stop sms',
      'all done',
      'Straße',
      'ᾳ',
      'Ιστος ΣΑΣ',
      'ẞ',
      'ı',
      'now, now go',
    ];
    const words = fc.oneof(
      fc.constantFrom(...phrases),
      fc.string({ unit: anyCharacter, minLength: 1, maxLength: 12 }),
      fc.array(fc.constantFrom('no', 'more', 'sms', 'all', 'please', 'stop', 'start', 'é'), { maxLength: 4 }),
    );
    const lists = fc.array(
      words.map((word) => [word].flat().join(' ')),
      { minLength: 1, maxLength: 3 },
    );
    let taken = 0;
    fc.assert(
      fc.property(lists, lists, (stop, start) => {
        const extra = { stop, start };
        for (const answer of ['stop', 'start'] as const) {
          for (const word of extra[answer]) {
            if (explainUnusable(word, answer, extra) !== undefined) {
              continue;
            }
            taken += 1;
            for (const written of [
              word,
              word.toUpperCase(),
              word.toLowerCase(),
              ` "${word}"! `,
              `Pls, ${word} abeg`,
            ]) {
              assert.equal(readStopAnswer(written, extra), answer, written);
            }
          }
        }
      }),
      { numRuns: 100 },
    );
    assert.ok(taken > 100, `${taken}`);
    assert.deepEqual(
      phrases.filter((word) => explainUnusable(word, 'stop', { stop: phrases, start: [] }) !== undefined),
      [],
    );
  });

  it('is no word of its own of which nothing is left, or that means something else', () => {
    const explain = (word: string, answer: 'stop' | 'start', stop: string[] = []) =>
      explainUnusable(word, answer, { stop: [...stop, word], start: answer === 'start' ? [word] : [] });
    for (const word of ['', ' ', '…!', '\u0301', 'Please', 'SMS, now', 'thanks']) {
      assert.match(explain(word, 'stop') ?? '', /^has only filler/, word);
    }
    for (const word of ['start', 'START please', 'Unstop']) {
      assert.equal(explain(word, 'stop'), 'already means opting in');
    }
    assert.equal(explain('Stop', 'start'), 'already means opting out');
    assert.equal(explain('x'.repeat(61), 'stop'), 'has more than 60 characters');
    assert.equal(explain('go on', 'start', ['Go on']), 'already means opting out');
    // What it means is not what is left without the word that most replies may have beside it.
    assert.equal(readStopAnswer('No', { stop: ['no sms'], start: [] }), undefined);
    assert.equal(readStopAnswer('more sms', { stop: ['no more sms'], start: [] }), undefined);
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
      fc.property(fc.string({ unit: anyCharacter, maxLength: 80 }), (text) => {
        const answer = readStopAnswer(text);
        assert.ok(answer === undefined || bare.some((word) => bareWord(text).includes(word)));
      }),
    );
  });

  it('may answer a message that has its everyday word, unless that names it for opting out', () => {
    const none = { stop: [], start: [] };
    const mayAnswer = (stop: string, message: string) => asksFor(message, everydayWords(stop, none));
    for (const [stop, message] of [
      ['Cancel', 'Reply CANCEL to cancel your appointment.'],
      ['cancel please', 'Your table is booked. Text Cancel if you can’t come'],
      ['END', 'Send END to end the chat. Reply STOP to stop messages.'],
      ['Fin', 'Répondez FIN pour terminer'],
    ] as const) {
      assert.ok(mayAnswer(stop, message), stop);
    }
    for (const [stop, message] of [
      ['STOP', 'Reply STOP to stop the delivery'],
      ['Cancel stop', 'Reply CANCEL to cancel your appointment.'],
      ['Cancel', 'Sale today! Reply CANCEL to opt out'],
      ['Cancel', 'Sale today! Text CANCEL to stop these messages'],
      ['Cancel', 'Sale today!'],
      ['End', 'At the weekend'],
    ] as const) {
      assert.ok(!mayAnswer(stop, message), `${stop} after ${message}`);
    }
    assert.deepEqual(everydayWords('cancel', { stop: ['cancel'], start: [] }), []);
  });
});
