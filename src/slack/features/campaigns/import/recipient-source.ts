import type { CampaignService } from '../../../../services/campaigns/campaign-service.ts';
import type { RecipientSource } from '../../../../services/campaigns/import/recipient-sources.ts';
import type { PhonebookService } from '../../../../services/contacts/phonebooks.ts';
import type { Files } from '../../../client/files.ts';
import { refuseLargeFile, streamDroppedFile } from '../../../middleware/dropped-file.ts';
import { findPhonebook } from '../../../middleware/find-phonebook.ts';
import type { User } from '../../../middleware/requests.ts';
import type { CampaignFormInput } from '../form/form-view.ts';
import type { FormerChoice } from '../form/recipients-blocks.ts';
import { campaignUser } from '../status/campaign-user.ts';

const maxBytes = 200_000_000;

/** Finds the source of the recipients that a form names, or the reason why there is none. */
export function createSourceReader(context: {
  files: Files;
  phonebooks: PhonebookService;
  campaigns: CampaignService;
  stopping: AbortSignal;
}) {
  const { files, phonebooks, campaigns, stopping } = context;

  async function formerSource(
    user: User,
    { id, which }: FormerChoice,
  ): Promise<{ ok: true; source: RecipientSource } | { ok: false; reason: string }> {
    const request = { ...campaignUser(user), id };
    const found =
      which === 'all'
        ? await campaigns.findOfDraft(request)
        : await campaigns.findRest({ ...request, which });
    return found.kind === 'found'
      ? { ok: true, source: found.source }
      : {
          ok: false,
          reason: 'These recipients are gone: the campaign was started, discarded or deleted meanwhile.',
        };
  }

  return async (
    user: User,
    form: CampaignFormInput,
  ): Promise<{ ok: true; source: RecipientSource } | { ok: false; reason: string }> => {
    if (form.former !== undefined) {
      return formerSource(user, form.former);
    }
    switch (form.source) {
      case 'pasted':
        return { ok: true, source: { kind: 'pasted', text: form.pasted } };
      case 'phonebook': {
        const { id, name } = await findPhonebook(phonebooks, user, form.phonebookId);
        return { ok: true, source: { kind: 'phonebook', id, name } };
      }
      case 'file': {
        const { file } = form;
        if (file === undefined) {
          return { ok: false, reason: 'Upload a file.' };
        }
        const reason = refuseLargeFile(file, { maxBytes, remedy: 'Split the file.' });
        if (reason !== undefined) {
          return { ok: false, reason };
        }
        const { id, name, size } = file;
        const { workspaceId } = user;
        const open = () => streamDroppedFile(files, { workspaceId, file }, { maxBytes, signal: stopping });
        return { ok: true, source: { kind: 'file', id, name, size, open } };
      }
    }
  };
}
