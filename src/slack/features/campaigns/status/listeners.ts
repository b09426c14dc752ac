import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { clockIn, nextFullHour, readStart } from '../../../../domain/time/start-time.ts';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import { modal, section } from '../../../block-kit/build.ts';
import { pluralize } from '../../../block-kit/plural.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { UserError } from '../../../middleware/errors.ts';
import { answerWhenReady } from '../../../middleware/forms/answer-when-ready.ts';
import type { Router } from '../../../middleware/router/router.ts';
import { openActions } from '../../../navigation/open-actions.ts';
import { campaignActions, campaignUser, openCampaignAction } from '../actions.ts';
import { restForm } from '../form/resend-forms.ts';
import { previewAgain } from '../preview/preview.ts';
import {
  maxDelayInput,
  maxDelayOf,
  readStartForm,
  timeInputs,
  writeMaxDelay,
} from '../preview/start-form.ts';
import { findCampaign, showSteered, statusView, steeredView, waitingRequest } from './campaign-status.ts';
import { registerConfirmations } from './confirmations.ts';
import { registerResultFiles } from './result-files.ts';
import { alreadyChanged, askForApproval, needsApproval, startingView } from './steering-texts.ts';

/** Campaigns after their import: the list, the status of each, its steering, and what can be had of it afterwards. */
export function registerCampaignStatus(router: Router, context: AppContext): void {
  const { navigation, services } = context;

  router.action(openActions.campaigns, 'campaign', async ({ user, show }) => {
    await show(await navigation.campaigns(user));
  });

  router.action(openCampaignAction, 'campaign', async ({ user, value: id, push }) => {
    const campaign = await findCampaign(context, user, id);
    const isDraft = campaign.state === 'ready';
    const approval = isDraft ? await waitingRequest(context, campaign) : undefined;
    if (approval !== undefined) {
      await push(navigation.approval(user, approval));
      return;
    }
    const isPreview = isDraft && campaign.createdBy === user.userId;
    await push(await (isPreview ? previewAgain(context, user, { id }) : statusView(context, campaign)));
  });

  router.action(campaignActions.refresh, 'campaign', async ({ user, value, view }) => {
    await view?.replace(await statusView(context, await findCampaign(context, user, value)));
  });

  router.action(campaignActions.pause, 'campaign', async (call) => {
    const result = await services.campaigns.pause({ ...campaignUser(call.user), id: call.value });
    await showSteered(context, call, result);
  });

  registerConfirmations(router, context);
  registerChangeOfTime(router, context);
  registerRests(router, context);
  registerResultFiles(router, context);
}

/** *Change time* of a scheduled campaign, and *Schedule again* of one that missed its time. */
function registerChangeOfTime(router: Router, context: AppContext): void {
  const { services, time } = context;
  const { campaigns } = services;

  router.action(campaignActions.changeTime, 'campaign', async ({ user, value: id, show }) => {
    const campaign = await findCampaign(context, user, id);
    if (campaign.state !== 'scheduled' && campaign.state !== 'missed') {
      throw new UserError(alreadyChanged);
    }
    const approvalIn = await campaigns.approvals.channelFor(campaign);
    await show(changeTimeView(campaign, { now: time.now(), zone: user.zone, approvalIn }));
  });

  router.submission(changeTimeCallback, 'campaign', async ({ user, values, metadata, beforeAckDeadline }) => {
    const { id } = changeTimeMetadata.parse(metadata);
    const { zone } = user;
    const form = readStartForm(values, undefined);
    const start = readStart({ date: form.date ?? '', time: form.time ?? '', zone }, time.now());
    if (!start.ok) {
      return { errors: { time: start.reason } };
    }
    const at = { time: start.at, zone };
    const changing = campaigns.changeTime({ ...campaignUser(user), id, at, maxDelayMs: maxDelayOf(form) });
    return answerWhenReady(
      changing.then(async (result) => ({ view: await steeredView(context, user, result) })),
      { beforeAckDeadline, loading: startingView },
    );
  });
}

/** *Send to the rest…* and *Resend to rejected…*: the form of a new campaign to those recipients. */
function registerRests(router: Router, context: AppContext): void {
  for (const [actionId, which] of [
    [campaignActions.sendToRest, 'not_sent'],
    [campaignActions.retryRejected, 'rejected'],
  ] as const) {
    router.action(actionId, 'campaign', async ({ user, value: id, push }) => {
      await findCampaign(context, user, id);
      await push(await restForm(context, user, { id, which }));
    });
  }
}

const changeTimeCallback = 'campaign_change_time';
const changeTimeMetadata = z.object({ id: z.string() });

/** When a scheduled campaign starts, to be changed; or when one that missed its time is to start. */
export function changeTimeView(
  campaign: Campaign,
  { now, zone, approvalIn }: { now: Date; zone: string; approvalIn?: string | undefined },
): ModalView {
  const { id, state, name, counts, startAt } = campaign;
  const at = clockIn(startAt !== undefined && startAt > now ? startAt : nextFullHour(now, zone), zone);
  return modal({
    callbackId: changeTimeCallback,
    title: state === 'missed' ? 'Schedule again' : 'Start time',
    submit: approvalIn !== undefined ? askForApproval : state === 'missed' ? 'Schedule' : 'Change time',
    close: 'Back',
    metadata: { id } satisfies z.infer<typeof changeTimeMetadata>,
    blocks: [
      section(mrkdwn`*${name}*\n${pluralize(counts.recipients, 'recipient')}`),
      ...timeInputs(at, zone),
      maxDelayInput(writeMaxDelay(campaign)),
      ...(approvalIn === undefined ? [] : [section(needsApproval(approvalIn))]),
    ],
  });
}
