import assert from 'node:assert/strict';
import { it } from 'node:test';
import { permissionsOf } from '../../src/domain/access/roles.ts';
import { campaignActions } from '../../src/slack/features/campaigns/actions.ts';
import { openActions } from '../../src/slack/navigation/open-actions.ts';
import { everyListener, type Listener } from '../support/app/registered-listeners.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { compose, eventually, provided, recipients, start } from '../support/campaigns.ts';
import { patientTimers } from '../support/hurried-timers.ts';
import { unlimited } from '../support/limits.ts';
import { replyEnv, switchesOnReplies } from '../support/reports/reply-steps.ts';
import { sampled } from '../support/sizes.ts';
import { switchOnApprovals } from '../support/slack/approval-steps.ts';
import { createEsim, findLocalPlans } from '../support/slack/esim-steps.ts';
import {
  type Attempt,
  intruder,
  normalised,
  noteAll,
  unknownIds,
  withIds,
} from '../support/slack/forged-requests.ts';
import { addPhonebook } from '../support/slack/phonebook-steps.ts';
import { type SlackUser, support } from '../support/slack/slack-user.ts';
import { review, send, startFrom } from '../support/slack/sms-steps.ts';

const workspaceId = 'T0SWITCH';
const text = 'The mangoes are ripe';
const first = '+2348051234500';

/** Creates one of everything for Ada, some of it one step from completion; resolves with functions that complete it. */
async function createWorkOfAda(testApp: TestApp) {
  const { ada, slack, provider } = testApp;
  const later = (person: SlackUser) => {
    const { id } = person.modal() ?? assert.fail('no modal');
    return slack.later({ do: 'submit', person: person.id, viewId: id });
  };

  await compose(ada, { pasted: `${first}\n0805`, text, name: 'Harvest' });
  await start(ada, support);
  const { channel, ts } = await ada.sees(/\*Done:\*/);
  await provided(provider, 1);
  await send(ada, { to: first, text });
  await ada.seesModal('Message sent');

  const refusal = { kind: 'status', status: 400, message: 'Invalid Sender Id' } as const;
  provider.orderFault({ path: '/api/sms/send', fault: refusal });
  await compose(ada, { pasted: first, text, name: 'Late harvest' });
  await start(ada);
  await ada.sees(/\*Paused:\*/);
  await ada.closes();
  await ada.presses('Change sender ID');
  await ada.seesModal('Sender ID');
  await ada.fills('Sender ID', 'PalmMarket');
  await ada.submits();
  assert.equal(ada.errorBeside('Sender ID'), 'Choose another one.');
  await ada.closes();
  await ada.presses('Cancel campaign');
  await ada.seesModal('Cancel campaign');
  await ada.submits();
  await ada.seesModal('Campaign', 'Cancelled');
  await ada.presses('Follow up…');
  await ada.seesModal('Follow-up', 'Not sent (1)');
  await ada.closes();
  await ada.closes();

  await ada.types('/otp', first);
  await ada.fills('Send by', 'Voice call');
  await ada.seesModal('One-time code', 'A call reads the code out');
  await ada.submits();
  await ada.seesModal('Code sent');
  await ada.presses('Verify');
  await ada.seesModal('Verification');
  for (const hint of [/2 attempts left/, /1 attempt left/, 'No attempts left']) {
    await ada.fills('Code from the customer', '000000');
    await ada.submits();
    await ada.seesTrouble(hint);
  }
  await ada.presses('Send another code');
  await ada.seesModal('One-time code');
  await ada.fills('Send by', 'SMS');
  await ada.submits();
  await ada.seesModal('Code sent');
  await ada.presses('Call instead');
  await ada.seesModal('Code sent', 'voice call');
  await ada.types('/otp', first);
  await ada.fills('Send by', 'Voice call');
  await ada.seesModal('One-time code', 'A call reads the code out');
  const sendCode = later(ada);

  await createEsim(testApp);
  await ada.presses('Show status');
  await ada.seesModal('eSIM status');
  await findLocalPlans(ada, 'Kenya');
  await ada.presses('Create');
  await ada.seesModal('New eSIM');
  const order = later(ada);

  await ada.types('/contacts', 'upload');
  await ada.drops('File', 'new.csv', `phone,name\n${first},Ngozi`);
  await ada.submits();
  await ada.seesModal('Upload review');
  const upload = later(ada);

  await ada.types('/contacts', `add ${first}`);
  await ada.seesModal('New contact');
  const add = later(ada);

  await ada.types('/dnd-check', first);
  await ada.sees('on Do-Not-Disturb');
  await ada.types('/number', first);
  await ada.sees('Route to use');

  // The thread of a number is everyone's who may send; what is written in it is the writer's own.
  await switchesOnReplies({ ...testApp, connect: async () => {} });
  await provider.receive({ from: '2348051234599', to: '55019', text: 'Are they ripe?' });
  await ada.sees(/Message from/);
  await ada.presses('Reply');
  await ada.seesModal('Reply');
  await ada.fills('Message', `${text} now`);
  await ada.submits();
  await ada.seesModal('Message review', `${text} now`);
  const sendReply = later(ada);

  await ada.types('/sms', `${first} ${text} again`);
  const typed = await ada.sees('Your message is ready');
  const sendTyped = slack.later({
    do: 'action',
    person: ada.id,
    container: { type: 'message', channel: typed.channel, ts: typed.ts },
    blockId: 'review',
    actionId: 'sms_send',
  });
  await review(ada, { to: first, text: `${text} at last` });
  await ada.seesModal('Message review');
  const sendReview = later(ada);

  await compose(ada, { pasted: recipients(3).join(' '), text, name: 'Great harvest' });
  await start(ada);
  await ada.seesModal('Approval', 'Waiting for approval');
  await ada.sees(/Great harvest[\s\S]*Withdraw/);
  await ada.closes();
  await compose(ada, { pasted: `${first} +2348051234520`, text, name: 'Weekly harvest' });
  await ada.seesModal('Campaign review');
  await ada.presses('Split by Do-Not-Disturb');
  await ada.seesModal('Campaign split');
  await ada.presses('Review');
  await ada.seesModal('Campaign review');
  await ada.fills('Start', 'Repeat');
  await ada.fills('Date', '2100-01-01');
  await ada.fills('Until', '2100-02-01');
  await ada.submits();
  await ada.seesModal('Scheduled');
  await ada.types('/sms', 'bulk list');
  await ada.seesModal('Campaigns', 'Weekly harvest');
  await ada.presses('Open');
  await ada.seesModal('Campaign', 'Repeats every week');
  await ada.presses('Skip next run');
  await ada.seesModal('Skip next run');
  await ada.submits();
  await ada.seesModal('Campaign', 'Repeats every week');
  await ada.presses('Stop repeating');
  await ada.seesModal('Stop repeating');
  await ada.submits();
  await ada.seesModal('Campaign', 'Stopped repeating');
  await compose(ada, {
    file: `phone,other\n${first},${first}\n+2348051234510,${first}`,
    text,
    name: 'Second harvest',
  });
  await ada.seesModal('Campaign review');
  await ada.presses('Edit');
  await ada.seesModal('New campaign');
  await ada.submits();
  await ada.presses('Confirm');
  await ada.presses('Send a test to myself');
  await ada.seesModal('Test message');
  await ada.fills('Your phone number', first);
  const sendTest = later(ada);
  await compose(ada, { pasted: first, text, name: 'Third harvest' });
  await ada.seesModal('Campaign review');
  await ada.fills('Start', 'Schedule');
  await ada.fills('Date', '2100-01-01');
  await ada.submits();
  await ada.seesModal('Scheduled');
  await ada.types('/sms', 'bulk list');
  await ada.seesModal('Campaigns');
  await ada.presses('Open');
  await ada.seesModal('Campaign', 'Scheduled');
  await ada.presses('Change time');
  await ada.seesModal('Start time');
  await ada.submits();
  await ada.seesModal('Campaign', 'Scheduled');
  await ada.presses('Edit');
  await ada.seesModal('Edit campaign');
  await ada.submits();
  await ada.seesModal('New campaign', '1 recipient of Third harvest');
  await ada.submits();
  await ada.seesModal('Campaign review');
  await ada.presses('Discard');
  await ada.seesModal('Discard campaign');
  await ada.submits();
  await ada.seesModal('Campaigns');
  await ada.types('/sms', 'history +2348031234567');
  await ada.seesModal('History');
  await ada.seesHome('Great harvest');
  return {
    message: { channel, ts, blockId: 'campaign_actions', actionId: campaignActions.followUp },
    steps: { sendCode, order, upload, add, sendTyped, sendReply, sendReview, sendTest },
  };
}

/** Returns an attempt at each of these listeners, with ids in its value and in the metadata of its view. */
function atEach(listeners: readonly Listener[], recorded: readonly Attempt[], named: Named): Attempt[] {
  const views = recorded.flatMap(({ view }) => (view === undefined || view.metadata === '' ? [] : [view]));
  const remembered = Object.assign({}, ...views.map(({ metadata }) => JSON.parse(metadata)), {
    id: named.campaign,
    key: named.operation,
    draftId: named.operation,
  });
  const view = {
    metadata: JSON.stringify(remembered),
    values: Object.assign({}, ...views.map(({ values }) => values)),
  };
  return listeners.flatMap(({ kind, name }): Attempt[] =>
    // Typed text, which a button may run, and message text carry no ids.
    kind === 'command' || kind === 'shortcut' || kind === 'home' || kind === 'tool' || name.startsWith('run_')
      ? []
      : [{ kind, name, value: named.campaign, view }],
  );
}

/** Returns attempts to open pages of the history that begin after given entries, and the entries themselves. */
function inHistory({ operation, campaign }: Named): Attempt[] {
  const position = { after: '', by: [] };
  const metadata = JSON.stringify({ form: { number: '' }, filter: {}, position });
  const view = { metadata, values: {} };
  const cursors = [JSON.stringify([operation, null, null]), JSON.stringify([null, campaign, null])];
  const entries = [`operation:${operation}`, `campaign:${campaign}`];
  return [
    ...cursors.flatMap((after): Attempt[] => {
      const value = JSON.stringify({ after, by: [''] });
      return [
        { kind: 'action', name: 'history.next', value, view },
        { kind: 'action', name: 'history.previous', value, view },
      ];
    }),
    ...entries.flatMap((value): Attempt[] => [
      { kind: 'action', name: openActions.historyEntry, value, view },
    ]),
  ];
}

interface Named {
  campaign: string;
  operation: string;
}

it('another user’s id is answered like an unknown id at every listener, and changes nothing of theirs', async (test) => {
  const testApp = await startTestApp(test, {
    patience: 30_000,
    timers: patientTimers,
    env: replyEnv,
    // It does more in a minute than people do.
    limits: { numbers: unlimited('messages', 'codes', 'lookups', 'purchases') },
  });
  const { ada, guy, grace, slack, provider, app } = testApp;
  slack.setRole(guy.id, 'member');
  await addPhonebook(testApp);
  await startFrom(grace, 'PalmMarket');
  await grace.closes();
  await switchOnApprovals(grace, { recipients: '2', channel: support });
  await send(guy, { to: first, text: 'Hello' });
  await guy.seesModal('Message sent');
  const notes = noteAll(testApp, ada);
  const { message, steps } = await createWorkOfAda(testApp);
  const recorded = notes();
  const { services } = app();
  const kept = async () => ({
    operations: await services.operations.recent(workspaceId, ada.id, 100),
    campaigns: await services.campaigns.listRecent({ workspaceId, userId: ada.id, limit: 100 }),
    approvals: await services.approvals.waiting({ workspaceId }),
  });
  const before = await kept();
  const [campaign] = before.campaigns;
  const [operation] = before.operations;
  assert.ok(campaign?.state === 'ready' && operation && before.approvals.length === 1);

  // What is refused for want of a role asks for no ids.
  const guys = permissionsOf(['sender', 'buyer']);
  const listeners = everyListener(app()).filter(({ rule }) => typeof rule !== 'string' || guys.has(rule));
  const names = new Set(listeners.map(({ kind, name }) => `${kind} ${name}`));
  const withOwnIds = withIds(recorded, 1).filter(({ kind, name }) => names.has(`${kind} ${name}`));
  for (const name of idListeners) {
    assert.ok(
      withOwnIds.some((attempt) => attempt.name === name),
      `Ada used ${name}`,
    );
  }
  const tried = new Set(withOwnIds.map(({ kind, name }) => `${kind} ${name}`));
  const withoutOwnIds = listeners.filter(({ kind, name }) => !tried.has(`${kind} ${name}`));
  const tries = await intruder(test, testApp, guy, message);
  const withUnknown = unknownIds();
  for (const attempt of [
    ...withOwnIds,
    ...atEach(sampled(withoutOwnIds), recorded, { campaign: campaign.id, operation: operation.key }),
    ...inHistory({ operation: operation.id, campaign: campaign.id }),
  ]) {
    const unknown = await tries(withUnknown(attempt));
    const foreign = await tries(attempt);
    const { kind, name, value, view } = attempt;
    const what = `${kind} ${name} with ${value} and ${view?.metadata}`;
    assert.equal(normalised(foreign.answer), normalised(unknown.answer), what);
    assert.deepEqual(foreign.asked, unknown.asked, what);
  }
  assert.deepEqual(await kept(), before);

  // Ada can still complete everything she began.
  for (const [name, step] of Object.entries(steps)) {
    const asked = provider.arrivals.length;
    await step();
    await app().settled();
    const done = provider.arrivals.slice(asked).filter(({ operation }) => writes.has(operation ?? ''));
    const limits = await services.limits.reachedNow(workspaceId, 9);
    assert.equal(done.length, 1, `${name} ${JSON.stringify(limits)}`);
  }
  await ada.types('/sms', 'bulk list');
  await ada.seesModal('Campaigns');
  await ada.presses('Open');
  await ada.seesModal('Campaign review');
  await ada.presses('Edit');
  await ada.seesModal('New campaign', text);
  const sent = provider.record.length;
  await ada.submits();
  await start(ada);
  await ada.seesModal('Started');
  await eventually(() => provider.record.length > sent, 'the second harvest');
});

const writes = new Set([
  'messages.send',
  'tokens.call',
  'esims.create',
  'phonebooks.upload',
  'phonebooks.addContact',
]);

/** The listeners that find something of a user's own by its id: the test must have tried each of them. */
const idListeners = [
  'campaign_form',
  'campaign_review',
  'campaign_edit',
  'campaign_reading',
  'contacts_reading',
  'campaign_check_dnd',
  'campaign_test',
  'campaign_send_test',
  'campaign_open',
  'campaign_file_invalid',
  'campaign_change_time',
  'campaign_edit_scheduled',
  'campaign_discard',
  'campaign_skip_next',
  'campaign_split_dnd',
  'campaign_change_sender',
  'campaign_sender',
  'campaign_confirm',
  'campaign_follow_up',
  'campaign_follow_up_form',
  'campaign_download',
  'campaign_duplicate',
  'reply_form',
  'sms_compose',
  'sms_review',
  'sms_send',
  'sms_edit',
  'sms_cancel',
  'otp_send',
  'otp_verify',
  'otp_send_another',
  'otp_call_instead',
  'esim_confirm',
  'esim_status',
  'esim_qr_image',
  'contacts_review',
  'contact_add',
  'sms_same_recipients',
  'sms_do_not_contact',
  'approval_open',
  'approval_withdraw',
];
