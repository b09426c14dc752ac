import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { clockIn, nextFullHour, readStart } from '../../../../domain/time/start-time.ts';
import type { SteeringResult } from '../../../../services/campaigns/steering.ts';
import type { Approval } from '../../../../store/approvals/approvals.ts';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import { input, modal, section } from '../../../block-kit/build.ts';
import { pluralize } from '../../../block-kit/plural.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { UserError } from '../../../middleware/errors.ts';
import { answerWhenReady } from '../../../middleware/forms/answer-when-ready.ts';
import type { User } from '../../../middleware/requests.ts';
import { limitedError } from '../../../middleware/require-performed.ts';
import type { Router } from '../../../middleware/router/router.ts';
import { openActions } from '../../../navigation/open-actions.ts';
import { campaignActions, campaignUser, openCampaignAction } from '../actions.ts';
import { createCampaignList } from '../campaign-list.ts';
import type { FormerForms } from '../form/former-forms.ts';
import type { Previews } from '../preview/preview.ts';
import { maxDelayInput, maxDelayOf, readStartForm, writeMaxDelay } from '../preview/start-form.ts';
import { registerConfirmations } from './confirmations.ts';
import { registerResultFiles } from './result-files.ts';
import { campaignStatusView } from './status-view.ts';
import {
  alreadyChanged,
  askForApproval,
  campaignGone,
  needsApproval,
  nobodyLeft,
  startingView,
} from './steering-texts.ts';

/** What the listeners of a campaign's status share. */
export interface StatusParts {
  formerForms: FormerForms;
  /** @throws UserError if the user may not see and steer the campaign */
  find(user: User, id: string): Promise<Campaign>;
  /** Returns the view of the campaign as it is now, even if another user was quicker to steer it; or of what waits for approval. */
  steered(user: User, result: SteeringResult): Promise<ModalView>;
}

/** Campaigns after their import: the list, the status of each, its steering, and what can be had of it afterwards. */
export function registerCampaignStatus(
  router: Router,
  context: AppContext,
  { previews, formerForms }: { previews: Previews; formerForms: FormerForms },
): void {
  const { navigation } = context;
  const { campaigns, costs, providerHistory } = context.services;
  const campaignList = createCampaignList(context);
  const status = async (campaign: Campaign) =>
    campaignStatusView(campaign, campaigns.throughput(campaign), {
      approval: await waitingRequest(campaign),
      charges: await costs.ofCampaign(campaign),
      canAsk: providerHistory.isOn,
    });

  async function waitingRequest({ workspaceId, id }: Campaign): Promise<Approval | undefined> {
    return (await campaigns.approvals.waitingFor(workspaceId, [id])).get(id);
  }

  async function find(user: User, id: string): Promise<Campaign> {
    const campaign = await campaigns.find(campaignUser(user), id);
    if (campaign === undefined) {
      throw new UserError(campaignGone);
    }
    return campaign;
  }

  const parts: StatusParts = {
    formerForms,
    find,
    async steered(user, result) {
      if (result.kind === 'gone') {
        throw new UserError(campaignGone);
      }
      if (result.kind === 'nobody') {
        throw new UserError(nobodyLeft(result.campaign), { isFinal: true });
      }
      if (result.kind === 'approval') {
        return navigation.approval(user, result.approval);
      }
      if (result.kind === 'limited') {
        throw limitedError(result.limit, 'Nothing was sent.');
      }
      return status(result.campaign);
    },
  };

  router.action(openActions.campaigns, 'campaign', async (call) => {
    await call.show(await campaignList(call.user));
  });

  router.action(openCampaignAction, 'campaign', async (call) => {
    const { user, value: id } = call;
    const campaign = await find(user, id);
    const approval = await waitingRequest(campaign);
    if (campaign.state === 'ready' && approval !== undefined) {
      await call.push(navigation.approval(user, approval));
      return;
    }
    const isPreview = campaign.state === 'ready' && campaign.createdBy === user.userId;
    await call.push(isPreview ? await previews.again(user, { id }) : await status(campaign));
  });

  router.action(campaignActions.refresh, 'campaign', async ({ user, value, view }) => {
    await view?.replace(await status(await find(user, value)));
  });

  router.action(campaignActions.pause, 'campaign', async ({ user, value: id, view }) => {
    const result = await campaigns.pause({ ...campaignUser(user), id });
    const shown = await parts.steered(user, result);
    if (view !== undefined) {
      await view.replace(shown);
    } else if (result.kind === 'too_late') {
      throw new UserError(alreadyChanged);
    }
  });

  registerConfirmations(router, context, parts);
  registerChangeOfTime(router, context, parts);
  registerRests(router, parts);
  registerResultFiles(router, context, find);
}

/** *Change time* of a scheduled campaign, and *Schedule again* of one that missed its time. */
function registerChangeOfTime(router: Router, { services, time }: AppContext, parts: StatusParts): void {
  const { campaigns } = services;

  router.action(campaignActions.changeTime, 'campaign', async (call) => {
    const { user, value: id } = call;
    const campaign = await parts.find(user, id);
    if (campaign.state !== 'scheduled' && campaign.state !== 'missed') {
      throw new UserError(alreadyChanged);
    }
    const approvalIn = await campaigns.approvals.channelFor(campaign);
    await call.show(changeTimeView(campaign, { now: time.now(), zone: user.zone, approvalIn }));
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
    const maxDelayMs = maxDelayOf(form);
    const changing = campaigns.changeTime({ ...campaignUser(user), id, at, maxDelayMs });
    const view = changing.then((result) => parts.steered(user, result));
    return answerWhenReady(
      view.then((shown) => ({ view: shown })),
      { beforeAckDeadline, loading: startingView },
    );
  });
}

/** *Send to the rest…* and *Resend to rejected…*: the form of a new campaign to those recipients. */
function registerRests(router: Router, { find, formerForms }: StatusParts): void {
  for (const [actionId, which] of [
    [campaignActions.sendToRest, 'not_sent'],
    [campaignActions.retryRejected, 'rejected'],
  ] as const) {
    router.action(actionId, 'campaign', async (call) => {
      const { user, value: id } = call;
      await find(user, id);
      await call.push(await formerForms.ofRest(user, { id, which }));
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
      input('date', 'Date', { type: 'datepicker', action_id: 'date', initial_date: at.date }),
      input(
        'time',
        'Time',
        { type: 'timepicker', action_id: 'time', initial_time: at.time },
        { hint: `Your time zone: ${zone}` },
      ),
      maxDelayInput(writeMaxDelay(campaign)),
      ...(approvalIn === undefined ? [] : [section(needsApproval(approvalIn))]),
    ],
  });
}
