import { isCountry } from '../../../../domain/phone/countries.ts';
import { readContactFile } from '../../../../services/contacts/contact-uploads.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import type { FormValues, InputFile } from '../../../block-kit/view-state.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { UserError } from '../../../middleware/errors.ts';
import { findPhonebook } from '../../../middleware/find-phonebook.ts';
import { idempotencyKey } from '../../../middleware/idempotency-key.ts';
import type { Router, User } from '../../../middleware/requests.ts';
import { createRejectedRowsSender } from '../../../notifier/rejected-rows-sender.ts';
import { changeMetadata } from '../add-view.ts';
import { type ListPosition, listPositionSchema, startOfList } from '../list-position.ts';
import { uploadAction } from '../list-view.ts';
import { contactOutcomeView } from '../outcome-view.ts';
import {
  type CheckedFile,
  readingFileView,
  uploadCallback,
  uploadingView,
  uploadPreviewCallback,
  uploadPreviewView,
  uploadView,
} from './views.ts';

const mostBytes = 2_000_000;

type Checking =
  | { ok: true; checked: CheckedFile; position: ListPosition }
  | { ok: false; faults: Record<string, string> };

/** Contacts out of a file: read, looked at, and only then uploaded. */
export function registerContactUploads(router: Router, { services, notifier, files, log }: AppContext): void {
  const { contactUploads, phonebooks, workspaces } = services;
  const sendBadRows = createRejectedRowsSender({ files, log });

  router.action(uploadAction, async ({ user: { workspaceId }, requestId, view }) => {
    const position = listPositionSchema.parse(view?.metadata);
    const [named, { country }] = await Promise.all([
      phonebooks.list(workspaceId),
      workspaces.defaults(workspaceId),
    ]);
    const key = idempotencyKey(workspaceId, requestId);
    await view?.replace(uploadView({ phonebooks: named, position, key, country }));
  });

  async function read(dropped: InputFile | undefined, country: string) {
    if (!isCountry(country)) {
      return { ok: false, faults: { country: 'Choose a country.' } } as const;
    }
    if (dropped === undefined) {
      return { ok: false, faults: { file: 'Drop in a file.' } } as const;
    }
    if ((dropped.size ?? 0) > mostBytes) {
      return { ok: false, faults: { file: 'This file is too large: up to 2 MB. Divide it.' } } as const;
    }
    const content = await files.download(dropped, mostBytes).catch((error: unknown) => {
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
    user: User,
    values: FormValues,
    key: string,
    origin: string | undefined,
  ): Promise<Checking> {
    const phonebook = await findPhonebook(phonebooks, user, values.phonebook?.text);
    const [dropped] = values.file?.files ?? [];
    const file = await read(dropped, values.country?.text ?? '');
    if (!file.ok) {
      return file;
    }
    const { country, fileName, table } = file;
    await contactUploads.keep({ ...user, key, phonebook, country, table });
    const { userId } = user;
    const areBadRowsSent = await sendBadRows({
      userId,
      key: idempotencyKey(userId, key),
      fileName,
      bad: table.bad,
    });
    return {
      ok: true,
      checked: { fileName, phonebook, country, table, areBadRowsSent },
      position: startOfList(phonebook.id, origin),
    };
  }

  router.submission(uploadCallback, async ({ user, values, metadata, beforeAckDeadline }) => {
    const { key, origin } = changeMetadata.parse(metadata);
    const checking = check(user, values, key, origin);
    const early = await beforeAckDeadline(checking);
    if (early !== undefined) {
      return early.ok
        ? { view: uploadPreviewView(early.checked, { position: early.position, key }) }
        : { errors: early.faults };
    }
    return {
      view: readingFileView(),
      background: async () => {
        const late = await checking;
        if (!late.ok) {
          throw new UserError(mrkdwn`*Nothing was uploaded.* ${Object.values(late.faults)}`);
        }
        return uploadPreviewView(late.checked, { position: late.position, key });
      },
    };
  });

  router.submission(uploadPreviewCallback, async ({ user, metadata }) => {
    const { key, ...position } = changeMetadata.parse(metadata);
    return {
      view: uploadingView(),
      background: async () => {
        const uploading = await contactUploads.upload({ ...user, key });
        if (uploading.kind === 'not_connected') {
          throw new UserError(
            mrkdwn`This workspace’s provider key was removed meanwhile. Nothing was uploaded.`,
          );
        }
        if (uploading.kind === 'cancelled') {
          throw new UserError(mrkdwn`You cancelled this. Nothing was uploaded.`, { isFinal: true });
        }
        if (uploading.kind === 'gone') {
          throw new UserError(
            mrkdwn`This preview is more than a day old. Nothing was uploaded. Drop the file in again.`,
            { isFinal: true },
          );
        }
        await notifier.notify(uploading.operation);
        return contactOutcomeView(uploading.operation, position);
      },
    };
  });

  router.closed(uploadPreviewCallback, async ({ user, metadata }) => {
    await contactUploads.cancel({ ...user, key: changeMetadata.parse(metadata).key });
  });
}
