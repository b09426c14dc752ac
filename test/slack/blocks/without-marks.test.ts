import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { mrkdwn, personMention, timeFor, withoutMarks } from '../../../src/slack/blocks/text.ts';

describe('markup without its marks', () => {
  it('says what a reader of the message sees', () => {
    const at = new Date('2026-03-14T11:05:00Z');
    const line = mrkdwn`*Done* by ${personMention('U0AGENT')} at ${timeFor(at)}: \`id-7\` for *${'Fish & <Chips>'}*`;
    assert.equal(withoutMarks(line), 'Done by U0AGENT at 2026-03-14 11:05 UTC: id-7 for Fish & <Chips>');
  });

  it('is the text itself where there are none, whatever has to be escaped in it', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', ' ', '<', '>', '&', ';', 'l', 't', 'm', 'p') }),
        (text) => {
          assert.equal(withoutMarks(mrkdwn`${text}`), text);
        },
      ),
    );
  });
});
