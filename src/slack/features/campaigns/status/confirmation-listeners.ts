import type { ModalView } from '@slack/types';
import { isHeldPastStart } from '../../../../services/campaigns/approval/campaign-start.ts';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import { isHeld } from '../../../../store/campaigns/hold-campaigns.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { UserError } from '../../../middleware/errors.ts';
import { answerWhenReady } from '../../../middleware/forms/answer-when-ready.ts';
import type { User } from '../../../middleware/requests.ts';
import type { Router } from '../../../middleware/router/router.ts';
import { campaignActions } from '../actions.ts';
import { createCampaignList } from '../campaign-list.ts';
import { formerStartForm } from '../preview/start-defaults.ts';
import { startingView } from './approval-remarks.ts';
import { campaignUser } from './campaign-user.ts';
import {
  type ConfirmedStep,
  confirmationCallback,
  confirmationMetadata,
  confirmationView,
  stepStates,
} from './confirmations.ts';
import type { StatusParts } from './listeners.ts';
import { alreadyChanged } from './steering-errors.ts';

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
