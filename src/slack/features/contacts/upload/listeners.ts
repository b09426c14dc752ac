import { idempotencyKey } from '../../../../domain/access/request-keys.ts';
import { isCountry } from '../../../../domain/phone/countries.ts';
import { readContactFile } from '../../../../services/contacts/contact-uploads.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import type { FormValues } from '../../../block-kit/view-state.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { readDroppedFile, smallFile } from '../../../middleware/dropped-file.ts';
import { UserError } from '../../../middleware/errors.ts';
import { findPhonebook } from '../../../middleware/find-phonebook.ts';
import { answerWhenReady, type FormResult } from '../../../middleware/forms/answer-when-ready.ts';
import { requirePerformed } from '../../../middleware/not-performed.ts';
import type { User } from '../../../middleware/requests.ts';
import type { Router } from '../../../middleware/router/router.ts';
import { createRejectedRowsSender } from '../../../notifier/rejected-rows-sender.ts';
import { changeMetadata } from '../add-view.ts';
import { listPositionSchema, startOfList } from '../list-position.ts';
import { uploadAction } from '../list-view.ts';
import { contactOutcomeView } from '../outcome-view.ts';
import {
  readingContactsView,
  uploadCallback,
  uploadingView,
  uploadPreviewCallback,
  uploadPreviewView,
  uploadView,
} from './views.ts';

/** Uploads of contacts: a file is read and previewed, and then uploaded once. */
export function registerContactUploads(router: Router, context: AppContext): void {
  const { services, notifier } = context;
  const { contactUploads, phonebooks, workspaces } = services;
  const sendRejectedRows = createRejectedRowsSender(context);

  router.action(uploadAction, 'campaign', async ({ user: { workspaceId }, requestId, view }) => {
    const position = listPositionSchema.parse(view?.metadata);
    const [named, { country }] = await Promise.all([
      phonebooks.list(workspaceId),
      workspaces.defaults(workspaceId),
    ]);
    const key = idempotencyKey(workspaceId, requestId);
    await view?.replace(uploadView({ phonebooks: named, position, key, country }));
  });

  /** Reads the file, stores its contacts until the preview is submitted, and sends the rejected rows. */
  async function preview(
    user: User,
    values: FormValues,
    { key, origin }: { key: string; origin?: string | undefined },
  ): Promise<FormResult> {
    const phonebook = await findPhonebook(phonebooks, user, values.phonebook?.text);
    const country = values.country?.text ?? '';
    const [dropped] = values.file?.files ?? [];
    if (!isCountry(country)) {
      return { errors: { country: 'Choose a country.' } };
    }
    if (dropped === undefined) {
      return { errors: { file: 'Upload a file.' } };
    }
    const limits = { ...smallFile, remedy: 'Split the file.' };
    const file = await readDroppedFile({ ...user, dropped }, limits, context, (content) =>
      readContactFile(content, country),
    );
    if (!file.ok) {
      return { errors: { file: file.reason } };
    }
    const { table } = file;
    const { name: fileName } = dropped;
    await contactUploads.keep({ ...user, key, phonebook, country, table });
    const isRejectedFileSent = await sendRejectedRows({
      needed: 'campaign',
      ...user,
      key: idempotencyKey(user.userId, key),
      fileName,
      rejected: table.rejected,
    });
    const checked = { fileName, phonebook, country, table, isRejectedFileSent };
    return { view: uploadPreviewView(checked, { position: startOfList(phonebook.id, origin), key }) };
  }

  router.submission(uploadCallback, 'campaign', async ({ user, values, metadata, beforeAckDeadline }) =>
    answerWhenReady(preview(user, values, changeMetadata.parse(metadata)), {
      beforeAckDeadline,
      loading: readingContactsView(),
      nothingDone: mrkdwn`*Nothing was uploaded.*`,
    }),
  );

  router.submission(uploadPreviewCallback, 'campaign', async ({ user, metadata }) => {
    const { key, ...position } = changeMetadata.parse(metadata);
    return {
      view: uploadingView(),
      background: async () => {
        const uploading = await contactUploads.upload({ ...user, key });
        if (uploading.kind === 'gone') {
          throw new UserError(
            mrkdwn`This preview is too old, so nothing was uploaded. Upload the file again.`,
            { isFinal: true },
          );
        }
        requirePerformed(uploading, 'Nothing was uploaded.');
        await notifier.notify(uploading.operation);
        return contactOutcomeView(uploading.operation, position);
      },
    };
  });

  router.closed(uploadPreviewCallback, async ({ user, metadata }) => {
    await contactUploads.cancel({ ...user, key: changeMetadata.parse(metadata).key });
  });
}
