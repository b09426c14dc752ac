import type { KnownBlock, ModalView, SectionBlock } from '@slack/types';
import { z } from 'zod';
import { changes, seenSchema } from '../../../../domain/limits/seen.ts';
import { routeSchema } from '../../../../domain/messages/routes.ts';
import { isHeld } from '../../../../store/campaigns/campaign-moves.ts';
import type { Campaign, CampaignState } from '../../../../store/campaigns/campaigns.ts';
import { context as contextBlock, facts, present, quotation, section } from '../../../block-kit/build.ts';
import { notSentCount, startWithLagos, wordFor } from '../../../block-kit/descriptions/campaign-counts.ts';
import {
  changesBlock,
  describeNewVersion,
  inactiveSenderRemark,
  quietHoursRemark,
} from '../../../block-kit/descriptions/changes.ts';
import { describeCost } from '../../../block-kit/descriptions/costs.ts';
import { approvalBlocks, askForApproval } from '../../../block-kit/descriptions/needs-approval.ts';
import { formatCount, pluralize, routeTitle } from '../../../block-kit/plural.ts';
import { type Markup, mrkdwn, timeFor } from '../../../block-kit/text.ts';
import { defineForm } from '../../../kit/form.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { UserError } from '../../../middleware/errors.ts';
import { addToRefusal } from '../../../middleware/explain-refusal.ts';
import type { User } from '../../../middleware/requests.ts';
import type { Viewer } from '../../../navigation/navigation.ts';
import { campaignUser } from '../actions.ts';
import { draftForm } from '../form/form.ts';
import { startFormOf } from '../review/start-form.ts';
import { alreadyChanged, startingView, stillGoesOut, stopRepeating } from './campaign-state.ts';
import { findCampaign, steeredView } from './campaign-status.ts';

/** Steps that need a confirmation. */
const steps = ['cancel', 'startNow', 'skipNext', 'edit', 'discard', 'resume'] as const;
export type ConfirmedStep = (typeof steps)[number];

const confirmedSchema = z.object({
  id: z.string(),
  step: z.enum(steps),
  /** When the run to skip starts. */
  at: z.iso.datetime().optional(),
  /** For steps that lead to sending: the version this form shows, and the one shown with the button. */
  version: z.string().optional(),
  shownVersion: z.string().optional(),
  /** For steps that lead to sending: facts shown that may change. */
  seen: seenSchema.default({}),
  /** What changed after the first confirmation. */
  changes: z.array(z.enum(changes)).optional(),
});
type Confirmed = z.infer<typeof confirmedSchema>;

/** The states in which a step can be taken. */
const stepStates: Record<ConfirmedStep, readonly CampaignState[]> = {
  cancel: ['scheduled', 'repeating', 'running', 'paused'],
  startNow: ['scheduled', 'missed'],
  skipNext: ['repeating'],
  edit: ['scheduled', 'repeating', 'missed'],
  discard: ['ready', 'missed'],
  resume: ['paused'],
};

/** @throws UserError if the user may not manage the campaign, or the step isn't possible now */
export async function findInState(
  context: AppContext,
  user: Viewer,
  id: string,
  step: ConfirmedStep,
): Promise<Campaign> {
  const campaign = await findCampaign(context, user, id);
  if (!stepStates[step].includes(campaign.state)) {
    throw new UserError(alreadyChanged);
  }
  return campaign;
}

export type ShowConfirmation = (user: Viewer, meta: Confirmed) => Promise<ModalView>;

/**
 * Asks before a step, and says if it needs approval. A modal instead of Slack's confirmation dialog, because
 * that would ask people who aren't allowed to take the step.
 */
export function defineConfirmation(context: AppContext) {
  const { services } = context;
  const form = defineForm({
    id: 'campaign_confirm',
    needs: 'campaign',
    fields: {},
    meta: confirmedSchema,
    async load(user, { id, step, at, version, shownVersion, seen }) {
      const campaign = await findInState(context, user, id, step);
      const approvalIn =
        seen.approval === undefined ? undefined : await services.campaigns.approvals.channelFor(campaign);
      const changed = changeSince(shownVersion, version);
      const sendsAll = (step === 'startNow' || step === 'resume') && campaign.startedAt === undefined;
      const cost = sendsAll ? await services.costs.estimateCampaign(campaign) : undefined;
      const endsRuns = campaign.repeat !== undefined && step !== 'skipNext';
      const runs = endsRuns ? await services.campaigns.scheduledRuns(campaign) : [];
      return { campaign, ...confirmations[step](campaign, at), runs, approvalIn, changed, cost };
    },
    title: ({ data }) => data.title,
    submit: ({ data: { submit, approvalIn }, meta: { seen } }) =>
      approvalIn !== undefined ? askForApproval : seen.quietHours === true ? 'Send anyway' : submit,
    close: ({ data }) => data.close,
    above: ({
      data: { campaign, text, runs, approvalIn, changed, cost },
      meta: { step, seen, changes: found },
    }) => [
      ...changed,
      ...present(found && changesBlock(found)),
      section(mrkdwn`${[mrkdwn`*${campaign.name}*`, text, ...runs.map(stillGoesOut)]}`),
      ...present(cost && contextBlock(describeCost(cost, routeSchema.parse(campaign.route)))),
      ...(step === 'resume' && campaign.pause?.isEdited === true ? whatIsSent(campaign) : []),
      ...present(seen.quietHours === true && section(quietHoursRemark)),
      ...present(seen.sender === 'inactive' && section(inactiveSenderRemark)),
      ...approvalBlocks(approvalIn, wordFor(campaign)),
    ],
    slow: { loading: startingView },
    submitted: async ({ user, meta, requestId }): Promise<{ view: ModalView }> => ({
      view: await takeStep(context, user, meta, requestId, form.view),
    }),
  });
  return form;
}

/** Takes a confirmed step, and returns the next view. */
export async function takeStep(
  context: AppContext,
  user: User,
  { id, step, at, version = '', seen }: Confirmed,
  requestId: string,
  confirmAgain: ShowConfirmation,
): Promise<ModalView> {
  const { campaigns } = context.services;
  const request = { ...campaignUser(user), id };
  switch (step) {
    case 'cancel':
      return steeredView(context, user, await campaigns.cancel(request));
    case 'startNow':
    case 'resume': {
      const result = await campaigns[step]({ ...request, version, seen }).catch(
        addToRefusal('Nothing was sent.'),
      );
      return result.kind === 'not_as_shown'
        ? confirmAgain(user, { id, step, version, seen: result.seen, changes: [...result.changes] })
        : steeredView(context, user, result);
    }
    case 'skipNext':
      if (at === undefined) {
        throw new UserError(alreadyChanged, { isFinal: true });
      }
      return steeredView(context, user, await campaigns.skip({ ...request, at: new Date(at) }));
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

/** Shows what an edited campaign sends, because its last review was before the edit. */
function whatIsSent({ senderId, route, text = '' }: Campaign): KnownBlock[] {
  return [
    facts(['From', mrkdwn`${senderId}`], ['Route', mrkdwn`${routeTitle(route)}`]),
    ...present(text !== '' && quotation(text)),
  ];
}

/** Says what has changed between the version that was seen and the current one. */
export function changeSince(shownVersion: string | undefined, version: string | undefined): SectionBlock[] {
  return shownVersion === undefined || version === undefined || shownVersion === version
    ? []
    : [section(describeNewVersion(shownVersion, { version }))];
}

interface Confirmation {
  title: string;
  text: Markup;
  submit: string;
  /** The label of the button that changes nothing. */
  close: string;
}

const confirmations: Record<ConfirmedStep, (campaign: Campaign, at: string | undefined) => Confirmation> = {
  skipNext: ({ counts, zone }, at) => ({
    title: 'Skip next run',
    text:
      at === undefined
        ? mrkdwn`There is no run to skip.`
        : mrkdwn`The run ${startWithLagos(new Date(at), zone)} (${pluralize(counts.recipients, 'recipient')}) won’t be sent. Later runs stay.`,
    submit: 'Skip this run',
    close: 'Cancel',
  }),
  cancel: (campaign) => ({
    title: campaign.repeat === undefined ? `Cancel ${wordFor(campaign)}` : stopRepeating,
    text:
      campaign.repeat !== undefined
        ? mrkdwn`No new runs.`
        : campaign.startedAt === undefined && !isHeld(campaign)
          ? nothingSent(campaign)
          : mrkdwn`${pluralize(notSentCount(campaign), 'recipient')} won’t get it. This can’t be undone.`,
    submit: campaign.repeat === undefined ? `Cancel ${wordFor(campaign)}` : stopRepeating,
    close: campaign.state === 'running' ? 'Keep running' : 'Keep',
  }),
  startNow: ({ counts, isMessage }) => ({
    title: isMessage ? 'Send now' : 'Start now',
    text: mrkdwn`${pluralize(counts.recipients, 'recipient gets', 'recipients get')} it now.`,
    submit: `Send to ${formatCount(counts.recipients)}`,
    close: 'Close',
  }),
  edit: (campaign) => ({
    title: `Edit ${wordFor(campaign)}`,
    text:
      campaign.repeat !== undefined
        ? mrkdwn`Editing makes it a draft. No new runs unless you schedule it again.`
        : mrkdwn`${nothingSent(campaign)}\nEditing makes it a draft. It won’t start${campaign.startAt === undefined ? '' : mrkdwn` ${timeFor(campaign.startAt)}`} unless you schedule it again.`,
    submit: 'Edit',
    close: 'Keep scheduled',
  }),
  discard: (campaign) => ({
    title: `Discard ${wordFor(campaign)}`,
    text: nothingSent(campaign),
    submit: 'Discard',
    close: 'Keep',
  }),
  resume: (campaign) => ({
    title: `Resume ${wordFor(campaign)}`,
    text: isHeld(campaign)
      ? mrkdwn`Some recipients may have got the message already, and would get it twice.`
      : mrkdwn`${pluralize(notSentCount(campaign), 'recipient gets', 'recipients get')} it now.`,
    submit: 'Resume',
    close: 'Keep paused',
  }),
};

function nothingSent({ counts }: Campaign): Markup {
  return mrkdwn`${pluralize(counts.recipients, 'recipient')}. Nothing has been sent yet.`;
}
