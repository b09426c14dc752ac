import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { clockIn, nextFullHour, readStart } from '../../../../domain/time/start-time.ts';
import { isHeldPastStart } from '../../../../services/campaigns/approval/campaign-start.ts';
import type { SteeringResult } from '../../../../services/campaigns/steering.ts';
import { isHeld } from '../../../../store/campaigns/campaign-moves.ts';
import type { Campaign, CampaignState } from '../../../../store/campaigns/campaigns.ts';
import { modal, section } from '../../../block-kit/build.ts';
import { startWithLagos } from '../../../block-kit/descriptions/campaign-counts.ts';
import { formatCount, pluralize } from '../../../block-kit/plural.ts';
import { type Markup, mrkdwn, timeFor } from '../../../block-kit/text.ts';
import { defineForm } from '../../../kit/form.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { UserError } from '../../../middleware/errors.ts';
import { answerWhenReady } from '../../../middleware/forms/answer-when-ready.ts';
import type {
  ActionRequest,
  SubmissionRequest,
  SubmissionResponse,
  User,
} from '../../../middleware/requests.ts';
import type { Router } from '../../../middleware/router/router.ts';
import type { Viewer } from '../../../navigation/navigation.ts';
import { campaignActions, campaignUser } from '../actions.ts';
import { draftForm, restForm } from '../form/form.ts';
import {
  maxDelayInput,
  maxDelayOf,
  readStartForm,
  startFormOf,
  timeInputs,
  writeMaxDelay,
} from '../preview/start-form.ts';
import {
  alreadyChanged,
  approvalBlocks,
  askForApproval,
  notSentCount,
  startingView,
  stopRepeating,
} from './campaign-state.ts';
import { findCampaign, steeredView } from './campaign-status.ts';

/** What is confirmed before it is done. */
const steps = ['cancel', 'startNow', 'skipNext', 'edit', 'discard', 'resume', 'retryUnconfirmed'] as const;
type Step = (typeof steps)[number];

/** `at`: when the run starts that is skipped. */
const confirmedSchema = z.object({ id: z.string(), step: z.enum(steps), at: z.iso.datetime().optional() });

/** The states in which a step can be taken. */
const stepStates: Record<Step, readonly CampaignState[]> = {
  cancel: ['scheduled', 'repeating', 'running', 'paused'],
  startNow: ['scheduled', 'missed'],
  skipNext: ['repeating'],
  edit: ['scheduled', 'repeating', 'missed'],
  discard: ['ready', 'missed'],
  resume: ['paused'],
  retryUnconfirmed: ['done', 'cancelled'],
};

/** What changes a campaign: *Pause*, *Resume*, *Cancel campaign*, *Start now*, *Edit*, *Discard* and its time. */
export function registerSteering(router: Router, context: AppContext): void {
  const { campaigns } = context.services;
  const confirmation = defineConfirmation(context);
  confirmation.register(router);
  const confirm = async ({ user, value: id, show }: ActionRequest, step: Step) => {
    await show(await confirmation.view(user, { id, step }));
  };

  for (const step of ['cancel', 'startNow', 'discard', 'retryUnconfirmed'] as const) {
    router.action(campaignActions[step], 'campaign', (call) => confirm(call, step));
  }

  router.action(campaignActions.skipNext, 'campaign', async ({ user, value: id, show }) => {
    const at = await campaigns.nextRun(await findInState(context, user, id, 'skipNext'));
    await show(await confirmation.view(user, { id, step: 'skipNext', at: at?.toISOString() }));
  });

  router.action(campaignActions.edit, 'campaign', async (call) => {
    const { user, value: id, requestId } = call;
    const campaign = await findInState(context, user, id, 'edit');
    if (campaign.createdBy !== user.userId) {
      throw new UserError(mrkdwn`Only its creator can edit a campaign.`);
    }
    // One that missed its time no longer waits for it: nothing is lost by editing it.
    await (campaign.state === 'missed'
      ? call.show(await takeStep(context, user, { id, step: 'edit' }, requestId))
      : confirm(call, 'edit'));
  });

  router.action(campaignActions.resume, 'campaign', async (call) => {
    const { user, value: id } = call;
    await (isHeld(await findInState(context, user, id, 'resume'))
      ? confirm(call, 'resume')
      : showSteered(context, call, await campaigns.resume({ ...campaignUser(user), id })));
  });

  router.action(campaignActions.pause, 'campaign', async (call) => {
    await showSteered(context, call, await campaigns.pause({ ...campaignUser(call.user), id: call.value }));
  });

  router.action(campaignActions.changeTime, 'campaign', async ({ user, value: id, show }) => {
    await show(await changeTimeView(context, user, id));
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
  }
}

/** @throws UserError if the user may not steer the campaign, or the step cannot be taken now */
async function findInState(context: AppContext, user: Viewer, id: string, step: Step): Promise<Campaign> {
  const campaign = await findCampaign(context, user, id);
  if (!stepStates[step].includes(campaign.state)) {
    throw new UserError(alreadyChanged);
  }
  return campaign;
}

/**
 * Asks before a step, and says where it would need approval. A modal of its own rather than Slack's dialog, which asks
 * anybody: who may not take the step is refused first.
 */
function defineConfirmation(context: AppContext) {
  const { services, time } = context;
  return defineForm({
    id: 'campaign_confirm',
    needs: 'campaign',
    fields: {},
    meta: confirmedSchema,
    async load(user, { id, step, at }) {
      const campaign = await findInState(context, user, id, step);
      const isStart = step === 'startNow' || (step === 'resume' && isHeldPastStart(campaign, time.now()));
      const approvalIn = isStart ? await services.campaigns.approvals.channelFor(campaign) : undefined;
      return { name: campaign.name, ...confirmations[step](campaign, at), approvalIn };
    },
    title: ({ data }) => data.title,
    submit: ({ data: { submit, approvalIn } }) => (approvalIn === undefined ? submit : askForApproval),
    close: ({ data }) => data.close,
    above: ({ data: { name, text, approvalIn } }) => [
      section(mrkdwn`*${name}*\n${text}`),
      ...approvalBlocks(approvalIn),
    ],
    slow: { loading: startingView },
    submitted: async ({ user, meta, requestId }) => ({
      view: await takeStep(context, user, meta, requestId),
    }),
  });
}

/** Takes a step that was confirmed. Returns the view that follows. */
async function takeStep(
  context: AppContext,
  user: User,
  { id, step, at }: z.infer<typeof confirmedSchema>,
  requestId: string,
): Promise<ModalView> {
  const { campaigns } = context.services;
  const request = { ...campaignUser(user), id };
  switch (step) {
    case 'cancel':
    case 'startNow':
    case 'resume':
      return steeredView(context, user, await campaigns[step](request));
    case 'skipNext':
      if (at === undefined) {
        throw new UserError(alreadyChanged, { isFinal: true });
      }
      return steeredView(context, user, await campaigns.skip({ ...request, at: new Date(at) }));
    case 'retryUnconfirmed':
      return restForm(context, user, { id, which: 'unconfirmed' });
    case 'edit': {
      const campaign = await findCampaign(context, user, id);
      const start = startFormOf(campaign, user.zone);
      const result = await campaigns.unschedule(request);
      return result.kind === 'done'
        ? draftForm(context, user, { id, requestId, origin: campaign.channelId, start })
        : steeredView(context, user, result);
    }
    case 'discard':
      if (!(await campaigns.discard(request))) {
        throw new UserError(alreadyChanged, { isFinal: true });
      }
      return context.navigation.campaigns(user);
  }
}

interface Confirmation {
  title: string;
  text: Markup;
  submit: string;
  /** What pressing it leaves as it is. */
  close: string;
}

const confirmations: Record<Step, (campaign: Campaign, at: string | undefined) => Confirmation> = {
  skipNext: ({ counts, zone }, at) => ({
    title: 'Skip next run',
    text:
      at === undefined
        ? mrkdwn`There is no run to skip.`
        : mrkdwn`The run ${startWithLagos(new Date(at), zone)} to ${pluralize(counts.recipients, 'recipient')} is left out. Those after it stay.`,
    submit: 'Skip',
    close: 'Keep',
  }),
  cancel: (campaign) => ({
    title: campaign.repeat === undefined ? 'Cancel campaign' : stopRepeating,
    text:
      campaign.repeat !== undefined
        ? mrkdwn`No more runs are made. One that is scheduled already stays, until it is cancelled itself.`
        : campaign.startedAt === undefined && !isHeld(campaign)
          ? nothingSent(campaign)
          : mrkdwn`${pluralize(notSentCount(campaign), 'recipient')} won’t get it. This can’t be undone.`,
    submit: campaign.repeat === undefined ? 'Cancel campaign' : stopRepeating,
    close: campaign.state === 'running' ? 'Keep running' : 'Keep',
  }),
  startNow: ({ counts }) => ({
    title: 'Start now',
    text: mrkdwn`${pluralize(counts.recipients, 'recipient gets', 'recipients get')} it now.`,
    submit: `Send to ${formatCount(counts.recipients)}`,
    close: 'Back',
  }),
  edit: (campaign) => ({
    title: 'Edit campaign',
    text:
      campaign.repeat !== undefined
        ? mrkdwn`Editing makes it a draft. No more runs are made unless you schedule it again. One that is scheduled already stays.`
        : mrkdwn`${nothingSent(campaign)}\nEditing makes it a draft. It won’t start${campaign.startAt === undefined ? '' : mrkdwn` ${timeFor(campaign.startAt)}`} unless you schedule it again.`,
    submit: 'Edit',
    close: 'Keep scheduled',
  }),
  discard: (campaign) => ({
    title: 'Discard campaign',
    text: nothingSent(campaign),
    submit: 'Discard',
    close: 'Keep',
  }),
  resume: () => ({
    title: 'Resume campaign',
    text: mrkdwn`Some recipients may have got the message already, and would get it twice.`,
    submit: 'Resume',
    close: 'Keep paused',
  }),
  retryUnconfirmed: ({ counts }) => ({
    title: 'Resend',
    text: mrkdwn`${pluralize(counts.unconfirmed, 'recipient')} may have got the message already, and would get it twice. You see a preview before anything is sent.`,
    submit: 'Continue',
    close: 'Back',
  }),
};

function nothingSent({ counts }: Campaign): Markup {
  return mrkdwn`${pluralize(counts.recipients, 'recipient')}. Nothing has been sent yet.`;
}

const changeTimeCallback = 'campaign_change_time';
const changeTimeMetadata = z.object({ id: z.string() });

/** *Change time* of a scheduled campaign, and *Schedule again* of one that missed its time. */
async function changeTimeView(context: AppContext, user: User, id: string): Promise<ModalView> {
  const campaign = await findCampaign(context, user, id);
  const { state, name, counts, startAt } = campaign;
  if (state !== 'scheduled' && state !== 'missed') {
    throw new UserError(alreadyChanged);
  }
  const approvalIn = await context.services.campaigns.approvals.channelFor(campaign);
  const [now, { zone }] = [context.time.now(), user];
  const at = clockIn(startAt !== undefined && startAt > now ? startAt : nextFullHour(now, zone), zone);
  const [title, submit] = state === 'missed' ? ['Schedule again', 'Schedule'] : ['Start time', 'Change time'];
  return modal({
    callbackId: changeTimeCallback,
    title,
    submit: approvalIn === undefined ? submit : askForApproval,
    close: 'Back',
    metadata: { id } satisfies z.infer<typeof changeTimeMetadata>,
    blocks: [
      section(mrkdwn`*${name}*\n${pluralize(counts.recipients, 'recipient')}`),
      ...timeInputs(at, zone),
      maxDelayInput(writeMaxDelay(campaign)),
      ...approvalBlocks(approvalIn),
    ],
  });
}

async function changeTime(
  context: AppContext,
  { user, values, metadata, beforeAckDeadline }: SubmissionRequest,
): Promise<SubmissionResponse> {
  const { zone } = user;
  const { id } = changeTimeMetadata.parse(metadata);
  const form = readStartForm(values, undefined);
  const start = readStart({ date: form.date ?? '', time: form.time ?? '', zone }, context.time.now());
  if (!start.ok) {
    return { errors: { time: start.reason } };
  }
  const at = { time: start.at, zone };
  const maxDelayMs = maxDelayOf(form);
  const changing = context.services.campaigns.changeTime({ ...campaignUser(user), id, at, maxDelayMs });
  return answerWhenReady(
    changing.then(async (result) => ({ view: await steeredView(context, user, result) })),
    { beforeAckDeadline, loading: startingView },
  );
}
