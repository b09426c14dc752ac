import type { ModalView } from '@slack/types';
import { z } from 'zod';
import type { Campaign, CampaignState } from '../../../../store/campaigns/campaigns.ts';
import { isHeld } from '../../../../store/campaigns/hold-campaigns.ts';
import { modal, section } from '../../../block-kit/build.ts';
import { formatCount, pluralize } from '../../../block-kit/plural.ts';
import { type Markup, mrkdwn, timeFor } from '../../../block-kit/text.ts';
import { askForApproval, needsApproval } from './approval-remarks.ts';
import { notSentCount } from './campaign-state.ts';

export const confirmationCallback = 'campaign_confirm';

const steps = ['cancel', 'startNow', 'edit', 'discard', 'resume', 'retryUnconfirmed'] as const;
/** What is confirmed before it is done. */
export type ConfirmedStep = (typeof steps)[number];

export const confirmationMetadata = z.object({ id: z.string(), step: z.enum(steps) });

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
