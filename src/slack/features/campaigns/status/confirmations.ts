import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { isHeldPastStart } from '../../../../services/campaigns/approval/campaign-start.ts';
import { isHeld } from '../../../../store/campaigns/campaign-moves.ts';
import type { Campaign, CampaignState } from '../../../../store/campaigns/campaigns.ts';
import { modal, section } from '../../../block-kit/build.ts';
import { formatCount, pluralize } from '../../../block-kit/plural.ts';
import { type Markup, mrkdwn, timeFor } from '../../../block-kit/text.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { UserError } from '../../../middleware/errors.ts';
import { answerWhenReady } from '../../../middleware/forms/answer-when-ready.ts';
import type { User } from '../../../middleware/requests.ts';
import type { Router } from '../../../middleware/router/router.ts';
import { campaignActions, campaignUser } from '../actions.ts';
import { draftForm, restForm } from '../form/resend-forms.ts';
import { startFormOf } from '../preview/start-form.ts';
import { notSentCount } from './campaign-state.ts';
import { findCampaign, showSteered, steeredView } from './campaign-status.ts';
import { alreadyChanged, askForApproval, needsApproval, startingView } from './steering-texts.ts';

/**
 * Steps that are confirmed in a modal of their own rather than in Slack's dialog, which asks anybody: who may not take the
 * step is refused first.
 */
export function registerConfirmations(router: Router, context: AppContext): void {
  for (const step of ['cancel', 'startNow', 'edit', 'discard', 'retryUnconfirmed'] as const) {
    router.action(campaignActions[step], 'campaign', async ({ user, value: id, requestId, show }) => {
      const campaign = await findInState(context, user, id, step);
      if (step === 'edit' && campaign.createdBy !== user.userId) {
        throw new UserError(mrkdwn`Only its creator can edit a campaign.`);
      }
      // One that missed its time no longer waits for it: nothing is lost by editing it.
      const isAsked = step !== 'edit' || campaign.state !== 'missed';
      await show(
        await (isAsked
          ? confirmation(context, step, campaign)
          : takeStep(context, step, user, id, requestId)),
      );
    });
  }

  router.action(campaignActions.resume, 'campaign', async (call) => {
    const { user, value: id } = call;
    const campaign = await findInState(context, user, id, 'resume');
    if (isHeld(campaign)) {
      await call.show(await confirmation(context, 'resume', campaign));
      return;
    }
    const result = await context.services.campaigns.resume({ ...campaignUser(user), id });
    await showSteered(context, call, result);
  });

  router.submission(
    confirmationCallback,
    'campaign',
    async ({ user, metadata, requestId, beforeAckDeadline }) => {
      const { id, step } = confirmationMetadata.parse(metadata);
      const taking = takeStep(context, step, user, id, requestId);
      return answerWhenReady(
        taking.then((view) => ({ view })),
        { beforeAckDeadline, loading: startingView },
      );
    },
  );
}

/** @throws UserError if the user may not steer the campaign, or the step cannot be taken now */
async function findInState(
  context: AppContext,
  user: User,
  id: string,
  step: ConfirmedStep,
): Promise<Campaign> {
  const campaign = await findCampaign(context, user, id);
  if (!stepStates[step].includes(campaign.state)) {
    throw new UserError(alreadyChanged);
  }
  return campaign;
}

/** Asks before a step, and says where it would need approval. */
async function confirmation(
  { services: { campaigns }, time }: AppContext,
  step: ConfirmedStep,
  campaign: Campaign,
): Promise<ModalView> {
  const isStart = step === 'startNow' || (step === 'resume' && isHeldPastStart(campaign, time.now()));
  return confirmationView(
    step,
    campaign,
    isStart ? await campaigns.approvals.channelFor(campaign) : undefined,
  );
}

/** Takes a step that was confirmed. Returns the view that follows. */
async function takeStep(
  context: AppContext,
  step: ConfirmedStep,
  user: User,
  id: string,
  requestId: string,
): Promise<ModalView> {
  const { campaigns } = context.services;
  const request = { ...campaignUser(user), id };
  switch (step) {
    case 'cancel':
    case 'startNow':
    case 'resume':
      return steeredView(context, user, await campaigns[step](request));
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

const confirmationCallback = 'campaign_confirm';

const steps = ['cancel', 'startNow', 'edit', 'discard', 'resume', 'retryUnconfirmed'] as const;
/** What is confirmed before it is done. */
export type ConfirmedStep = (typeof steps)[number];

const confirmationMetadata = z.object({ id: z.string(), step: z.enum(steps) });

/** The states in which a step can be taken. */
export const stepStates: Record<ConfirmedStep, readonly CampaignState[]> = {
  cancel: ['scheduled', 'running', 'paused'],
  startNow: ['scheduled', 'missed'],
  edit: ['scheduled', 'missed'],
  discard: ['ready', 'missed'],
  resume: ['paused'],
  retryUnconfirmed: ['done', 'cancelled'],
};

interface Confirmation {
  title: string;
  text: Markup;
  submit: string;
  /** What pressing it leaves as it is. */
  close: string;
}

/** Asks before a step, in words for the campaign as it is. `approvalIn`: the channel in which the step needs approval. */
export function confirmationView(step: ConfirmedStep, campaign: Campaign, approvalIn?: string): ModalView {
  const { title, text, submit, close } = confirmations[step](campaign);
  return modal({
    callbackId: confirmationCallback,
    title,
    submit: approvalIn === undefined ? submit : askForApproval,
    close,
    metadata: { id: campaign.id, step } satisfies z.infer<typeof confirmationMetadata>,
    blocks: [
      section(mrkdwn`*${campaign.name}*\n${text}`),
      ...(approvalIn === undefined ? [] : [section(needsApproval(approvalIn))]),
    ],
  });
}

const confirmations: Record<ConfirmedStep, (campaign: Campaign) => Confirmation> = {
  cancel: (campaign) => ({
    title: 'Cancel campaign',
    text:
      campaign.startedAt === undefined && !isHeld(campaign)
        ? nothingSent(campaign)
        : mrkdwn`${pluralize(notSentCount(campaign), 'recipient')} won’t get it. This can’t be undone.`,
    submit: 'Cancel campaign',
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
    text: mrkdwn`${nothingSent(campaign)}\nEditing makes it a draft. It won’t start${campaign.startAt === undefined ? '' : mrkdwn` ${timeFor(campaign.startAt)}`} unless you schedule it again.`,
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
