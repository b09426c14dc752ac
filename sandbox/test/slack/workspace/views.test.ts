import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ModalView } from '@slack/web-api';
import type { OpenView } from '../../../slack/protocol.ts';
import type { Recorder } from '../recorder.ts';
import { channel, commanded, fillIn, person, recording, refusal, textInput, words } from '../recorder.ts';

const modal = (title: string, more: Partial<ModalView> = {}): ModalView => ({
  type: 'modal',
  callback_id: title.toLowerCase(),
  title: words(title),
  submit: words('Go'),
  blocks: [textInput('who', 'name')],
  ...more,
});

const top = (probe: Recorder): OpenView => {
  const view = probe.slack.snapshot(person).modals.at(-1);
  assert.ok(view, 'a modal is open');
  return view;
};

const titles = (probe: Recorder): unknown[] =>
  probe.slack.snapshot(person).modals.map(({ view }) => view.callback_id);

async function opened(probe: Recorder, view = modal('First')): Promise<OpenView> {
  const { trigger_id = '' } = await commanded(probe);
  await probe.app.client.views.open({ trigger_id, view });
  return top(probe);
}

/** Submits the top modal to get another trigger. */
async function triggerIn(probe: Recorder): Promise<string> {
  probe.answerWith({ response_action: 'errors', errors: { who: 'Again' } });
  const viewId = top(probe).id;
  await fillIn(probe.slack, viewId, 'who', 'name', { type: 'plain_text_input', value: 'Ada' });
  await probe.slack.perform({ do: 'submit', person, viewId });
  probe.answerWith(undefined);
  return String(probe.last().trigger_id);
}

describe('A trigger', () => {
  it('opens one view within three seconds', async () => {
    let now = Date.now();
    await using probe = await recording(undefined, { clock: () => new Date(now) });
    const { views } = probe.app.client;
    const { trigger_id = '' } = await commanded(probe);
    await views.open({ trigger_id, view: modal('First') });
    await assert.rejects(views.open({ trigger_id, view: modal('Second') }), refusal('exchanged_trigger_id'));

    const { trigger_id: late = '' } = await commanded(probe);
    now += 3_001;
    await assert.rejects(
      views.open({ trigger_id: late, view: modal('Late') }),
      refusal('expired_trigger_id'),
    );
  });

  it('that Slack did not issue opens nothing', async () => {
    await using probe = await recording();
    const { views } = probe.app.client;
    await assert.rejects(
      views.open({ trigger_id: 'mine', view: modal('First') }),
      refusal('invalid_arguments', /invalid `trigger_id` \[json-pointer:\/trigger_id\]/),
    );
    const alike = `1.1.${'0'.repeat(32)}`;
    await assert.rejects(
      views.open({ trigger_id: alike, view: modal('First') }),
      refusal('invalid_trigger_id'),
    );
  });

  it('opens no view of more than 250 kB', async () => {
    await using probe = await recording();
    const { trigger_id = '' } = await commanded(probe);
    const { views } = probe.app.client;
    const text = words('x'.repeat(3_000));
    const blocks = Array.from({ length: 85 }, () => ({ type: 'section', text }));
    const view = modal('Large', { blocks });
    await assert.rejects(views.open({ trigger_id, view }), refusal('view_too_large'));
    await views.open({ trigger_id, view: { ...view, blocks: blocks.slice(1, 80) } });
    const { id } = top(probe);
    await assert.rejects(views.update({ view_id: id, view }), refusal('view_too_large'));
  });

  it('stays valid after a refused view', async () => {
    await using probe = await recording();
    const { trigger_id = '' } = await commanded(probe);
    const { views } = probe.app.client;
    await assert.rejects(
      views.open({ trigger_id, view: modal('A title of more than twenty-four') }),
      refusal('invalid_arguments', /must be less than 25 characters \[json-pointer:\/view\/title\/text\]/),
    );
    await views.open({ trigger_id, view: modal('First') });
    assert.deepEqual(titles(probe), ['first']);
  });
});

describe('A stack of modals', () => {
  it('grows to three by push and shrinks by close', async () => {
    await using probe = await recording();
    const { views } = probe.app.client;
    const first = await opened(probe);
    await views.push({ trigger_id: await triggerIn(probe), view: modal('Second') });
    await views.push({ trigger_id: await triggerIn(probe), view: modal('Third') });
    assert.equal(top(probe).rootId, first.id);
    await assert.rejects(
      views.push({ trigger_id: await triggerIn(probe), view: modal('Fourth') }),
      refusal('push_limit_reached'),
    );
    await probe.slack.perform({ do: 'close', person, viewId: top(probe).id });
    assert.deepEqual(titles(probe), ['first', 'second']);
  });

  it('cannot be pushed onto with a trigger from outside', async () => {
    await using probe = await recording();
    const { trigger_id = '' } = await commanded(probe);
    await assert.rejects(
      probe.app.client.views.push({ trigger_id, view: modal('Second') }),
      refusal('invalid_trigger_id'),
    );
  });

  it('stays closed when it is closed a second time', async () => {
    await using probe = await recording();
    const view = await opened(probe, modal('Once'));
    await probe.slack.perform({ do: 'close', person, viewId: view.id });
    const second = await probe.slack.perform({ do: 'close', person, viewId: view.id, all: true });
    assert.equal(second.trouble, undefined);
    assert.deepEqual(probe.slack.snapshot(person).modals, []);
  });

  it('sends view_closed only with notify_on_close', async () => {
    await using probe = await recording();
    const silent = await opened(probe);
    const before = probe.bodies.length;
    await probe.slack.perform({ do: 'close', person, viewId: silent.id });
    assert.equal(probe.bodies.length, before);

    const notifying = await opened(probe, modal('Notifying', { notify_on_close: true }));
    await probe.slack.perform({ do: 'close', person, viewId: notifying.id });
    assert.equal(probe.last().type, 'view_closed');
    assert.equal(probe.last().is_cleared, false);
  });
});

describe('views.update', () => {
  it('keeps the values of inputs with the same block and action, and resets the rest', async () => {
    await using probe = await recording();
    const { id: view_id } = await opened(
      probe,
      modal('First', { blocks: [textInput('who', 'name'), textInput('a', 'a')] }),
    );
    await fillIn(probe.slack, view_id, 'who', 'name', { type: 'plain_text_input', value: 'Ada' });
    await fillIn(probe.slack, view_id, 'a', 'a', { type: 'plain_text_input', value: 'gone' });
    const blocks = [
      textInput('who', 'name', { initial_value: 'Bob' }),
      textInput('b', 'a', { initial_value: 'new' }),
    ];
    await probe.app.client.views.update({ view_id, view: modal('First', { blocks }) });
    assert.deepEqual(top(probe).values, {
      who: { name: { type: 'plain_text_input', value: 'Ada' } },
      b: { a: { type: 'plain_text_input', value: 'new' } },
    });
  });

  it('refuses an outdated hash, an unknown view and a closed view', async () => {
    await using probe = await recording();
    const { views } = probe.app.client;
    const { id: view_id, hash } = await opened(probe);
    const update = { view_id, view: modal('Next') };
    await views.update({ ...update, hash });
    await assert.rejects(views.update({ ...update, hash }), refusal('hash_conflict'));
    await assert.rejects(views.update({ ...update, view_id: 'V0NONE' }), refusal('not_found'));
    await probe.slack.perform({ do: 'close', person, viewId: view_id });
    await assert.rejects(views.update(update), refusal('not_found'));
  });

  it('finds a view by its external_id, which must be unique', async () => {
    await using probe = await recording();
    const { views } = probe.app.client;
    await opened(probe, modal('First', { external_id: 'mine' }));
    await views.update({ external_id: 'mine', view: modal('Next', { external_id: 'mine' }) });
    assert.deepEqual(titles(probe), ['next']);
    await assert.rejects(
      views.push({ trigger_id: await triggerIn(probe), view: modal('Twin', { external_id: 'mine' }) }),
      refusal('duplicate_external_id'),
    );
  });
});

describe('The acknowledgement of a submission', () => {
  const submit = async (probe: Recorder, answer: unknown) => {
    const view = await opened(probe);
    await fillIn(probe.slack, view.id, 'who', 'name', { type: 'plain_text_input', value: 'Ada' });
    probe.answerWith(answer);
    return await probe.slack.perform({ do: 'submit', person, viewId: view.id });
  };

  it('closes the modal when empty', async () => {
    await using probe = await recording();
    const result = await submit(probe, undefined);
    assert.equal(result.status, 200);
    assert.equal(result.trouble, undefined);
    assert.deepEqual(titles(probe), []);
  });

  it('updates, pushes and clears', async () => {
    await using probe = await recording();
    await submit(probe, { response_action: 'update', view: modal('Updated') });
    assert.deepEqual(titles(probe), ['updated']);
    await submit(probe, { response_action: 'push', view: modal('Pushed') });
    assert.deepEqual(titles(probe), ['first', 'pushed']);
    await submit(probe, { response_action: 'clear' });
    assert.deepEqual(titles(probe), []);
  });

  it('shows errors beside their fields until they change', async () => {
    await using probe = await recording();
    await submit(probe, { response_action: 'errors', errors: { who: 'Unknown' } });
    assert.deepEqual(top(probe).errors, { who: 'Unknown' });
    await fillIn(probe.slack, top(probe).id, 'who', 'name', { type: 'plain_text_input', value: 'Bob' });
    assert.deepEqual(top(probe).errors, {});
  });

  it('leaves the modal open with a notice when it is late', async () => {
    await using probe = await recording(undefined, { ackTimeoutMs: 400 });
    const view = await opened(probe);
    await fillIn(probe.slack, view.id, 'who', 'name', { type: 'plain_text_input', value: 'Ada' });
    probe.stopAcknowledging();
    const result = await probe.slack.perform({ do: 'submit', person, viewId: view.id });
    assert.deepEqual(
      [result.status, result.trouble],
      [0, 'We had some trouble connecting. Try again? (operation_timeout)'],
    );
    assert.equal(top(probe).trouble, 'We had some trouble connecting. Try again?');
  });

  for (const [what, answer] of [
    ['errors for a block that is no input', { response_action: 'errors', errors: { name: 'Unknown' } }],
    ['a view that Slack refuses', { response_action: 'update', view: { type: 'modal' } }],
    ['an action that Slack does not know', { response_action: 'open' }],
    ['plain text', 'thanks'],
  ] as const) {
    it(`leaves the modal open with a notice when it is ${what}`, async () => {
      await using probe = await recording();
      const result = await submit(probe, answer);
      assert.match(result.trouble ?? '', /^We had some trouble connecting\. Try again\? \(.+\)$/);
      assert.equal(top(probe).trouble, 'We had some trouble connecting. Try again?');
    });
  }
});

describe("Slack's client", () => {
  it('does not submit a modal with an empty required field', async () => {
    await using probe = await recording();
    const view = await opened(probe);
    const before = probe.bodies.length;
    const result = await probe.slack.perform({ do: 'submit', person, viewId: view.id });
    assert.equal(result.status, 0);
    assert.equal(probe.bodies.length, before);
    assert.deepEqual(top(probe).errors, { who: 'Please complete this required field.' });
  });

  it('starts a conversations select with the channel of the command', async () => {
    await using probe = await recording();
    const element = {
      type: 'conversations_select' as const,
      action_id: 'where',
      default_to_current_conversation: true,
      response_url_enabled: true,
    };
    const view = await opened(
      probe,
      modal('First', { blocks: [{ type: 'input', block_id: 'place', label: words('Where'), element }] }),
    );
    assert.equal(view.values.place?.where?.selected_conversation, channel);
    await probe.slack.perform({ do: 'submit', person, viewId: view.id });
    const [granted] = Array.isArray(probe.last().response_urls)
      ? (probe.last().response_urls as object[])
      : [];
    assert.ok(granted);
    assert.deepEqual(
      { ...granted, response_url: '' },
      { block_id: 'place', action_id: 'where', channel_id: channel, response_url: '' },
    );
  });

  it('prefers initial_conversation over the current conversation', async () => {
    await using probe = await recording();
    const element = {
      type: 'conversations_select' as const,
      action_id: 'where',
      default_to_current_conversation: true,
      initial_conversation: 'C0CAMPAIGNS',
    };
    const view = await opened(
      probe,
      modal('First', { blocks: [{ type: 'input', block_id: 'place', label: words('Where'), element }] }),
    );
    assert.equal(view.values.place?.where?.selected_conversation, 'C0CAMPAIGNS');
  });

  it('sends the whole state of a view, with its metadata and its position in the stack', async () => {
    await using probe = await recording();
    const view = await opened(probe, modal('First', { private_metadata: 'mine' }));
    await fillIn(probe.slack, view.id, 'who', 'name', { type: 'plain_text_input', value: 'Ada' });
    await probe.slack.perform({ do: 'submit', person, viewId: view.id });
    const sent = probe.last().view;
    assert.ok(sent && typeof sent === 'object' && !Array.isArray(sent));
    assert.equal(sent.private_metadata, 'mine');
    assert.equal(sent.root_view_id, view.id);
    assert.equal(sent.previous_view_id, null);
    assert.equal(sent.hash, view.hash);
    assert.deepEqual(sent.state, { values: { who: { name: { type: 'plain_text_input', value: 'Ada' } } } });
  });
});
