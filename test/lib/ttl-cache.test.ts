import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTtlCache } from '../../src/lib/ttl-cache.ts';

/** Counts how often it is asked, and answers with the count. */
function begin() {
  let now = 0;
  let asked = 0;
  const answers = createTtlCache({
    ask: async (key) => {
      asked += 1;
      if (key === 'broken') {
        throw new Error('there is no answer');
      }
      return `${key} ${asked}`;
    },
    freshFor: 1_000,
    elapsed: () => now,
  });
  return {
    answers,
    asked: () => asked,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

describe('an answer that is remembered', () => {
  it('is asked for once, however many want it, until it is no longer fresh', async () => {
    const { answers, pass } = begin();
    assert.deepEqual(await Promise.all([answers.get('a'), answers.get('a')]), ['a 1', 'a 1']);
    pass(999);
    assert.equal(await answers.get('a'), 'a 1');
    pass(1);
    assert.equal(await answers.get('a'), 'a 2');
  });

  it('is that of its own key', async () => {
    const { answers } = begin();
    assert.deepEqual([await answers.get('a'), await answers.get('b')], ['a 1', 'b 2']);
  });

  it('is forgotten when it has changed, also while it was under way', async () => {
    const { answers } = begin();
    const early = answers.get('a');
    answers.forget('a');
    assert.equal(await answers.get('a'), 'a 2');
    assert.equal(await early, 'a 1');
    assert.equal(await answers.get('a'), 'a 2');
  });

  it('is asked for again after a failure', async () => {
    const { answers, asked } = begin();
    await assert.rejects(answers.get('broken'));
    await assert.rejects(answers.get('broken'));
    assert.equal(asked(), 2);
  });

  it('gives way, with all others, before there are too many', async () => {
    const { answers } = begin();
    for (let key = 0; key <= 1_000; key += 1) {
      await answers.get(`${key}`);
    }
    assert.equal(await answers.get('0'), '0 1002');
  });
});
