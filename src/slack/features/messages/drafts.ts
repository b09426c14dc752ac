import { maskPersonal } from '../../../lib/redact.ts';
import { readMessageForm } from '../../../services/messages/drafts.ts';
import { present } from '../../block-kit/build.ts';
import type { SlackMessage } from '../../block-kit/message.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { UserError } from '../../middleware/errors.ts';
import type { User } from '../../middleware/requests.ts';
import { faultsMessage, previewMessage, reviewDraft } from './review.ts';

/** What a draft of another feature begins with. */
interface TypedDraft {
  recipients: string;
  text: string;
  senderId?: string | undefined;
}

/**
 * Keeps a draft, and returns its review as a message; of one that lacks something else than recipients and a text, what it
 * lacks, to be chosen in the form. For other features. Throws a UserError for recipients or a text that cannot be sent.
 */
export function createMessageDraft(context: AppContext) {
  const { messages, unicode, workspaces } = context.services;
  const { commandPrefix } = context.settings;
  return async (
    user: User,
    draftId: string,
    { senderId, ...typed }: TypedDraft,
  ): Promise<{ content: SlackMessage; isReady: boolean }> => {
    const { workspaceId, userId } = user;
    const { country } = await workspaces.defaults(workspaceId);
    const begin = await messages.prefill(workspaceId, userId, typed.text);
    const form = { ...begin, ...typed, senderId: senderId ?? begin.senderId };
    const read = readMessageForm(form, { country, unicode });
    const faults = read.ok ? [] : present(read.faults.recipients, read.faults.text);
    if (faults.length > 0 || read.content === undefined) {
      throw new UserError(mrkdwn`${faults.map(maskPersonal).join(' ')} Nothing was drafted.`);
    }
    const draft = await messages.save(workspaceId, draftId, userId, read.content);
    const content = read.ok
      ? previewMessage(await reviewDraft(context, user, draft), undefined, read.duplicates)
      : faultsMessage(Object.values(read.faults), draft, { origin: undefined, commandPrefix });
    return { content, isReady: read.ok };
  };
}
