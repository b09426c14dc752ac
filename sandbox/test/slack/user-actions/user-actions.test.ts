import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KnownBlock } from '@slack/web-api';
import { isJsonObject, type JsonObject } from '../../../lib/json.ts';
import type { SandboxMessage } from '../../../slack/protocol.ts';
import {
  channel,
  commanded,
  person,
  type Recorder,
  recording,
  refusal,
  textInput,
  words,
} from '../recorder.ts';

const menu: KnownBlock[] = [
  {
    type: 'actions',
    block_id: 'menu',
    elements: [
      { type: 'button', action_id: 'send', text: words('Send'), value: 'now', style: 'primary' },
      {
        type: 'static_select',
        action_id: 'route',
        options: ['generic', 'dnd'].map((value) => ({ text: words(value), value })),
      },
      { type: 'external_select', action_id: 'sender', min_query_length: 2 },
      { type: 'multi_external_select', action_id: 'tags', min_query_length: 0 },
    ],
  },
];

async function posted(probe: Recorder, blocks = menu): Promise<SandboxMessage> {
  await probe.app.client.chat.postMessage({ channel, text: 'Menu', blocks });
  return messages(probe).at(-1) ?? assert.fail();
}

const messages = (probe: Recorder): SandboxMessage[] => probe.slack.snapshot(person).messages;

const press = (
  probe: Recorder,
  message: SandboxMessage,
  actionId: string,
  state?: JsonObject,
  who = person,
) =>
  probe.slack.perform({
    do: 'action',
    person: who,
    container: { type: 'message', channel, ts: message.ts },
    blockId: 'menu',
    actionId,
    ...(state && { state }),
  });

const respond = async (probe: Recorder, body: JsonObject): Promise<number> => {
  const url = String(probe.last().response_url);
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await response.text();
  return response.status;
};

const object = (value: unknown): JsonObject =>
  isJsonObject(value) ? value : assert.fail(`${value} is no object`);

describe('A slash command', () => {
  it('is answered ephemerally by its acknowledgement, or in the channel with in_channel', async () => {
    await using probe = await recording();
    probe.answerWith('just you');
    await commanded(probe);
    probe.answerWith({ response_type: 'in_channel', text: 'all of you' });
    await commanded(probe, 'now');
    assert.deepEqual(
      messages(probe).map(({ text, from, onlyFor }) => [text, from, onlyFor]),
      [
        ['just you', 'app', person],
        ['/probe now', person, undefined],
        ['all of you', 'app', undefined],
      ],
    );
  });

  it('shows why it failed when the app is late, down, or answers wrongly', async () => {
    const trouble = async ({ slack }: Recorder) =>
      (await slack.perform({ do: 'command', person, channel, command: '/probe', text: '' })).trouble;
    await using late = await recording(undefined, { ackTimeoutMs: 50 });
    late.stopAcknowledging();
    assert.equal(await trouble(late), '/probe failed with the error "operation_timeout"');
    await using probe = await recording();
    probe.answerWith({ blocks: [{ type: 'nonsense' }] });
    assert.match((await trouble(probe)) ?? '', /^\/probe failed with the error "invalid_blocks" \(\[ERROR\]/);
    await probe.stopApp();
    assert.equal(await trouble(probe), '/probe failed with the error "dispatch_failed"');
    assert.equal(
      probe.slack.snapshot(person).notices.at(-1)?.text,
      '/probe failed with the error "dispatch_failed"',
    );
  });

  it('of no app is not valid', async () => {
    await using probe = await recording();
    const result = await probe.slack.perform({ do: 'command', person, channel, command: '/nope', text: '' });
    assert.deepEqual([result.status, result.trouble], [0, '/nope is not a valid command.']);
  });
});

describe('A button', () => {
  it('sends the action, its message and the state of the message', async () => {
    await using probe = await recording();
    const message = await posted(probe);
    await press(probe, message, 'route', { type: 'static_select', selected_option: { value: 'dnd' } });
    await press(probe, message, 'send');
    const { actions, container, state, channel: where } = probe.last();
    const [action] = Array.isArray(actions) ? actions.map(object) : [];
    assert.deepEqual(
      { ...action, action_ts: '' },
      {
        type: 'button',
        action_id: 'send',
        block_id: 'menu',
        text: words('Send'),
        value: 'now',
        style: 'primary',
        action_ts: '',
      },
    );
    assert.deepEqual(container, {
      type: 'message',
      message_ts: message.ts,
      channel_id: channel,
      is_ephemeral: false,
    });
    assert.deepEqual(where, { id: channel, name: 'support' });
    assert.deepEqual(object(object(state).values).menu, {
      route: { type: 'static_select', selected_option: { text: words('dnd'), value: 'dnd' } },
      sender: { type: 'external_select', selected_option: null },
      tags: { type: 'multi_external_select', selected_options: [] },
    });
  });

  it('in an ephemeral message is sent without the message, and nobody else can press it', async () => {
    await using probe = await recording();
    await probe.app.client.chat.postEphemeral({ channel, user: person, text: 'Psst', blocks: menu });
    const message = messages(probe).at(-1) ?? assert.fail();
    await press(probe, message, 'send');
    assert.equal(object(probe.last().container).is_ephemeral, true);
    assert.equal(probe.last().message, undefined);
    await assert.rejects(press(probe, message, 'send', undefined, 'U0ADMIN'), { name: 'UserActionError' });
  });

  it('pressed by a person of another organisation names that organisation', async () => {
    await using probe = await recording();
    await press(probe, await posted(probe), 'send', undefined, 'U0STRANGER');
    assert.equal(object(probe.last().user).team_id, 'T0ELSEWHERE');
    assert.equal(object(probe.last().team).id, 'T0SWITCH');
  });

  it('that does not exist, or an option that is not offered, cannot be chosen', async () => {
    await using probe = await recording();
    const message = await posted(probe);
    await assert.rejects(press(probe, message, 'gone'), { name: 'UserActionError' });
    const state = { type: 'static_select', selected_option: { value: 'voice' } };
    await assert.rejects(press(probe, message, 'route', state), /voice is not offered/);
    await assert.rejects(press(probe, message, 'route', { type: 'datepicker' }), { name: 'UserActionError' });
  });

  it('shows a notice when the app does not answer in time', async () => {
    await using probe = await recording(undefined, { ackTimeoutMs: 50 });
    const message = await posted(probe);
    probe.stopAcknowledging();
    const { trouble } = await press(probe, message, 'send');
    assert.match(trouble ?? '', /^Operation timed out/);
    assert.equal(probe.slack.snapshot(person).notices.at(-1)?.text, trouble);
  });
});

describe('A response_url', () => {
  it('posts ephemerally, in the channel, or in place of the message, five times', async () => {
    await using probe = await recording();
    const message = await posted(probe);
    await press(probe, message, 'send');
    assert.equal(await respond(probe, { text: 'private' }), 200);
    assert.equal(await respond(probe, { text: 'open', response_type: 'in_channel' }), 200);
    assert.equal(await respond(probe, { text: 'new', replace_original: true }), 200);
    assert.deepEqual(
      messages(probe).map(({ text, onlyFor }) => [text, onlyFor]),
      [
        ['new', undefined],
        ['private', person],
        ['open', undefined],
      ],
    );
    assert.equal(await respond(probe, { blocks: [{ type: 'nonsense' }] }), 400);
    assert.equal(await respond(probe, { delete_original: true }), 200);
    assert.equal(
      messages(probe).some(({ ts }) => ts === message.ts),
      false,
    );
    assert.equal(await respond(probe, { text: 'sixth' }), 404);
  });

  it('works where the app is not a member, for half an hour', async () => {
    let now = Date.now();
    await using probe = await recording(undefined, { clock: () => new Date(now) });
    await probe.slack.perform({ do: 'command', person, channel: 'C0CAMPAIGNS', command: '/probe', text: '' });
    assert.equal(await respond(probe, { text: 'here', response_type: 'in_channel' }), 200);
    assert.equal(messages(probe).at(-1)?.channel, 'C0CAMPAIGNS');
    now += 30 * 60_000 + 1;
    assert.equal(await respond(probe, { text: 'late' }), 404);
  });
});

describe('A searched select', () => {
  const search = (probe: Recorder, message: SandboxMessage, query: string, actionId = 'sender') =>
    probe.slack.perform({
      do: 'options',
      person,
      container: { type: 'message', channel, ts: message.ts },
      blockId: 'menu',
      actionId,
      query,
    });

  it('asks the app from min_query_length on, and accepts only offered options', async () => {
    await using probe = await recording();
    const message = await posted(probe);
    const before = probe.bodies.length;
    assert.deepEqual((await search(probe, message, 'A')).answer, { options: [] });
    assert.equal(probe.bodies.length, before);

    const option = { text: words('Acme'), value: 'ACME' };
    probe.answerWith({ options: [option] });
    assert.deepEqual((await search(probe, message, 'Ac')).answer, { options: [option] });
    assert.deepEqual(
      [probe.last().type, probe.last().action_id, probe.last().block_id, probe.last().value],
      ['block_suggestion', 'sender', 'menu', 'Ac'],
    );
    const chosen = (value: string) => ({ type: 'external_select', selected_option: { value } });
    await press(probe, message, 'sender', chosen('ACME'));
    await assert.rejects(press(probe, message, 'sender', chosen('OTHER')), /OTHER is not offered/);
  });

  it('keeps chosen options when a later search offers others', async () => {
    await using probe = await recording();
    const message = await posted(probe);
    const tags: JsonObject[] = [];
    for (const value of ['red', 'blue']) {
      tags.push({ text: words(value), value });
      probe.answerWith({ options: tags.slice(-1) });
      await search(probe, message, '', 'tags');
      await press(probe, message, 'tags', { type: 'multi_external_select', selected_options: tags });
    }
    const values = object(object(probe.last().state).values);
    assert.deepEqual(object(object(values.menu).tags).selected_options, tags);
  });

  it('shows no options of an answer that Slack refuses', async () => {
    await using probe = await recording();
    const message = await posted(probe);
    probe.answerWith({ options: [{ text: words('x'.repeat(76)), value: 'x' }] });
    assert.match((await search(probe, message, 'xx')).trouble ?? '', /less than 76 characters/);
  });
});

describe('An input that tells of changes', () => {
  it('is sent to the app with the whole state of its view', async () => {
    await using probe = await recording();
    const { trigger_id = '' } = await commanded(probe);
    const blocks = [{ ...textInput('text', 'text'), dispatch_action: true }, textInput('note', 'note')];
    await probe.app.client.views.open({
      trigger_id,
      view: { type: 'modal', title: words('Count'), submit: words('Go'), blocks },
    });
    const viewId = probe.slack.snapshot(person).modals[0]?.id ?? '';
    const container = { type: 'view', viewId } as const;
    const state = { type: 'plain_text_input', value: 'Hello' };
    await probe.slack.perform({ do: 'action', person, container, blockId: 'text', actionId: 'text', state });
    assert.deepEqual(probe.last().container, { type: 'view', view_id: viewId });
    assert.deepEqual(object(probe.last().view).state, {
      values: { text: { text: state }, note: { note: { type: 'plain_text_input', value: null } } },
    });
    await assert.rejects(
      probe.slack.perform({ do: 'action', person, container, blockId: 'note', actionId: 'note', state }),
      /does not tell the app/,
    );
  });
});

describe('The messages of an app that are read-only', () => {
  it('take no message and no command, as there is no composer', async () => {
    await using probe = await recording();
    const { channel: direct } = await probe.app.client.conversations.open({ users: person });
    const place = { person, channel: direct?.id ?? assert.fail() };
    await assert.rejects(
      probe.slack.perform({ do: 'message', ...place, text: 'help' }),
      /Sending messages to this app has been turned off\./,
    );
    const { trouble } = await probe.slack.perform({
      do: 'command',
      ...place,
      command: '/probe',
      text: 'help',
    });
    assert.equal(trouble, 'Sending messages to this app has been turned off.');
    assert.deepEqual(messages(probe), []);
  });
});

describe('A shortcut', () => {
  it('of a message sends the message and its channel to the app', async () => {
    await using probe = await recording();
    await probe.slack.perform({ do: 'message', person, channel, text: 'Call +2348031234567' });
    const ts = messages(probe).at(-1)?.ts ?? '';
    await probe.slack.perform({
      do: 'shortcut',
      person,
      callbackId: 'probe_message',
      message: { channel, ts },
    });
    const { type, callback_id, message, message_ts } = probe.last();
    assert.deepEqual([type, callback_id, message_ts], ['message_action', 'probe_message', ts]);
    assert.equal(object(message).text, 'Call +2348031234567');
    await respond(probe, { text: 'One number', replace_original: true });
    assert.equal(messages(probe)[0]?.text, 'Call +2348031234567', "a person's message stays as it is");
  });

  it('without a message opens a view by its trigger', async () => {
    await using probe = await recording();
    await probe.slack.perform({ do: 'shortcut', person, callbackId: 'probe_global' });
    assert.equal(probe.last().type, 'shortcut');
    await probe.app.client.views.open({
      trigger_id: String(probe.last().trigger_id),
      view: { type: 'modal', title: words('Hi'), blocks: [{ type: 'divider' }] },
    });
    assert.equal(probe.slack.snapshot(person).modals.length, 1);
    const unknown = { do: 'shortcut', person, callbackId: 'nope' } as const;
    await assert.rejects(probe.slack.perform(unknown), /has no global shortcut nope/);
  });
});

describe('Home', () => {
  it('sends app_home_opened to the app, and shows the published view', async () => {
    await using probe = await recording();
    await probe.slack.perform({ do: 'home', person });
    const event = object(probe.last().event);
    assert.deepEqual([event.type, event.user, event.tab], ['app_home_opened', person, 'home']);
    const view = { type: 'home' as const, blocks: menu };
    const { view: published } = await probe.app.client.views.publish({ user_id: person, view });
    assert.deepEqual(probe.slack.snapshot(person).home?.view.blocks, menu);
    assert.equal(probe.slack.snapshot('U0ADMIN').home, undefined);

    const stale = { user_id: person, view, hash: 'older' };
    await assert.rejects(probe.app.client.views.publish(stale), refusal('hash_conflict'));
    const container = { type: 'view', viewId: published?.id ?? '' } as const;
    await probe.slack.perform({ do: 'action', person, container, blockId: 'menu', actionId: 'send' });
    assert.equal(object(probe.last().view).type, 'home');
  });
});
