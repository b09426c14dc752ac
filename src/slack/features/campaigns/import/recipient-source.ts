import type { Log } from '../../../../lib/log.ts';
import type { RecipientSource } from '../../../../services/campaigns/import/recipient-sources.ts';
import type { PhonebookService } from '../../../../services/contacts/phonebooks.ts';
import type { InputFile } from '../../../block-kit/view-state.ts';
import type { Files } from '../../../client/files.ts';
import { findPhonebook } from '../../../middleware/find-phonebook.ts';
import type { User } from '../../../middleware/requests.ts';
import type { CampaignFormInput } from '../form/form-view.ts';

const maxBytes = 200_000_000;

/** Slack's file host did not deliver the file, or not all of it. The reason is a sentence to show at the field. */
export class FileDownloadError extends Error {
  override readonly name = 'FileNotRead';
  readonly reason: string;

  constructor(reason: string, cause: unknown) {
    super('a dropped file could not be read', { cause });
    this.reason = reason;
  }
}

/** Finds the source of the recipients that a form names, or the reason why there is none. */
export function createSourceReader(context: {
  files: Files;
  phonebooks: PhonebookService;
  stopping: AbortSignal;
  log: Log;
}) {
  const { files, phonebooks, stopping, log } = context;

  async function* download(file: InputFile): AsyncGenerator<Uint8Array> {
    try {
      yield* files.stream(file, maxBytes, stopping);
    } catch (error) {
      log.warn({ err: error }, 'a dropped file could not be read');
      throw new FileDownloadError(
        stopping.aborted
          ? 'Switchboard was restarted meanwhile. Drop the file in again.'
          : 'Slack did not hand over all of this file. Drop it in again.',
        error,
      );
    }
  }

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
          return { ok: false, reason: 'Drop in a file.' };
        }
        if ((file.size ?? 0) > maxBytes) {
          return { ok: false, reason: 'This file is too large: up to 200 MB. Divide it.' };
        }
        return {
          ok: true,
          source: { kind: 'file', id: file.id, name: file.name, size: file.size, open: () => download(file) },
        };
      }
    }
  };
}
