import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { isHeldPastStart } from '../../../../services/campaigns/approval/campaign-start.ts';
import type { Campaign, CampaignState } from '../../../../store/campaigns/campaigns.ts';
import { isHeld } from '../../../../store/campaigns/hold-campaigns.ts';
import { modal, section } from '../../../block-kit/build.ts';
import { formatCount, pluralize } from '../../../block-kit/plural.ts';
import { type Markup, mrkdwn, timeFor } from '../../../block-kit/text.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { UserError } from '../../../middleware/errors.ts';
import { answerWhenReady } from '../../../middleware/forms/answer-when-ready.ts';
import type { User } from '../../../middleware/requests.ts';
import type { Router } from '../../../middleware/router/router.ts';
import { campaignActions, campaignUser } from '../actions.ts';
import { createCampaignList } from '../campaign-list.ts';
import { formerStartForm } from '../preview/start-form.ts';
import { notSentCount } from './campaign-state.ts';
import type { StatusParts } from './listeners.ts';
import { alreadyChanged, askForApproval, needsApproval, startingView } from './steering-texts.ts';

/** A step that is confirmed, taken by the user for the campaign of this id. Returns the view that follows. */
type TakeStep = (user: User, id: string, requestId: string) => Promise<ModalView>;

/**
 * Steps that are confirmed in a modal of their own rather than in Slack's dialog, which asks anybody: who may not take the
 * step is refused first.
 */
export function registerConfirmations(router: Router, context: AppContext, parts: StatusParts): void {
  const { campaigns } = context.services;
  const { find, steered, formerForms } = parts;

  /** Asks before a step, and says where it would need approval. */
  async function confirmation(step: ConfirmedStep, campaign: Campaign): Promise<ModalView> {
    const isStart =
      step === 'startNow' || (step === 'resume' && isHeldPastStart(campaign, context.time.now()));
    return confirmationView(
      step,
      campaign,
      isStart ? await campaigns.approvals.channelFor(campaign) : undefined,
    );
  }

  const campaignList = createCampaignList(context);
  const request = (user: User, id: string) => ({ ...campaignUser(user), id });

  const take: Record<ConfirmedStep, TakeStep> = {
    cancel: async (user, id) => steered(user, await campaigns.cancel(request(user, id))),
    startNow: async (user, id) => steered(user, await campaigns.startNow(request(user, id))),
    resume: async (user, id) => steered(user, await campaigns.resume(request(user, id))),
    retryUnconfirmed: (user, id) => formerForms.ofRest(user, { id, which: 'unconfirmed' }),
    async edit(user, id, requestId) {
      const campaign = await find(user, id);
      const start = formerStartForm(campaign, user.zone);
      const result = await campaigns.unschedule(request(user, id));
      return result.kind === 'done'
        ? formerForms.ofDraft(user, { id, requestId, origin: campaign.channelId, start })
        : steered(user, result);
    },
    async discard(user, id) {
      if (!(await campaigns.discard(request(user, id)))) {
        throw new UserError(alreadyChanged, { isFinal: true });
      }
      return campaignList(user);
    },
  };

  for (const step of ['cancel', 'startNow', 'edit', 'discard', 'retryUnconfirmed'] as const) {
    router.action(campaignActions[step], 'campaign', async (call) => {
      const { user, value: id, requestId } = call;
      const campaign = await find(user, id);
      if (!stepStates[step].includes(campaign.state)) {
        throw new UserError(alreadyChanged);
      }
      if (step === 'edit' && campaign.createdBy !== user.userId) {
        throw new UserError(mrkdwn`Only its creator can edit a campaign.`);
      }
      // One that missed its time no longer waits for it: nothing is lost by editing it.
      const isAsked = step !== 'edit' || campaign.state !== 'missed';
      await call.show(isAsked ? await confirmation(step, campaign) : await take.edit(user, id, requestId));
    });
  }

  router.action(campaignActions.resume, 'campaign', async (call) => {
    const { user, value: id, view } = call;
    const campaign = await find(user, id);
    if (!stepStates.resume.includes(campaign.state)) {
      throw new UserError(alreadyChanged);
    }
    if (isHeld(campaign)) {
      await call.show(await confirmation('resume', campaign));
      return;
    }
    const result = await campaigns.resume(request(user, id));
    const shown = await steered(user, result);
    if (view !== undefined) {
      await view.replace(shown);
    } else if (result.kind === 'too_late') {
      throw new UserError(alreadyChanged);
    }
  });

  router.submission(
    confirmationCallback,
    'campaign',
    async ({ user, metadata, requestId, beforeAckDeadline }) => {
      const { id, step } = confirmationMetadata.parse(metadata);
      const taking = take[step](user, id, requestId);
      return answerWhenReady(
        taking.then((view) => ({ view })),
        { beforeAckDeadline, loading: startingView },
      );
    },
  );
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
