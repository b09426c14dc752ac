import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { type Change, type Seen, seenSchema } from '../../../../domain/limits/seen.ts';
import { clockIn, nextFullHour, readStart } from '../../../../domain/time/start-time.ts';
import {
  isStartedAnew,
  isStillApproved,
  resumesAt,
} from '../../../../services/campaigns/approval/campaign-start.ts';
import type { SteeringResult } from '../../../../services/campaigns/steering.ts';
import { isHeld } from '../../../../store/campaigns/campaign-moves.ts';
import type { Campaign, ShownCampaign } from '../../../../store/campaigns/campaigns.ts';
import { context as contextBlock, modal, option, present, section } from '../../../block-kit/build.ts';
import { startWithLagos, wordFor } from '../../../block-kit/descriptions/campaign-counts.ts';
import { changesBlock, describeNewVersion } from '../../../block-kit/descriptions/changes.ts';
import { approvalBlocks, askForApproval } from '../../../block-kit/descriptions/needs-approval.ts';
import { pluralize } from '../../../block-kit/plural.ts';
import { joinWords, mrkdwn } from '../../../block-kit/text.ts';
import { radioField } from '../../../kit/fields.ts';
import { defineForm } from '../../../kit/form.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { UserError } from '../../../middleware/errors.ts';
import { addToRefusal } from '../../../middleware/explain-refusal.ts';
import { answerWhenReady } from '../../../middleware/forms/answer-when-ready.ts';
import type {
  ActionRequest,
  SubmissionRequest,
  SubmissionResponse,
  User,
} from '../../../middleware/requests.ts';
import type { Router } from '../../../middleware/router/router.ts';
import { campaignActions, campaignUser, readShown, shownSchema } from '../actions.ts';
import {
  maxDelayInput,
  maxDelayOf,
  readStartForm,
  type StartForm,
  timeInputs,
  writeMaxDelay,
} from '../review/start-form.ts';
import { alreadyChanged, startingView } from './campaign-state.ts';
import { findCampaign, steeredView } from './campaign-status.ts';
import { defineSenderForm } from './change-sender.ts';
import {
  type ConfirmedStep,
  changeSince,
  defineConfirmation,
  findInState,
  type ShowConfirmation,
  takeStep,
} from './confirm-step.ts';

/** What changes a campaign: *Pause*, *Resume*, *Cancel campaign*, *Start now*, *Edit*, *Discard* and its time. */
export function registerSteering(router: Router, context: AppContext): void {
  const { campaigns } = context.services;
  const confirmation = defineConfirmation(context);
  confirmation.register(router);
  const runsForm = defineRunsForm(context, confirmation.view);
  runsForm.register(router);
  const confirm = async ({ user, value: id, show }: ActionRequest, step: ConfirmedStep) => {
    await show(await confirmation.view(user, { id, step, seen: {} }));
  };

  /** Shows the campaign, and what has changed since the button was shown. */
  const confirmStart = async ({ user, value, show }: ActionRequest, step: 'startNow' | 'resume') => {
    const { id, version: shownVersion } = readShown(value);
    const campaign = await findInState(context, user, id, step);
    const { version } = campaign;
    const seen = await factsOf(context, campaign, step);
    await show(await confirmation.view(user, { id, step, version, shownVersion, seen }));
  };

  for (const step of ['cancel', 'discard'] as const) {
    router.action(campaignActions[step], 'campaign', (call) => confirm(call, step));
  }
  router.action(campaignActions.startNow, 'campaign', (call) => confirmStart(call, 'startNow'));

  router.action(campaignActions.skipNext, 'campaign', async ({ user, value: id, show }) => {
    const at = await campaigns.nextRun(await findInState(context, user, id, 'skipNext'));
    await show(await confirmation.view(user, { id, step: 'skipNext', at: at?.toISOString(), seen: {} }));
  });

  router.action(campaignActions.edit, 'campaign', async (call) => {
    const { user, value: id, requestId } = call;
    const campaign = await findInState(context, user, id, 'edit');
    if (campaign.createdBy !== user.userId) {
      throw new UserError(mrkdwn`Only its creator can edit this ${wordFor(campaign)}.`);
    }
    // One that missed its time no longer waits for it: nothing is lost by editing it.
    await (campaign.state === 'missed'
      ? call.show(await takeStep(context, user, { id, step: 'edit', seen: {} }, requestId, confirmation.view))
      : confirm(call, 'edit'));
  });

  router.action(campaignActions.resume, 'campaign', async (call) => {
    const { user } = call;
    const { id, version } = readShown(call.value);
    const campaign = await findInState(context, user, id, 'resume');
    const repeating = (await campaigns.heldRepeatingOf(campaign)) ?? campaign;
    const latest = (await campaigns.heldRuns(repeating)).at(-1)?.at.toISOString();
    if (latest !== undefined) {
      // The button of a run opens the run.
      const isShown = repeating.sequence === campaign.sequence;
      const shown = { version: repeating.version, shownVersion: isShown ? version : undefined };
      await call.show(await runsForm.view(user, { id: repeating.id, latest, ...shown }));
      return;
    }
    if ((isHeld(campaign) && campaign.repeat === undefined) || campaign.pause?.isEdited === true) {
      await confirmStart(call, 'resume');
      return;
    }
    // The button showed nothing else, so facts that need attention are shown first.
    const result = await campaigns.resume({ ...campaignUser(user), id, version, seen: {} });
    if (result.kind === 'not_as_shown') {
      const { seen, changes } = result;
      await call.show(
        await confirmation.view(user, { id, step: 'resume', version, seen, changes: [...changes] }),
      );
    } else {
      await showSteered(context, call, result);
    }
  });

  const senderForm = defineSenderForm(context, async (user, { id, version }) => {
    const campaign = await findInState(context, user, id, 'resume');
    const seen = await factsOf(context, campaign, 'resume');
    return confirmation.view(user, { id, step: 'resume', version, seen });
  });
  senderForm.register(router);
  router.action(campaignActions.changeSender, 'campaign', async ({ user, value, show }) => {
    await show(await senderForm.view(user, readShown(value)));
  });
  router.action(campaignActions.leaveOut, 'campaign', async (call) => {
    const request = { ...campaignUser(call.user), id: call.value };
    await showSteered(context, call, await campaigns.leaveOutCountries(request));
  });

  router.action(campaignActions.pause, 'campaign', async (call) => {
    await showSteered(context, call, await campaigns.pause({ ...campaignUser(call.user), id: call.value }));
  });

  router.action(campaignActions.changeTime, 'campaign', async ({ user, value, show }) => {
    await show(await changeTimeView(context, user, readShown(value)));
  });
  router.submission(changeTimeCallback, 'campaign', (call) => changeTime(context, call));
}

/** Shows a steered campaign in the modal whose button was pressed. The message in its channel is updated apart from that. */
async function showSteered(
  context: AppContext,
  { user, view }: ActionRequest,
  result: SteeringResult,
): Promise<void> {
  const shown = await steeredView(context, user, result);
  if (view !== undefined) {
    await view.replace(shown);
  } else if (result.kind === 'too_late') {
    throw new UserError(alreadyChanged);
  } else if (result.kind === 'changed') {
    throw new UserError(describeNewVersion(result.shownVersion, result.campaign));
  }
}

/** Returns the current facts about a campaign that the step would start, for its confirmation. */
async function factsOf(
  { services, time }: AppContext,
  campaign: Campaign,
  step: 'startNow' | 'resume',
): Promise<Seen> {
  const now = time.now();
  const at = step === 'resume' ? resumesAt(campaign, now) : now;
  const { approval, ...facts } = await services.campaigns.approvals.factsAt(campaign, at);
  const needsApproval =
    step === 'startNow' || (isStartedAnew(campaign, now) && !isStillApproved(campaign, now));
  return needsApproval && approval !== undefined ? { ...facts, approval } : facts;
}

/** Asks what happened to a repeating campaign's runs whose fate was lost in a restore. */
function defineRunsForm(context: AppContext, confirm: ShowConfirmation) {
  const { campaigns } = context.services;
  return defineForm({
    id: 'campaign_runs',
    submit: 'Resume',
    close: 'Keep paused',
    needs: 'campaign',
    meta: z.object({
      ...{ id: z.string(), latest: z.iso.datetime() },
      /** See `confirmedSchema`. */
      ...{ version: z.string(), shownVersion: z.string().optional() },
    }),
    fields: {
      answer: radioField(
        'These runs',
        {
          sent: option('These runs were sent', 'sent', 'None of them is sent again'),
          latest: option('Send the latest', 'latest', 'Any earlier ones are marked as missed'),
        },
        { first: 'sent' },
      ),
    },
    async load(user, { id, version, shownVersion }) {
      const campaign = await findInState(context, user, id, 'resume');
      const changed = changeSince(shownVersion, version);
      return { campaign, held: await campaigns.heldRuns(campaign), changed };
    },
    title: ({ data: { campaign } }) =>
      campaign.repeat === undefined ? 'Resume campaign' : 'Resume repeating',
    above: ({ data: { campaign, held, changed } }) => [
      ...changed,
      section(
        mrkdwn`*${campaign.name}*\nSwitchboard’s data was restored from a backup, and doesn’t show whether ${held.length === 1 ? 'this run was' : 'these runs were'} sent. Check the provider’s dashboard.`,
      ),
      section(joinWords(held.map(({ at }) => mrkdwn`${startWithLagos(at, campaign.zone)}`))),
    ],
    below: () => [
      contextBlock(
        mrkdwn`A late run is sent only during the day, within its time limit, and if the next run is more than 12 hours away.`,
      ),
    ],
    async submitted({ user, meta: { id, latest, version }, form: { answer } }) {
      const runs = { answer, latest: new Date(latest) };
      const request = { ...campaignUser(user), id, version, seen: {}, runs };
      const result = await campaigns.resume(request).catch(addToRefusal('Nothing was sent.'));
      const view =
        result.kind === 'not_as_shown'
          ? await confirm(user, {
              id,
              step: 'resume',
              version,
              seen: result.seen,
              changes: [...result.changes],
            })
          : await steeredView(context, user, result);
      return { view };
    },
  });
}

const changeTimeCallback = 'campaign_change_time';
const changeTimeMetadata = shownSchema.extend({ seen: seenSchema });

/** *Change time* of a scheduled campaign, and *Schedule again* of one that missed its time. */
async function changeTimeView(
  context: AppContext,
  user: User,
  { id, version: shownVersion }: ShownCampaign,
  changed?: { at: Pick<StartForm, 'date' | 'time' | 'maxDelay'>; seen: Seen; changes: readonly Change[] },
): Promise<ModalView> {
  const campaign = await findCampaign(context, user, id);
  const { state, name, counts, startAt, version } = campaign;
  if (state !== 'scheduled' && state !== 'missed') {
    throw new UserError(alreadyChanged);
  }
  const approvalIn = await context.services.campaigns.approvals.channelFor(campaign);
  const [now, { zone }] = [context.time.now(), user];
  const at = clockIn(startAt !== undefined && startAt > now ? startAt : nextFullHour(now, zone), zone);
  const seen: Seen = changed?.seen ?? (approvalIn === undefined ? {} : { approval: 'needed' });
  const [title, submit] = state === 'missed' ? ['Schedule again', 'Schedule'] : ['Start time', 'Change time'];
  return modal({
    callbackId: changeTimeCallback,
    title,
    submit: approvalIn === undefined ? submit : askForApproval,
    close: 'Close',
    metadata: { id, version, seen } satisfies z.infer<typeof changeTimeMetadata>,
    blocks: [
      ...changeSince(shownVersion, version),
      ...present(changed && changesBlock(changed.changes)),
      section(mrkdwn`*${name}*\n${pluralize(counts.recipients, 'recipient')}`),
      ...timeInputs(changed?.at ?? at, zone),
      maxDelayInput(changed?.at.maxDelay ?? writeMaxDelay(campaign)),
      ...approvalBlocks(approvalIn, wordFor(campaign)),
    ],
  });
}

async function changeTime(
  context: AppContext,
  { user, values, metadata, beforeAckDeadline }: SubmissionRequest,
): Promise<SubmissionResponse> {
  const { zone } = user;
  const { id, version, seen } = changeTimeMetadata.parse(metadata);
  const form = readStartForm(values, undefined);
  const start = readStart({ date: form.date ?? '', time: form.time ?? '', zone }, context.time.now());
  if (!start.ok) {
    return { errors: { time: start.reason } };
  }
  const at = { time: start.at, zone };
  const maxDelayMs = maxDelayOf(form);
  const request = { ...campaignUser(user), id, version, seen, at, maxDelayMs };
  const changing = context.services.campaigns.changeTime(request).catch(addToRefusal('Nothing was sent.'));
  return answerWhenReady(
    changing.then(async (result) => ({
      view:
        result.kind === 'changed' || result.kind === 'not_as_shown'
          ? await changeTimeView(
              context,
              user,
              { id, version },
              result.kind === 'changed'
                ? undefined
                : { at: form, seen: result.seen, changes: result.changes },
            )
          : await steeredView(context, user, result),
    })),
    { beforeAckDeadline, loading: startingView },
  );
}
