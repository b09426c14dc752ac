import assert from 'node:assert/strict';
import { it } from 'node:test';
import { App, type Receiver } from '@slack/bolt';
import { createDispatch } from '../../../../src/slack/middleware/router/dispatch.ts';

const receiver: Receiver = { init() {}, start: async () => {}, stop: async () => {} };

function begin() {
  const app = new App({ receiver, authorize: async () => ({ botToken: 'xoxb-1' }) });
  const called: string[] = [];
  return {
    app,
    called,
    dispatch: createDispatch(app, (_, work) => work()),
    listener: (name: string) => async () => {
      called.push(name);
    },
    send: (body: Record<string, unknown>) => app.processEvent({ body, ack: async () => {} }),
  };
}

const user = { user: { id: 'U1', team_id: 'T1' }, team: { id: 'T1' } };

it('a request reaches the listener of its name and kind', async () => {
  const { dispatch, called, listener, send } = begin();
  for (const name of ['/one', '/two']) {
    dispatch.command(name, listener(`command ${name}`));
  }
  for (const name of ['one', 'two']) {
    dispatch.action(name, listener(`action ${name}`));
    dispatch.options(name, listener(`options ${name}`));
    dispatch.submission(name, listener(`submission ${name}`));
    dispatch.shortcut(name, listener(`shortcut ${name}`));
  }
  await send({ command: '/two', team_id: 'T1', user_id: 'U1', channel_id: 'C1' });
  await send({ type: 'block_actions', actions: [{ type: 'button', action_id: 'two' }], ...user });
  await send({ type: 'block_suggestion', action_id: 'two', block_id: 'b', value: '', ...user });
  await send({ type: 'view_submission', view: { callback_id: 'two' }, ...user });
  await send({ type: 'message_action', callback_id: 'two', ...user });
  assert.deepEqual(called, ['command /two', 'action two', 'options two', 'submission two', 'shortcut two']);
});

it('a request without a listener reaches none', async () => {
  const { dispatch, called, listener, send } = begin();
  dispatch.command('/one', listener('one'));
  dispatch.submission('one', listener('one'));
  await send({ command: '/other', team_id: 'T1', user_id: 'U1', channel_id: 'C1' });
  await send({ type: 'view_closed', view: { callback_id: 'one' }, ...user });
  assert.deepEqual(called, []);
});

it('a name takes one listener', () => {
  const { dispatch, listener } = begin();
  dispatch.action('one', listener('first'));
  assert.throws(() => dispatch.action('one', listener('second')), /one has a listener already/);
});
