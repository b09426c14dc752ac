import type { RecipientSource } from '../../../../services/campaigns/import/recipient-sources.ts';
import type { PhonebookService } from '../../../../services/contacts/phonebooks.ts';
import type { Files } from '../../../client/files.ts';
import { refuseLargeFile, streamDroppedFile } from '../../../middleware/dropped-file.ts';
import { findPhonebook } from '../../../middleware/find-phonebook.ts';
import type { User } from '../../../middleware/requests.ts';
import type { CampaignFormInput } from '../form/form-view.ts';

const maxBytes = 200_000_000;

/** Finds the source of the recipients that a form names, or the reason why there is none. */
export function createSourceReader(context: {
  files: Files;
  phonebooks: PhonebookService;
  stopping: AbortSignal;
}) {
  const { files, phonebooks, stopping } = context;

  return async (
    user: User,
    form: CampaignFormInput,
  ): Promise<{ ok: true; source: RecipientSource } | { ok: false; reason: string }> => {
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
        const open = () => streamDroppedFile(files, file, { maxBytes, signal: stopping });
        return { ok: true, source: { kind: 'file', id, name, size, open } };
      }
    }
  };
}
