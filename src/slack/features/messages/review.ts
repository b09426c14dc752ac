import type { ReachedLimit } from '../../../domain/limits/reached-limit.ts';
import { countryPagesOf } from '../../../domain/money/country-pages.ts';
import type { CostEstimate } from '../../../services/costs/estimate.ts';
import type { BudgetUse } from '../../../services/limits/budgets.ts';
import type { Draft } from '../../../services/messages/drafts.ts';
import type { MessageReview } from '../../../services/messages/review-message.ts';
import type { AppContext } from '../../middleware/app-context.ts';

/** What a user sees before a message is sent, with what it will probably cost, and what the limits say. */
export interface PricedReview extends MessageReview {
  cost: CostEstimate;
  /** Budgets of which little would be left. */
  budgets: readonly BudgetUse[];
  /** What would refuse it now. */
  limit: ReachedLimit | undefined;
}

export type ReviewDraft = (
  who: { workspaceId: string; userId: string },
  draft: Draft,
) => Promise<PricedReview>;

export function createReviewDraft({ messages, costs, limits }: AppContext['services']): ReviewDraft {
  return async (who, draft) => {
    const { workspaceId } = who;
    const review = await messages.review(who, draft);
    const { route, recipients } = draft.content;
    const { pages } = review;
    const [cost, { budgets, limit }] = await Promise.all([
      costs.estimate(workspaceId, { route, pages: countryPagesOf(recipients, review.pagesEach) }),
      limits.check(workspaceId, { to: recipients, pages }),
    ]);
    await costs.keepEstimate({ workspaceId, subject: 'operation', id: draft.id }, cost);
    return { ...review, cost, budgets, limit };
  };
}
