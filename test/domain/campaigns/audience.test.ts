import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createWordSearch } from '../../../src/domain/campaigns/audience.ts';

it('a word is found alone, anywhere in an answer, whatever its case and marks', () => {
  const finds = (word: string, text: string) => createWordSearch(word)?.(text);
  for (const text of ['yes', 'YES!', 'Oh, yes please', '1.Yes', 'yés', `no ${'x '.repeat(100)}yes`]) {
    assert.equal(finds('Yes', text), true, text);
  }
  for (const text of ['', 'yesterday', 'eyes', 'y e s', 'no', 'yes1', 'y'.repeat(100_000)]) {
    assert.equal(finds('Yes', text), false, text);
  }
  assert.equal(finds('ci gaba', 'To, ci  GABA'), true);
  assert.equal(finds('ci gaba', 'ci to gaba'), false);
  assert.equal(finds('50', 'Send 50, not 500'), true);
});

it('what has no letters and no digits, or more than 40 characters, is no word', () => {
  for (const word of ['', ' ', '!?', '🎉', 'a'.repeat(41)]) {
    assert.equal(createWordSearch(word), undefined, word);
  }
});
