import assert from 'node:assert/strict';
import { it } from 'node:test';
import { App, type Receiver } from '@slack/bolt';
import { createDispatch } from '../../../../src/slack/middleware/router/dispatch.ts';

const receiver: Receiver = { init() {}, start: async () => {}, stop: async () => {} };

function begin() {
  const app = new App({ receiver, authorize: async () => ({ botToken: 'xoxb-1' }) });
  const heard: string[] = [];
  return {
    app,
    heard,
    dispatch: createDispatch(app),
    hears: (name: string) => async () => {
      heard.push(name);
    },
    send: (body: Record<string, unknown>) => app.processEvent({ body, ack: async () => {} }),
  };
}

const person = { user: { id: 'U1', team_id: 'T1' }, team: { id: 'T1' } };

it('each request reaches the one who listens to its name, in its kind', async () => {
  const { dispatch, heard, hears, send } = begin();
  for (const name of ['/one', '/two']) {
    dispatch.command(name, hears(`command ${name}`));
  }
  for (const name of ['one', 'two']) {
    dispatch.action(name, hears(`action ${name}`));
    dispatch.options(name, hears(`options ${name}`));
    dispatch.submission(name, hears(`submission ${name}`));
    dispatch.shortcut(name, hears(`shortcut ${name}`));
  }
  await send({ command: '/two', team_id: 'T1', user_id: 'U1', channel_id: 'C1' });
  await send({ type: 'block_actions', actions: [{ type: 'button', action_id: 'two' }], ...person });
  await send({ type: 'block_suggestion', action_id: 'two', block_id: 'b', value: '', ...person });
  await send({ type: 'view_submission', view: { callback_id: 'two' }, ...person });
  await send({ type: 'message_action', callback_id: 'two', ...person });
  assert.deepEqual(heard, ['command /two', 'action two', 'options two', 'submission two', 'shortcut two']);
});

it('what nobody listens to reaches nobody', async () => {
  const { dispatch, heard, hears, send } = begin();
  dispatch.command('/one', hears('one'));
  dispatch.submission('one', hears('one'));
  await send({ command: '/other', team_id: 'T1', user_id: 'U1', channel_id: 'C1' });
  await send({ type: 'view_closed', view: { callback_id: 'one' }, ...person });
  assert.deepEqual(heard, []);
});

it('two cannot listen to one name', () => {
  const { dispatch, hears } = begin();
  dispatch.action('one', hears('first'));
  assert.throws(() => dispatch.action('one', hears('second')), /Two listen to one/);
});
