import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AnswersBefore, decideAnswer } from '../../../src/domain/replies/decide-answer.ts';

const nothing: AnswersBefore = {
  isListed: false,
  lastStop: undefined,
  lastStart: undefined,
  listedAt: undefined,
};
const listed: AnswersBefore = { ...nothing, isListed: true };
const at = (minute: number) => new Date(minute * 60_000);
/** Sent at this minute, and received at minute 30. */
const written = (minute: number | undefined) => ({
  sentAt: minute === undefined ? undefined : at(minute),
  receivedAt: at(30),
});

test('the latest of stops and starts counts, and of equal ones the stop', () => {
  const cases = [
    ['stop', 10, nothing, 'list'],
    ['stop', 10, listed, 'nothing'],
    ['stop', 10, { ...nothing, lastStart: at(9) }, 'list'],
    ['stop', 10, { ...nothing, lastStart: at(10) }, 'list'],
    ['stop', 10, { ...nothing, lastStart: at(11) }, 'nothing'],
    // A person took the number off the list after that stop.
    ['stop', 10, { ...nothing, lastStop: at(10) }, 'nothing'],
    ['start', 10, nothing, 'nothing'],
    ['start', 10, listed, 'remove'],
    ['start', 10, { ...listed, lastStop: at(9) }, 'remove'],
    ['start', 10, { ...listed, lastStop: at(10) }, 'nothing'],
    ['start', 10, { ...listed, listedAt: at(10) }, 'nothing'],
    ['start', 10, { ...listed, listedAt: at(9) }, 'remove'],
  ] as const;
  for (const [answer, minute, before, decision] of cases) {
    const said = `${answer} ${JSON.stringify(before)}`;
    assert.equal(decideAnswer(answer, written(minute), before), decision, said);
  }
});

test('a time later than the arrival counts as the arrival', () => {
  assert.equal(decideAnswer('start', written(90), { ...listed, lastStop: at(31) }), 'nothing');
  assert.equal(decideAnswer('start', written(90), { ...listed, lastStop: at(29) }), 'remove');
  assert.equal(decideAnswer('stop', written(90), { ...nothing, lastStart: at(30) }), 'list');
});

test('without a time a stop counts, and a person decides on a start', () => {
  assert.equal(decideAnswer('stop', written(undefined), { ...nothing, lastStop: at(30) }), 'list');
  assert.equal(decideAnswer('start', written(undefined), listed), 'ask');
  assert.equal(decideAnswer('start', written(undefined), nothing), 'nothing');
});
