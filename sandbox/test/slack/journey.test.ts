import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { App } from '@slack/bolt';
import { overHttp, overSocket } from './app-under-test.ts';

/** `/probe` opens a modal; submitting it greets the person in the channel. */
function greeter(app: App): void {
  app.command('/probe', async ({ command, ack, client }) => {
    if (command.text === 'hi') {
      return await ack('hello');
    }
    await ack();
    await client.views.open({
      trigger_id: command.trigger_id,
      view: {
        type: 'modal',
        callback_id: 'greet',
        private_metadata: command.channel_id,
        title: { type: 'plain_text', text: 'Greet' },
        submit: { type: 'plain_text', text: 'Go' },
        blocks: [
          {
            type: 'input',
            block_id: 'who',
            label: { type: 'plain_text', text: 'Who' },
            element: { type: 'plain_text_input', action_id: 'name' },
          },
        ],
      },
    });
  });
  app.view('greet', async ({ view, ack, client }) => {
    const name = view.state.values.who?.name?.value;
    if (name === 'nobody') {
      return await ack({ response_action: 'errors', errors: { who: 'Nobody is not a name.' } });
    }
    await ack();
    await client.chat.postMessage({ channel: view.private_metadata, text: `Hello ${name}` });
  });
}

for (const [way, start] of [
  ['HTTP', overHttp],
  ['Socket Mode', overSocket],
] as const) {
  describe(`A Bolt app over ${way}`, () => {
    it('answers a command, opens a modal, refuses a field and posts the submission', async () => {
      await using probe = await start(greeter);
      const { slack } = probe;
      const person = 'U0AGENT';
      const command = { do: 'command', person, channel: 'C0SUPPORT', command: '/probe' } as const;

      await slack.perform({ ...command, text: 'hi' });
      assert.equal(slack.snapshot(person).messages.at(-1)?.text, 'hello');
      assert.equal(slack.snapshot(person).messages.at(-1)?.onlyFor, person);

      const result = await slack.perform({ ...command, text: '' });
      assert.equal(result.status, 200);
      const modal = await slack.until(() => slack.snapshot(person).modals.at(-1), 'the modal');
      const input = { do: 'fill', person, viewId: modal.id, blockId: 'who', actionId: 'name' } as const;
      await slack.perform({ ...input, state: { type: 'plain_text_input', value: 'nobody' } });
      await slack.perform({ do: 'submit', person, viewId: modal.id });
      assert.deepEqual(slack.snapshot(person).modals.at(-1)?.errors, { who: 'Nobody is not a name.' });

      await slack.perform({ ...input, state: { type: 'plain_text_input', value: 'Ada' } });
      await slack.perform({ do: 'submit', person, viewId: modal.id });
      assert.deepEqual(slack.snapshot(person).modals, []);
      await slack.until(
        () => slack.snapshot(person).messages.some(({ text }) => text === 'Hello Ada'),
        'a hello',
      );
    });
  });
}
