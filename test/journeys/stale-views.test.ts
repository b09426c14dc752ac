import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { shownDay } from '../../src/domain/time/shown-time.ts';
import {
  neither,
  ofTheirForm,
  provedElsewhere,
  starting,
  stopping,
} from '../support/app/listener-effects.ts';
import { everyListener } from '../support/app/registered-listeners.ts';
import { joinTestApp } from '../support/app/shared-app.ts';
import type { TestWorkspace } from '../support/app/test-workspace.ts';
import { asSeen } from '../support/campaign-harness.ts';
import { compose, personal, provided, recipients, start } from '../support/campaigns.ts';
import { switchOnApprovals } from '../support/slack/approval-steps.ts';
import { findLocalPlans } from '../support/slack/esim-steps.ts';
import { messageButtons, pressed } from '../support/slack/message-buttons.ts';
import { type SlackUser, wordsOf } from '../support/slack/slack-user.ts';
import { review, startFrom } from '../support/slack/sms-steps.ts';
import { writesOf } from '../support/slack/tool-calls.ts';

/** Replaces Ada's draft, as if she edited it in another window. */
async function editsElsewhere(
  { app, ada, teamId }: TestWorkspace,
  { numbers, text = 'Our shop opens at nine' }: { numbers: readonly string[]; text?: string },
): Promise<void> {
  const { campaigns } = app().services;
  const query = { workspaceId: teamId, states: ['ready'] as const, limit: 1 };
  const [draft = assert.fail('no draft')] = await campaigns.listRecent(query);
  const changed = await campaigns.importRecipients({
    workspaceId: teamId,
    userId: ada.id,
    id: draft.id,
    shownVersion: draft.version,
    source: { kind: 'pasted', text: numbers.join(' ') },
    form: { text, route: draft.route, senderId: draft.senderId, name: draft.name },
  });
  assert.equal(changed.kind, 'ready');
}

/** Schedules a campaign for the day after tomorrow, and opens it. */
async function schedules(user: SlackUser): Promise<void> {
  await compose(user, { pasted: recipients(2).join(' '), name: 'Opening' });
  await user.seesModal('Campaign review');
  await user.fills('Start', 'Schedule');
  await user.fills('Date', new Date(Date.now() + 2 * 24 * 60 * 60_000).toISOString().slice(0, 10));
  await user.submits();
  await user.seesModal('Scheduled');
  await user.closes();
  await user.types('/sms', 'bulk list');
  await user.seesModal('Campaigns');
  await user.presses('Open');
  await user.seesModal('Campaign', 'Scheduled for');
}

/** Moves the start of the campaign, as an admin would. */
async function movesElsewhere({ app, ada, teamId }: TestWorkspace): Promise<void> {
  const { campaigns } = app().services;
  const query = { workspaceId: teamId, states: ['scheduled'] as const, limit: 1 };
  const [{ id } = assert.fail('none is scheduled')] = await campaigns.listRecent(query);
  const at = { time: new Date(Date.now() + 3 * 24 * 60 * 60_000), zone: 'Africa/Lagos' };
  const user = { workspaceId: teamId, userId: ada.id, isAdmin: false };
  const request = await asSeen(campaigns, { ...user, id, at });
  assert.equal((await campaigns.changeTime(request)).kind, 'done');
}

/** Changes the text of Ada's message draft, as if she edited it in another window. */
async function editsMessage({ app, ada, teamId }: TestWorkspace, ref: string): Promise<void> {
  const { draftId } = z.object({ draftId: z.string() }).parse(JSON.parse(ref));
  const { messages } = app().services;
  const { draft } = await messages.find(teamId, draftId, ada.id);
  assert.ok(draft);
  await messages.save(teamId, draftId, ada.id, { ...draft.content, text: 'We open at ten' });
}

const metadataOf = ({ ada }: TestWorkspace) =>
  z.string().parse(ada.modal()?.view.private_metadata ?? assert.fail('no modal'));

/** The value of the newest review's *Send* button. */
const reviewOf = ({ ada }: TestWorkspace) =>
  messageButtons(ada).findLast(({ actionId }) => actionId === 'sms_send')?.value ?? assert.fail('no review');

const numbers = [...recipients(2), '+2348050000007', '+2348031234567'];

async function reviewsCampaign(app: TestWorkspace): Promise<void> {
  await compose(app.ada, { pasted: numbers.join(' '), route: 'Promotional (generic)', name: 'Opening' });
  await app.ada.seesModal('Campaign review');
}

const editsCampaign = (app: TestWorkspace) => editsElsewhere(app, { numbers, text: 'We open at ten' });

/** Asks an approver for a campaign. */
async function asksForApproval({ ada, grace, channels }: TestWorkspace): Promise<void> {
  await switchOnApprovals(grace, { recipients: '1', channel: channels.support });
  await compose(ada, { pasted: recipients(2).join(' '), name: 'Opening' });
  await ada.seesModal('Campaign review');
  await ada.submits();
  await ada.seesModal('Approval', /Waiting for approval/);
  await ada.closes();
  await grace.sees('asks for approval');
}

/** Opens a view, changes its data elsewhere, and uses the view. Asserts what the person then sees. */
type Scene = (app: TestWorkspace) => Promise<unknown>;

const changed = /since you last looked/;

const startingScenes: Readonly<Record<(typeof starting)[number], Scene>> = {
  async 'submission sms_review'(app) {
    await review(app.ada, { to: '+2348031234567', text: 'We open at nine' });
    await app.ada.seesModal('Message review');
    await editsMessage(app, metadataOf(app));
    await app.ada.submits();
    await app.ada.seesModal('Message review', /Nothing was sent[\s\S]*We open at ten/);
  },
  async 'action sms_send'(app) {
    await startFrom(app.grace, 'PalmMarket');
    await app.ada.types('/sms', '+2348031234567 We open at nine');
    await app.ada.sees('Your message is ready');
    await editsMessage(app, reviewOf(app));
    await app.ada.presses('Send');
    await app.ada.sees(/Nothing was sent[\s\S]*We open at ten/);
  },
  async 'submission campaign_review'(app) {
    await reviewsCampaign(app);
    // Another list of the same length.
    await editsElsewhere(app, { numbers: [...numbers.slice(1), '+2348051234567'] });
    await app.ada.submits();
    await app.ada.seesModal('Campaign review', /New recipients since you last looked.* Nothing was sent/);
  },
  async 'action campaign_split_dnd'(app) {
    await reviewsCampaign(app);
    await editsCampaign(app);
    await app.ada.presses('Split by Do-Not-Disturb');
    await app.ada.seesModal('Campaign review', /New text since you last looked[\s\S]*We open at ten/);
  },
  async 'submission campaign_send_test'(app) {
    await reviewsCampaign(app);
    await editsElsewhere(app, { numbers, text: 'We open at eleven' });
    await app.ada.presses('Send a test to myself');
    await app.ada.seesModal('Campaign review', changed);
    await app.ada.presses('Send a test to myself');
    await app.ada.fills('Your phone number', '+2348051234568');
    await editsCampaign(app);
    await app.ada.submits();
    await app.ada.seesModal('Error', changed);
  },
  async 'submission campaign_confirm'(app) {
    await schedules(app.ada);
    await movesElsewhere(app);
    await app.ada.presses('Start now');
    await app.ada.seesModal('Start now', 'New start time since you last looked.');
    await movesElsewhere(app);
    await app.ada.submits();
    await app.ada.seesModal('Campaign', 'New start time since you last looked.');
  },
  async 'submission campaign_change_time'(app) {
    await schedules(app.ada);
    await movesElsewhere(app);
    await app.ada.presses('Change time');
    await app.ada.seesModal('Start time', 'New start time since you last looked.');
    await movesElsewhere(app);
    await app.ada.submits();
    await app.ada.seesModal('Start time', 'New start time since you last looked.');
  },
  async 'submission campaign_sender'(app) {
    const { ada, provider, teamId } = app;
    const fault = { kind: 'status', status: 400, message: 'Invalid Sender Id' } as const;
    provider.orderFault({ path: '/api/sms/send/bulk', fault });
    await compose(ada, { pasted: recipients(3).join(' ') });
    await start(ada);
    await ada.sees(/\*Paused:\* 3 recipients/);
    await ada.closes();
    await ada.presses('Change sender ID');
    await ada.seesModal('Sender ID');
    await ada.fills('Sender ID', 'PalmCare');
    const { campaigns } = app.app().services;
    const [{ id } = assert.fail('none')] = await campaigns.listRecent({ workspaceId: teamId, limit: 1 });
    const own = { workspaceId: teamId, userId: ada.id, isAdmin: false, id };
    const change = await campaigns.changeSender({ ...(await asSeen(campaigns, own)), sender: 'PalmBasket' });
    assert.equal(change.kind, 'done');
    await ada.submits();
    await ada.seesModal(/.*/, changed);
  },
  async 'submission esim_confirm'(app) {
    await findLocalPlans(app.ada, 'Kenya');
    await app.ada.presses('Create');
    await app.ada.seesModal('New eSIM', /costs \*₦1,800\*/);
    app.provider.orderFault({
      operation: 'esims.plans',
      fault: {
        kind: 'reshape',
        body: (answer) => JSON.parse(JSON.stringify(answer).replaceAll('1800', '18000')),
      },
    });
    await app.ada.submits();
    await app.ada.seesModal('New eSIM', /Nothing was bought[\s\S]*The price is now \*₦18,000\*/);
  },
  async 'action approval_approve'(app) {
    const { grace, slack } = app;
    await asksForApproval(app);
    const button = messageButtons(grace).findLast(({ actionId }) => actionId === 'approval_approve');
    const approves = await slack.later(pressed(button ?? assert.fail('nothing to approve'), grace));
    await editsElsewhere(app, { numbers: recipients(2), text: 'We open at ten' });
    await approves();
    await grace.sees(/No longer valid[\s\S]*Nothing was started/);
    await app.app().settled();
  },
};

/** Like the scenes above, but the action works even though the view is old. */
const stoppingScenes: Readonly<Record<(typeof stopping)[number], Scene>> = {
  async 'action sms_cancel'(app) {
    await startFrom(app.grace, 'PalmMarket');
    await app.ada.types('/sms', '+2348031234567 We open at nine');
    await app.ada.sees('Your message is ready');
    await editsMessage(app, reviewOf(app));
    await app.ada.presses('Cancel');
    await app.ada.sees('Cancelled. Nothing was sent.');
  },
  async 'closed sms_review'(app) {
    await review(app.ada, { to: '+2348031234567', text: 'We open at nine' });
    await app.ada.seesModal('Message review');
    const ref = metadataOf(app);
    await editsMessage(app, ref);
    await app.ada.closes();
    await app.app().settled();
    const { draftId } = z.object({ draftId: z.string() }).parse(JSON.parse(ref));
    const { cancelled } = await app.app().services.messages.find(app.teamId, draftId, app.ada.id);
    assert.equal(cancelled, true);
  },
  async 'action campaign_pause'(app) {
    const { ada, teamId } = app;
    await compose(ada, { file: personal(recipients(500)), text: 'Hello {{name}}' });
    await start(ada);
    await ada.sees('*Sending:*');
    await ada.closes();
    // It has continued since the message was posted.
    await provided(app.provider, 3);
    await ada.presses('Pause');
    await ada.sees('*Paused');
    const query = { workspaceId: teamId, states: ['paused'] as const, limit: 1 };
    const [paused] = await app.app().services.campaigns.listRecent(query);
    assert.ok(paused);
  },
  async 'action campaign_cancel'(app) {
    await schedules(app.ada);
    await movesElsewhere(app);
    await app.ada.presses('Cancel campaign');
    await app.ada.seesModal('Cancel campaign');
    await movesElsewhere(app);
    await app.ada.submits();
    await app.ada.seesModal('Campaign', 'Cancelled');
  },
  async 'action campaign_discard'(app) {
    await reviewsCampaign(app);
    await editsCampaign(app);
    await app.ada.presses('Discard');
    await app.ada.seesModal('Discard campaign');
    await editsElsewhere(app, { numbers, text: 'We open at eleven' });
    await app.ada.submits();
    const { view } = await app.ada.seesModal('Campaigns');
    assert.doesNotMatch(wordsOf(view), /Draft/);
  },
  async 'action campaign_skip_next'(app) {
    const { ada } = app;
    await compose(ada, { pasted: recipients(2).join(' '), name: 'Opening' });
    await ada.seesModal('Campaign review');
    await ada.fills('Start', 'Repeat');
    await ada.fills('Date', dateIn(3));
    await ada.fills('Until', dateIn(60));
    await ada.submits();
    await ada.seesModal(/Scheduled|Campaign/, /Repeats every week/);
    await ada.closes();
    await ada.presses('Skip next run');
    await ada.seesModal('Skip next run');
    await ada.submits();
    await ada.seesModal('Campaign', new RegExp(`Repeats every week[\\s\\S]*${shownDay(inDays(10))}`));
  },
  async 'action approval_reject'(app) {
    const { grace, slack } = app;
    await asksForApproval(app);
    const button = messageButtons(grace).findLast(({ actionId }) => actionId === 'approval_reject');
    const rejects = await slack.later(pressed(button ?? assert.fail('nothing to reject'), grace));
    await editsElsewhere(app, { numbers: recipients(2), text: 'We open at ten' });
    await rejects();
    await grace.sees(/No longer valid/);
  },
  async 'submission approval_reject_reason'(app) {
    await asksForApproval(app);
    await app.grace.presses('Reject');
    await app.grace.fills('Reason', 'As agreed');
    await app.grace.submits();
    await app.ada.sees(/Rejected/);
  },
  async 'action approval_withdraw'(app) {
    await asksForApproval(app);
    await app.ada.presses('Withdraw');
    await app.grace.sees(/Withdrawn by/);
  },
};

const inDays = (days: number) => new Date(Date.now() + days * 24 * 60 * 60_000);
const dateIn = (days: number) => inDays(days).toISOString().slice(0, 10);

/** What may be sent before a scene stops it. */
const sendsFirst: readonly string[] = ['action campaign_pause', 'submission campaign_sender'];

describe('a stale view', () => {
  it('is thought through for every listener: it starts to send or spend, it stops that, or does neither', async (test) => {
    const { app } = await joinTestApp(test);
    const known = [...starting, ...stopping, ...Object.keys(provedElsewhere), ...ofTheirForm, ...neither];
    const registered = everyListener(app()).map(({ kind, name }) => `${kind} ${name}`);
    assert.deepEqual(known.toSorted(), registered.sort());
  });

  for (const [what, scenes] of [
    ['starts nothing', startingScenes],
    ['stops all the same', stoppingScenes],
  ] as const) {
    for (const [name, scene] of Object.entries(scenes)) {
      it(`${what}: ${name}`, async (test) => {
        const app = await joinTestApp(test);
        await app.connect();
        await scene(app);
        assert.ok(sendsFirst.includes(name) || writesOf(app).length === 0, writesOf(app).join());
      });
    }
  }
});

describe('the form of a draft that was edited in another window', () => {
  it('does not replace it, and says where to look; submitted twice, it replaces its own', async (test) => {
    const { ada, slack, connect, app, teamId } = await joinTestApp(test);
    await connect();
    const textOfDraft = async () => {
      const { campaigns } = app().services;
      const drafts = await campaigns.listRecent({ workspaceId: teamId, states: ['ready'], limit: 9 });
      return Promise.all(
        drafts.map(async ({ id }) => (await campaigns.review(teamId, id, ada.id)).campaign.text),
      );
    };
    const editInThisWindow = async (text: string) => {
      await ada.types('/sms', 'bulk list');
      await ada.seesModal('Campaigns', 'Draft');
      await ada.presses('Open');
      await ada.seesModal('Campaign review');
      await ada.presses('Edit');
      await ada.seesModal('New campaign');
      await ada.fills('Message', text);
      const viewId = ada.modal()?.id ?? assert.fail('no form');
      return slack.later({ do: 'submit', person: ada.id, viewId });
    };
    await compose(ada, { pasted: recipients(2).join(' '), name: 'Opening' });
    await ada.seesModal('Campaign review');
    await ada.closes();
    const submitFirst = await editInThisWindow('We open at ten');
    while (ada.modal() !== undefined) {
      await ada.closes();
    }
    const submitSecond = await editInThisWindow('We open at eleven');
    await submitSecond();
    await ada.seesModal('Campaign review', 'We open at eleven');
    const { answer } = await submitFirst();
    assert.match(JSON.stringify(answer), /"errors".*This draft has changed since you opened the form/);
    assert.deepEqual(await textOfDraft(), ['We open at eleven']);
    const again = await submitSecond();
    assert.doesNotMatch(JSON.stringify(again.answer), /"errors"/);
    assert.deepEqual(await textOfDraft(), ['We open at eleven']);
    await ada.presses('Edit');
    await ada.seesModal('New campaign', 'We open at eleven');
    await ada.fills('Message', 'We open at noon');
    await ada.submits();
    await ada.seesModal('Campaign review', 'We open at noon');
  });
});
