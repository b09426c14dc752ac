import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withEmoji } from '../../../src/slack/block-kit/emoji.ts';

describe('emoji that Slack names', () => {
  for (const [named, shown] of [
    ['ready :tada: see you', 'ready 🎉 see you'],
    ['ready:tada:see:+1:', 'ready🎉see👍'],
    [':heart::flag-ng:', '❤️🇳🇬'],
    ['hi :wave::skin-tone-4: :woman-running::skin-tone-2:', 'hi 👋🏽 🏃🏻‍♀️'],
    [':point_up::skin-tone-2:', '☝🏻'],
    [':100: percent', '💯 percent'],
  ] as const) {
    it(`are shown: ${named}`, () => assert.equal(withEmoji(named), shown));
  }

  for (const text of [
    'at 12:30:45',
    'scale 10:100:3',
    'Ref:100:ok Ref:100: 1:100:',
    'a:b:c size:ok:set',
    'unknown :words: and :partyparrot:',
    'https://example.com/a:tada:b',
    ':tada and tada:',
    '::',
  ]) {
    it(`leave alone: ${text}`, () => assert.equal(withEmoji(text), text));
  }

  it('are emoji of the standard, as phones show them', () => {
    const shown = withEmoji(':information_source: :one: :rainbow-flag: :woman-frowning: :phone:');
    for (const emoji of shown.split(' ')) {
      assert.match(emoji, /^\p{RGI_Emoji}$/v);
    }
  });
});
