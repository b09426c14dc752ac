import type { CostEstimate } from '../../../services/costs/costs.ts';
import type { Draft } from '../../../services/messages/drafts.ts';
import type { MessageReview } from '../../../services/messages/message-service.ts';
import type { AppContext } from '../../middleware/app-context.ts';

/** What a user sees before a message is sent, with what it will probably cost. */
export interface PricedReview extends MessageReview {
  cost: CostEstimate;
}

export type ReviewDraft = (workspaceId: string, draft: Draft) => Promise<PricedReview>;

export function createReviewDraft({ messages, costs }: AppContext['services']): ReviewDraft {
  return async (workspaceId, draft) => {
    const review = await messages.review(workspaceId, draft);
    const { route } = draft.content;
    return { ...review, cost: await costs.estimate(workspaceId, { route, pages: review.pages }) };
  };
}
