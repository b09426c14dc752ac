import { maskPersonal } from '../../../lib/redact.ts';
import { readMessageForm } from '../../../services/messages/drafts.ts';
import { present } from '../../block-kit/build.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { UserError } from '../../middleware/errors.ts';
import type { ToolContent } from '../../navigation/navigation.ts';
import { faultsMessage, previewMessage, reviewDraft } from './review.ts';

/** Throws a UserError for recipients or a text that cannot be sent. */
export function createMessageDraft(context: AppContext): ToolContent['messageDraft'] {
  const { messages, unicode, workspaces } = context.services;
  const { commandPrefix } = context.settings;
  return async (viewer, draftId, { senderId, ...typed }) => {
    const { workspaceId, userId } = viewer;
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
      ? previewMessage(await reviewDraft(context, viewer, draft), undefined, read.duplicates)
      : faultsMessage(Object.values(read.faults), draft, { origin: undefined, commandPrefix });
    return { content, isReady: read.ok };
  };
}
