import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { findNumbers } from '../../../src/domain/phone/read-numbers.ts';
import { mrkdwn } from '../../../src/slack/block-kit/text.ts';
import { readableText, typedText, withoutMarkup } from '../../../src/slack/middleware/message-text.ts';

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

  const seen: Record<string, { message: Parameters<typeof readableText>[0]; numbers: string[] }> = {
    'the blocks and attachments of an app': {
      message: {
        text: 'New ticket',
        blocks: [
          { type: 'section', block_id: '08021234567', text: { type: 'mrkdwn', text: 'Ada: 0803 123 4567' } },
          {
            type: 'rich_text',
            elements: [
              { type: 'rich_text_section', elements: [{ type: 'link', url: 'tel:+2348051234567' }] },
            ],
          },
        ],
        attachments: [{ fields: [{ title: 'Phone', value: '0809 123 4567' }] }],
      },
      numbers: ['+2348031234567', '+2348051234567', '+2348091234567'],
    },
    'a table, and no value of a button': {
      message: {
        blocks: [
          { type: 'table', rows: [[{ type: 'raw_text', text: '0803 123 4567' }]] },
          {
            type: 'actions',
            elements: [{ type: 'button', text: { type: 'plain_text', text: 'Call' }, value: '08051234567' }],
          },
        ],
      },
      numbers: ['+2348031234567'],
    },
    'a number of which a part is bold': {
      message: {
        blocks: [
          {
            type: 'rich_text',
            elements: [
              {
                type: 'rich_text_section',
                elements: [
                  { type: 'text', text: '0803 123 ' },
                  { type: 'text', text: '4567', style: { bold: true } },
                ],
              },
            ],
          },
        ],
      },
      numbers: ['+2348031234567'],
    },
    'a forwarded message of which Slack sends only the blocks, and its file': {
      message: {
        text: '',
        attachments: [
          {
            is_share: true,
            message_blocks: [
              {
                message: {
                  blocks: [
                    {
                      type: 'rich_text',
                      elements: [
                        {
                          type: 'rich_text_section',
                          elements: [{ type: 'text', text: 'Ring 0803 123 4567' }],
                        },
                      ],
                    },
                  ],
                },
              },
            ],
            files: [{ id: 'F1', mode: 'snippet', preview: 'Bola;08051234567' }],
          },
        ],
      },
      numbers: ['+2348031234567', '+2348051234567'],
    },
    'the fallback of an attachment, where it has nothing else': {
      message: {
        attachments: [
          { fallback: 'Call 0803 123 4567' },
          { text: 'Call 0805 123 4567', fallback: '0809 123 4567' },
        ],
      },
      numbers: ['+2348031234567', '+2348051234567'],
    },
    'a link to a chat': {
      message: { text: 'Write to <https://wa.me/2348031234567?text=Hi|us>' },
      numbers: ['+2348031234567'],
    },
    'links to a chat whose number comes last, and to a message': {
      message: {
        text: '<https://api.whatsapp.com/send?text=Hi&amp;phone=2348031234567|Ada>, <sms:+2348051234567?body=Hi|Bola>',
      },
      numbers: ['+2348031234567', '+2348051234567'],
    },
  };
  for (const [name, { message, numbers }] of Object.entries(seen)) {
    it(`includes ${name}`, () => assert.deepEqual(findNumbers(readableText(message), 'NG'), numbers));
  }
});

describe('what is typed after a command', () => {
  const names = new Map([['U0ADA', 'Ada Obi']]);
  for (const [received, seen] of [
    ['Fish &amp; chips &lt;now&gt;', 'Fish & chips <now>'],
    [
      'a < b, <b>, <note: x>, <!new> and {{name|x}} &amp;lt;',
      'a < b, <b>, <note: x>, <!new> and {{name|x}} &lt;',
    ],
    ['Ask <@U0ADA>, <@U0BOLA|bola> or <@W0NOBODY>', 'Ask @Ada Obi, @bola or @W0NOBODY'],
    ['in <#C0SHOP|shop>, <!here>, <!subteam^S0CREW|@crew>', 'in #shop, @here, @crew'],
    ['on <!date^1392734382^{date}|Feb 18>', 'on Feb 18'],
    ['<http://example.com|example.com>', 'example.com'],
    ['<https://Example.com/|https://Example.com>', 'https://Example.com'],
    ['<https://example.com/a?b=1&amp;c=2>', 'https://example.com/a?b=1&c=2'],
    ['<https://pay.example/1|Pay here>', 'Pay here https://pay.example/1'],
    ['<mailto:ada@example.com|ada@example.com>', 'ada@example.com'],
    ['<tel:+2348031234567|0803 123 4567>', '0803 123 4567'],
    ['<tel:+2348031234567|Ada>', '+2348031234567'],
    ['Ask <tel:+2348031234567|Ada>', 'Ask Ada +2348031234567'],
    [
      '<https://wa.me/2348031234567|Chat with us> &amp; <https://wa.me/2348051234567|Bola> Hello',
      'https://wa.me/2348031234567 & https://wa.me/2348051234567 Hello',
    ],
    ['Please <https://wa.me/2348031234567|chat with us>', 'Please chat with us https://wa.me/2348031234567'],
    ['ready:tada: :wave:you', 'ready🎉 👋you'],
    ['Ref:100:ok https://x/a:b:c', 'Ref:100:ok https://x/a:b:c'],
    ['ready :tada: at 12:30:45 :shipit:', 'ready 🎉 at 12:30:45 :shipit:'],
  ] as const) {
    it(`is read as it is seen: ${received}`, () => {
      assert.equal(typedText(received, names), seen);
    });
  }
});
