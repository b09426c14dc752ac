import type { KnownBlock, ModalView } from '@slack/types';
import { routeSchema, routeTitles } from '../../../../domain/messages/routes.ts';
import type { SplitResult, SplitSubject } from '../../../../services/campaigns/split.ts';
import type { CostEstimate } from '../../../../services/costs/estimate.ts';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import {
  actions,
  button,
  context as contextBlock,
  loadingView,
  notice,
  present,
  section,
} from '../../../block-kit/build.ts';
import { describeCost } from '../../../block-kit/descriptions/costs.ts';
import { formatCount, pluralize, routeTitle } from '../../../block-kit/plural.ts';
import { stateIcons } from '../../../block-kit/state-icons.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { addToRefusal } from '../../../middleware/explain-refusal.ts';
import type { ActionRequest } from '../../../middleware/requests.ts';
import type { Router } from '../../../middleware/router/router.ts';
import { openActions } from '../../../navigation/open-actions.ts';
import { showProgress } from '../../../notifier/progress.ts';
import { readShown } from '../actions.ts';
import { savedForms } from '../form/saved-forms.ts';
import { reviewAgain } from './review.ts';
import { campaignReviewActions } from './review-view.ts';

/** Progress is shown after this many numbers more. */
const progressStep = 50;
const title = 'Campaign split';

/** *Split by …* in a review: two drafts in place of one, each with its own route, start and cost. */
export function registerSplit(router: Router, context: AppContext): void {
  router.action(campaignReviewActions.splitByDnd, 'campaign', (call) => split(context, call, 'dnd'));
  router.action(campaignReviewActions.splitByQuietHours, 'campaign', (call) =>
    split(context, call, 'quiet_hours'),
  );
}

async function split(context: AppContext, call: ActionRequest, by: SplitSubject): Promise<void> {
  const { user, requestId } = call;
  const { id, version } = readShown(call.value);
  const { workspaceId, userId } = user;
  const saved = await savedForms.find(context, user, id);
  const show = await call.show(loadingView(title, 'Splitting the list…'));
  const progress = showProgress(
    (done) => show(loadingView(title, `Checking Do-Not-Disturb… ${pluralize(done, 'number')}.`)),
    progressStep,
    Number.POSITIVE_INFINITY,
  );
  const splitting = context.services.campaigns.split({
    workspaceId,
    userId,
    id,
    version,
    requestId,
    by,
    plainCells: saved?.form.plainCells === true,
    onProgress: (done) => progress.report(done),
    signal: context.stopping,
  });
  const result = await splitting.finally(progress.settled).catch(addToRefusal('Nothing was checked.'));
  await show(await splitView(context, call, id, result));
}

async function splitView(
  context: AppContext,
  { user, value }: ActionRequest,
  id: string,
  result: SplitResult,
): Promise<ModalView> {
  switch (result.kind) {
    case 'split': {
      const { parts, unknown } = result;
      const costs = await Promise.all(parts.map(context.services.costs.estimateCampaign));
      return partsView(parts, costs, unknown);
    }
    case 'whole':
      return wholeView(id, result.unknown, value);
    case 'changed':
      return reviewAgain(context, user, { id, shownVersion: result.shownVersion });
  }
}

/**
 * Says that the draft is unchanged, with a button back to its review. `unknown`: how many numbers couldn't be checked, which may
 * be why; `value` checks them again.
 */
export function wholeView(id: string, unknown: number, value: string): ModalView {
  const review = button(openActions.campaign, 'Review', { value: id });
  return unknown === 0
    ? notice(
        title,
        section(
          mrkdwn`*Nothing to split.* All recipients belong in the same draft. Nothing was changed.`,
          review,
        ),
      )
    : notice(
        title,
        section(
          mrkdwn`*Not split.* The provider didn’t say whether ${pluralize(unknown, 'number')} ${unknown === 1 ? 'is' : 'are'} on Do-Not-Disturb. Nothing was changed or sent.`,
        ),
        actions(
          'split',
          button(campaignReviewActions.splitByDnd, 'Try again', { value, style: 'primary' }),
          review,
        ),
      );
}

/** Both parts, each with its cost and its own review. */
export function partsView(
  parts: readonly Campaign[],
  costs: readonly CostEstimate[],
  unknown: number,
): ModalView {
  const blocks = parts.flatMap((part, index) => {
    const { id, name, counts, route } = part;
    const cost = costs[index];
    const size = `${pluralize(counts.recipients, 'recipient')}, ${pluralize(counts.pages, 'page')}`;
    return present<KnownBlock>(
      section(
        mrkdwn`*${name}*\n${size} on the *${routeTitle(route)}* route`,
        button(openActions.campaign, 'Review', { value: id }),
      ),
      cost && contextBlock(describeCost(cost, routeSchema.parse(route))),
    );
  });
  return notice(
    title,
    section(mrkdwn`${stateIcons.done} *Split into two drafts.* Nothing has been sent yet.`),
    ...blocks,
    ...present(
      unknown > 0 &&
        contextBlock(
          mrkdwn`${formatCount(unknown)} couldn’t be checked and will get it on ${routeTitles.dnd}.`,
        ),
    ),
  );
}
