import { isCountry } from '../../../domain/phone/countries.ts';
import { readContactFile } from '../../../services/contacts/contact-uploads.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { DroppedFile, Values } from '../../block-kit/view-state.ts';
import type { Asker, Listening } from '../../middleware/calls.ts';
import type { Tools } from '../../middleware/context.ts';
import { Refusal } from '../../middleware/errors.ts';
import { requestKey } from '../../middleware/idempotency-key.ts';
import { createBadRowsSender } from '../../notifier/rejected-rows-sender.ts';
import { changeMetadata } from './add-view.ts';
import { uploadAction } from './list-view.ts';
import { outcomeView } from './outcome-view.ts';
import { findPhonebook } from './phonebook-listeners.ts';
import { beginning, type Place, placeSchema } from './place.ts';
import {
  type CheckedFile,
  previewCallback,
  previewView,
  readingFileView,
  uploadCallback,
  uploadingView,
  uploadView,
} from './upload-views.ts';

const mostBytes = 2_000_000;

type Checking =
  | { ok: true; checked: CheckedFile; place: Place }
  | { ok: false; faults: Record<string, string> };

/** Contacts out of a file: read, looked at, and only then uploaded. */
export function listenToUploads(listening: Listening, { services, telling, files, log }: Tools): void {
  const { contactUploads, phonebooks, workspaces } = services;
  const sendBadRows = createBadRowsSender({ files, log });

  listening.action(uploadAction, async ({ asker: { workspaceId }, requestId, view }) => {
    const place = placeSchema.parse(view?.metadata);
    const [named, { country }] = await Promise.all([
      phonebooks.list(workspaceId),
      workspaces.defaults(workspaceId),
    ]);
    const key = requestKey(workspaceId, requestId);
    await view?.replace(uploadView({ phonebooks: named, place, key, country }));
  });

  async function read(dropped: DroppedFile | undefined, country: string) {
    if (!isCountry(country)) {
      return { ok: false, faults: { country: 'Choose a country.' } } as const;
    }
    if (dropped === undefined) {
      return { ok: false, faults: { file: 'Drop in a file.' } } as const;
    }
    if ((dropped.size ?? 0) > mostBytes) {
      return { ok: false, faults: { file: 'This file is too large: up to 2 MB. Divide it.' } } as const;
    }
    const content = await files.fetch(dropped, mostBytes).catch((error: unknown) => {
      log.warn({ err: error }, 'a dropped file could not be fetched');
      return undefined;
    });
    if (content === undefined) {
      return { ok: false, faults: { file: 'Slack did not hand over this file. Drop it in again.' } } as const;
    }
    const file = await readContactFile(content, country);
    return file.ok
      ? ({ ok: true, country, fileName: dropped.name, table: file.table } as const)
      : ({ ok: false, faults: { file: file.reason } } as const);
  }

  /** Reads the file, keeps what is to be uploaded until its preview was seen, and sends the rows that were left out. */
  async function check(
    asker: Asker,
    values: Values,
    key: string,
    origin: string | undefined,
  ): Promise<Checking> {
    const phonebook = await findPhonebook(phonebooks, asker, values.phonebook?.text);
    const [dropped] = values.file?.files ?? [];
    const file = await read(dropped, values.country?.text ?? '');
    if (!file.ok) {
      return file;
    }
    const { country, fileName, table } = file;
    await contactUploads.keep({ ...asker, key, phonebook, country, table });
    const { personId } = asker;
    const areBadRowsSent = await sendBadRows({
      personId,
      key: requestKey(personId, key),
      fileName,
      bad: table.bad,
    });
    return {
      ok: true,
      checked: { fileName, phonebook, country, table, areBadRowsSent },
      place: beginning(phonebook.id, origin),
    };
  }

  listening.submission(uploadCallback, async ({ asker, values, metadata, soon }) => {
    const { key, origin } = changeMetadata.parse(metadata);
    const checking = check(asker, values, key, origin);
    const early = await soon(checking);
    if (early !== undefined) {
      return early.ok
        ? { view: previewView(early.checked, { place: early.place, key }) }
        : { errors: early.faults };
    }
    return {
      view: readingFileView(),
      afterwards: async () => {
        const late = await checking;
        if (!late.ok) {
          throw new Refusal(mrkdwn`*Nothing was uploaded.* ${Object.values(late.faults)}`);
        }
        return previewView(late.checked, { place: late.place, key });
      },
    };
  });

  listening.submission(previewCallback, async ({ asker, metadata }) => {
    const { key, ...place } = changeMetadata.parse(metadata);
    return {
      view: uploadingView(),
      afterwards: async () => {
        const uploading = await contactUploads.upload({ ...asker, key });
        if (uploading.kind === 'not_connected') {
          throw new Refusal(
            mrkdwn`This workspace’s provider key was removed meanwhile. Nothing was uploaded.`,
          );
        }
        if (uploading.kind === 'cancelled') {
          throw new Refusal(mrkdwn`You cancelled this. Nothing was uploaded.`, { isFinal: true });
        }
        if (uploading.kind === 'gone') {
          throw new Refusal(
            mrkdwn`This preview is more than a day old. Nothing was uploaded. Drop the file in again.`,
            { isFinal: true },
          );
        }
        await telling.tell(uploading.operation);
        return outcomeView(uploading.operation, place);
      },
    };
  });

  listening.closed(previewCallback, async ({ asker, metadata }) => {
    await contactUploads.cancel({ ...asker, key: changeMetadata.parse(metadata).key });
  });
}
