import type { ShownThread } from '../../../services/replies/replies.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { UserError } from '../../middleware/errors.ts';
import type { Navigation } from '../../navigation/navigation.ts';
import { replyView } from './form-view.ts';

type Services = Pick<AppContext, 'services'>;

/** Returns a thread that can be answered. Throws a UserError with why it can’t be. */
export async function findAnswerable({ services }: Services, workspaceId: string, id: string) {
  const thread = await services.replies.find(workspaceId, id);
  if (thread === undefined) {
    throw threadGone();
  }
  const { sender } = thread;
  if (sender === undefined) {
    throw new UserError(
      mrkdwn`This can’t be answered: the message didn’t come to a number or a device. Nothing was sent.`,
      { isFinal: true },
    );
  }
  return { ...thread, sender } satisfies ShownThread;
}

export function threadGone(): UserError {
  return new UserError(
    mrkdwn`These messages aren’t kept any more, or belong to another workspace. Nothing was sent or changed.`,
    { isFinal: true },
  );
}

/** The form as it opens, and as it comes back from the review. */
export function createReplyForm(context: Services): Navigation['replyForm'] {
  const { replies, unicode } = context.services;
  return async ({ workspaceId, userId }, { threadId, draftId, text = '' }) => {
    const thread = await findAnswerable(context, workspaceId, threadId);
    const latest = await replies.latest(thread);
    return replyView(thread, { threadId, draftId }, { text, latest, unicode, userId });
  };
}
