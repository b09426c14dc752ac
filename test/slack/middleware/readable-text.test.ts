import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { findNumbers } from '../../../src/domain/phone/read-numbers.ts';
import { mrkdwn } from '../../../src/slack/block-kit/text.ts';
import { readableText, withoutMarkup } from '../../../src/slack/middleware/router/command.ts';

describe('the readable text of a message', () => {
  it('has the number of a telephone link, whatever its label', () => {
    const text = 'Call <tel:+2348031234567|0803…> or <tel:08051234567>';
    assert.deepEqual(findNumbers(readableText({ text }), 'NG'), ['+2348031234567', '+2348051234567']);
  });

  it('has no digits of URLs, ids and timestamps', () => {
    const text =
      'See <https://a.example/08031234567>, <@U08031234567>, <#C08031234567|orders>, <!date^08031234567^{time}|noon>';
    assert.equal(readableText({ text }).replace(/[^\d]/g, ''), '');
    assert.match(readableText({ text }), /orders[\s\S]*noon/);
  });

  it('restores every character that Slack escapes', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('&', 'a', 'lt;', 'amp;', '0', ';') }), (text) => {
        assert.equal(withoutMarkup(mrkdwn`${text}`.source), text);
      }),
    );
  });

  it('includes the blocks and attachments of an app’s message', () => {
    const message = {
      text: 'New ticket',
      bot_id: 'B1',
      blocks: [
        { type: 'section', block_id: '08021234567', text: { type: 'mrkdwn', text: 'Ada: 0803 123 4567' } },
        {
          type: 'rich_text',
          elements: [{ type: 'rich_text_section', elements: [{ type: 'link', url: 'tel:+2348051234567' }] }],
        },
      ],
      attachments: [{ fields: [{ title: 'Phone', value: '0809 123 4567' }] }],
    };
    assert.deepEqual(findNumbers(readableText(message), 'NG'), [
      '+2348031234567',
      '+2348051234567',
      '+2348091234567',
    ]);
  });
});
