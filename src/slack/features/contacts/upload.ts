import type { ModalView } from '@slack/types';
import { idempotencyKey } from '../../../domain/access/request-keys.ts';
import type { ContactTable } from '../../../domain/csv/contact-rows.ts';
import { type CountryCode, callingCodeOf, countryName, isCountry } from '../../../domain/phone/countries.ts';
import { formatNumber } from '../../../domain/phone/phone-number.ts';
import { readContactFile } from '../../../services/contacts/contact-uploads.ts';
import type { NamedPhonebook } from '../../../services/contacts/phonebooks.ts';
import { context, input, lines, loadingView, modal, performingView, section } from '../../block-kit/build.ts';
import { rejectedRowsBlocks } from '../../block-kit/descriptions/rejected-rows.ts';
import { phoneCountryInput } from '../../block-kit/inputs/countries.ts';
import { phonebookInput } from '../../block-kit/inputs/selects.ts';
import { clampText } from '../../block-kit/limits.ts';
import { formatCount, pluralize } from '../../block-kit/plural.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { FormValues } from '../../block-kit/view-state.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { readDroppedFile, smallFile } from '../../middleware/dropped-file.ts';
import { UserError } from '../../middleware/errors.ts';
import { findPhonebook } from '../../middleware/find-phonebook.ts';
import { answerWhenReady, type FormResult } from '../../middleware/forms/answer-when-ready.ts';
import { requirePerformed } from '../../middleware/not-performed.ts';
import type { User } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { createRejectedRowsSender } from '../../notifier/rejected-rows-sender.ts';
import { changeMetadata, newFormOf } from './contact.ts';
import { type ListPosition, startOfList, uploadAction } from './list-view.ts';
import { contactOutcomeView } from './outcome-view.ts';

/** Uploads of contacts: a file is read and previewed, and then uploaded once. */
export function registerContactUploads(router: Router, context: AppContext): void {
  const { contactUploads } = context.services;
  const sendRejectedRows = createRejectedRowsSender(context);

  router.action(uploadAction, 'campaign', async (call) => {
    await call.view?.replace(uploadView(await newFormOf(context, call)));
  });

  router.submission(uploadCallback, 'campaign', async ({ user, values, metadata, beforeAckDeadline }) =>
    answerWhenReady(preview(context, user, values, changeMetadata.parse(metadata), sendRejectedRows), {
      beforeAckDeadline,
      loading: readingContactsView(),
      nothingDone: mrkdwn`*Nothing was uploaded.*`,
    }),
  );

  router.submission(uploadPreviewCallback, 'campaign', async ({ user, metadata }) => {
    const { key, ...position } = changeMetadata.parse(metadata);
    return { view: uploadingView(), background: () => upload(context, user, key, position) };
  });

  router.closed(uploadPreviewCallback, async ({ user, metadata }) => {
    await contactUploads.cancel({ ...user, key: changeMetadata.parse(metadata).key });
  });
}

/** Reads the file, stores its contacts until the preview is submitted, and sends the rejected rows. */
async function preview(
  context: AppContext,
  user: User,
  values: FormValues,
  { key, origin }: { key: string; origin?: string | undefined },
  sendRejectedRows: ReturnType<typeof createRejectedRowsSender>,
): Promise<FormResult> {
  const { contactUploads, phonebooks } = context.services;
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
  await contactUploads.save({ ...user, key, phonebook, country, table });
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

async function upload(
  { services, notifier }: AppContext,
  user: User,
  key: string,
  position: ListPosition,
): Promise<ModalView> {
  const uploading = await services.contactUploads.upload({ ...user, key });
  if (uploading.kind === 'gone') {
    throw new UserError(mrkdwn`This preview is too old, so nothing was uploaded. Upload the file again.`, {
      isFinal: true,
    });
  }
  requirePerformed(uploading, 'Nothing was uploaded.');
  await notifier.notify(uploading.operation);
  return contactOutcomeView(uploading.operation, position);
}

const uploadCallback = 'contacts_file';
const uploadPreviewCallback = 'contacts_preview';

const title = 'Contact upload';
const maxContactsShown = 5;

/** A file that was read, and the phonebook it is uploaded to. */
interface CheckedFile {
  fileName: string;
  phonebook: NamedPhonebook;
  country: CountryCode;
  table: ContactTable;
  /** False if Slack refused the file of rejected rows. */
  isRejectedFileSent: boolean;
}

/** The form that takes the file. Slack keeps the dropped file in its field. */
export function uploadView(options: {
  phonebooks: readonly NamedPhonebook[];
  position: ListPosition;
  key: string;
  country: string;
}): ModalView {
  const { phonebooks, position, key, country } = options;
  return modal({
    callbackId: uploadCallback,
    title,
    submit: 'Check',
    close: 'Cancel',
    metadata: { ...position, key },
    blocks: [
      phonebookInput(phonebooks, position.phonebookId),
      input(
        'file',
        'File',
        { type: 'file_input', action_id: 'file', filetypes: ['csv', 'tsv', 'txt'], max_files: 1 },
        { hint: 'CSV with a column of phone numbers. Other columns are uploaded too. Up to 10,000 rows.' },
      ),
      phoneCountryInput('country', country, 'The country of all numbers in the file.'),
      context(mrkdwn`You see a preview before anything is uploaded.`),
    ],
  });
}

export function readingContactsView(): ModalView {
  return loadingView(title, 'Reading the file…');
}

export function uploadingView(): ModalView {
  return performingView(title, 'Uploading the contacts…', 'uploaded');
}

/** What was read from the file, before anything is uploaded. */
export function uploadPreviewView(
  checked: CheckedFile,
  options: { position: ListPosition; key: string },
): ModalView {
  const { fileName, phonebook, country, table, isRejectedFileSent } = checked;
  const { contacts, titles, numberTitle, duplicates } = table;
  const count = pluralize(contacts.length, 'contact');
  const more = contacts.length - maxContactsShown;
  return modal({
    callbackId: uploadPreviewCallback,
    title: 'Upload preview',
    submit: 'Upload',
    close: 'Cancel',
    notifyOnClose: true,
    metadata: { ...options.position, key: options.key },
    blocks: [
      section(mrkdwn`*${count}* from ${fileName} for *${phonebook.name}*`),
      ...lines([
        ...contacts.slice(0, maxContactsShown).map(({ number, details }) => {
          const shown = details.filter((detail) => detail !== '').join(' · ');
          return mrkdwn`\`${formatNumber(number)}\`${shown === '' ? '' : ` · ${clip(shown)}`}`;
        }),
        ...(more > 0 ? [mrkdwn`and ${formatCount(more)} more`] : []),
      ]),
      context(
        mrkdwn`Country: ${countryName(country)} (+${callingCodeOf(country)})`,
        ...(numberTitle === undefined ? [] : [mrkdwn`Numbers: column *${clip(numberTitle)}*`]),
        ...(titles.length === 0 ? [] : [mrkdwn`Other columns: ${clip(titles.join(', '))}`]),
        ...(duplicates === 0 ? [] : [mrkdwn`${pluralize(duplicates, 'duplicate')} skipped`]),
      ),
      ...rejectedRowsBlocks(table.rejected, isRejectedFileSent),
    ],
  });
}

const maxTextLength = 200;

function clip(text: string): string {
  return clampText(text, maxTextLength);
}
