import type { AppContext } from '../../middleware/app-context.ts';
import { UserError } from '../../middleware/errors.ts';
import type { Navigation } from '../../navigation/navigation.ts';
import { createOutcomes } from './outcomes.ts';
import { createReviewDraft } from './review.ts';
import { checkingDndView, describeNotSent, reviewView } from './review-view.ts';

/** The review as other features show it, of a message that was written in a form of theirs. */
export function createMessageReview({ services }: Pick<AppContext, 'services'>): Navigation['messageReview'] {
  const { messages } = services;
  const outcomes = createOutcomes(services);
  const reviewDraft = createReviewDraft(services);
  return async (viewer, draftId, content) => {
    const { workspaceId, userId } = viewer;
    const { operation, cancelled } = await messages.find(workspaceId, draftId, userId);
    if (operation !== undefined) {
      return { view: await outcomes.view(operation) };
    }
    if (cancelled) {
      throw new UserError(describeNotSent({ kind: 'cancelled' }), { isFinal: true });
    }
    const draft = await messages.save(workspaceId, draftId, userId, content);
    const review = async () => reviewView(await reviewDraft(viewer, draft), {});
    return messages.reviewTakesTime(content)
      ? { view: checkingDndView(), background: review }
      : { view: await review() };
  };
}
