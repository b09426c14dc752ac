import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isJsonObject, type Json, type JsonObject } from '../../sandbox/lib/json.ts';
import { joinTestApp } from '../support/app/shared-app.ts';
import { manyNumbers } from '../support/slack/number-files.ts';
import { wordsOf } from '../support/slack/slack-user.ts';
import { review } from '../support/slack/sms-steps.ts';

/** What Slack sends of a message that was forwarded without a comment. */
const forwarded: JsonObject = {
  text: '',
  blocks: [],
  attachments: [
    {
      id: 1,
      is_share: true,
      is_msg_unfurl: true,
      ts: '1793960000.000100',
      author_name: 'Grace Bello',
      fallback: '[November 29th, 2026] Grace Bello: Please ring Ada on 0803 123 4567',
      text: 'Please ring Ada on 0803 123 4567',
      message_blocks: [
        {
          team: 'T0OTHER',
          channel: 'C0OTHER',
          ts: '1793960000.000100',
          message: {
            blocks: [
              {
                type: 'rich_text',
                elements: [
                  {
                    type: 'rich_text_section',
                    elements: [{ type: 'text', text: 'Please ring Ada on 0803 123 4567' }],
                  },
                ],
              },
            ],
          },
        },
      ],
      footer: 'Slack Conversation',
    },
  ],
};

const shapes: [string, JsonObject][] = [
  ['a forwarded message', forwarded],
  [
    'an e-mail',
    {
      text: '',
      files: [
        {
          id: 'F0MAIL',
          mode: 'email',
          filetype: 'email',
          subject: 'Please ring',
          from: [{ address: 'ada@example.com', name: 'Ada', original: 'Ada <ada@example.com>' }],
          plain_text: 'Ada: 0803 123 4567\n',
          preview_plain_text: 'Ada: 0803',
        },
      ],
    },
  ],
  [
    'a plain-text file',
    {
      text: 'The list',
      files: [
        {
          id: 'F0TEXT',
          mode: 'snippet',
          filetype: 'text',
          preview: 'Ada;08031234567\n',
          preview_is_truncated: true,
        },
      ],
    },
  ],
];

const text = 'Please call Ada on 0803 123 4567, or <+234 805 123 4568>; order 1234567890123 of 2026-11-21';

describe('shortcuts of a message', () => {
  it('Check numbers reports each number in the message to the user alone, and opens an SMS', async (test) => {
    const { ada, grace, connect } = await joinTestApp(test);
    await connect();
    await ada.uses('Check numbers', await grace.says(text));
    const report = await ada.sees('1 of 2 on Do-Not-Disturb');
    assert.equal(report.onlyFor, ada.id);
    assert.match(wordsOf(report), /\+234 803 123 4567` · MTN[\s\S]*\+234 805 123 4568` · Glo/);
    await ada.presses('Send SMS');
    const form = await ada.seesModal('New message');
    assert.match(JSON.stringify(form.values), /\+2348031234567\\n\+2348051234568/);
  });

  it('Send SMS to… opens the form with the numbers in the message', async (test) => {
    const { ada, grace, provider, connect } = await joinTestApp(test);
    await connect();
    await ada.uses('Send SMS to…', await grace.says(text));
    const form = await ada.seesModal('New message');
    assert.match(JSON.stringify(form.values), /\+234 803 123 4567\\n\+234 805 123 4568/);
    await ada.fills('Sender ID', 'PalmMarket');
    await ada.fills('Message', 'We call you back');
    await ada.submits();
    await ada.seesModal('Message review');
    await ada.submits();
    await ada.seesModal('Message sent');
    assert.deepEqual(
      provider.record.map(({ to }) => to),
      [['2348031234567', '2348051234568']],
    );
  });

  it('answer in the thread that the message is in', async (test) => {
    const { ada, grace, connect } = await joinTestApp(test);
    await connect();
    const question = await grace.says('A customer waits for a call');
    const reply = await ada.says('Her number is 08031234567', question.ts);
    await grace.uses('Check numbers', reply);
    assert.equal((await grace.sees('1 of 1 on Do-Not-Disturb')).threadTs, question.ts);
    await grace.uses('Send SMS to…', reply);
    await grace.seesModal('New message', '+234 803 123 4567');
  });

  it('write to the number of an outcome again, for its sender alone where a channel has it masked', async (test) => {
    const { ada, grace, connect, channels } = await joinTestApp(test);
    await connect();
    await review(ada, { to: '+2348031234567', text: 'Hello' });
    await ada.seesModal('Message review');
    await ada.presses('Edit');
    await ada.seesModal('New message');
    await ada.fills('Who sees the result', 'In a channel');
    await ada.fills('Channel', channels.support);
    await ada.submits();
    await ada.seesModal('Message review');
    await ada.submits();
    await ada.seesModal('Message sent');
    await ada.closes();
    const outcome = await grace.sees(/Sent by/);
    const note = await grace.says('Did they answer?', outcome.ts);
    for (const message of [outcome, note]) {
      await ada.uses('Send SMS to…', message);
      await ada.seesModal('New message', '+234 803 123 4567');
      await ada.closes();
      await grace.uses('Send SMS to…', message);
      await grace.sees('No phone number in this message');
      assert.equal(grace.modal(), undefined);
    }
  });

  it('find the numbers in the message of an app, also where only its blocks have them', async (test) => {
    const { ada, grace, connect } = await joinTestApp(test);
    await connect();
    await ada.types('/dnd-check');
    await ada.fills('Phone numbers', '+2348031234567');
    await ada.fills('Who sees the result', 'In a channel');
    await ada.fills('Numbers in the channel', 'Show phone numbers');
    await ada.submits();
    const post = await grace.sees('Checked by');
    assert.doesNotMatch(post.text, /\+234/);
    await grace.uses('Send SMS to…', post);
    await grace.seesModal('New message', '+234 803 123 4567');
  });

  for (const [what, shape] of shapes) {
    it(`find the numbers in ${what}`, async (test) => {
      const { ada, grace, slack, connect } = await joinTestApp(test);
      await connect();
      const { channel, ts } = await grace.says('See below');
      for (const callbackId of ['check_numbers', 'send_sms_to']) {
        await slack.forge(
          { do: 'shortcut', person: ada.id, callbackId, message: { channel, ts } },
          { rewrite: (payload) => ({ ...payload, message: { ...plainObject(payload.message), ...shape } }) },
        );
      }
      const report = wordsOf(await ada.sees(/1 of 1 on Do-Not-Disturb/));
      assert.equal(report.includes('only the beginning of a long file'), what === 'a plain-text file');
      await ada.seesModal('New message', '+234 803 123 4567');
    });
  }

  it('say so when there is no number in the message', async (test) => {
    const { ada, grace, provider, connect } = await joinTestApp(test);
    await connect();
    const message = await grace.says('Order 1234567890123 is late');
    await ada.uses('Check numbers', message);
    await ada.sees('No phone number in this message');
    await ada.uses('Send SMS to…', message);
    assert.equal(ada.modal(), undefined);
    assert.ok(provider.arrivals.every(({ path }) => path !== '/api/check/dnd'));
  });

  it('take the first 100 numbers, and say how many there are', async (test) => {
    const { ada, grace, provider, connect } = await joinTestApp(test);
    await connect();
    const message = await grace.says(manyNumbers(103).join(', '));
    await ada.uses('Check numbers', message);
    await ada.sees(/These are the first 100 of 103 numbers[\s\S]*10 of 100 on/);
    assert.equal(provider.arrivals.filter(({ path }) => path === '/api/check/dnd').length, 100);
    await ada.uses('Send SMS to…', message);
    await ada.seesModal('New message', '+234 805 123 0099');
    await ada.sees(/^These are the first 100 of 103 numbers/);
  });

  it('ask for a provider key when none is connected', async (test) => {
    const { ada, grace } = await joinTestApp(test);
    await ada.uses('Check numbers', await grace.says(text));
    await ada.sees('isn’t connected to the provider');
  });
});

function plainObject(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
