import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { idempotencyKey } from '../../../domain/access/request-keys.ts';
import type { ContactTable } from '../../../domain/csv/contact-rows.ts';
import type { ChosenReading } from '../../../domain/csv/table-reading.ts';
import { type CountryCode, callingCodeOf, countryName, isCountry } from '../../../domain/phone/countries.ts';
import { readContactFile } from '../../../services/contacts/contact-uploads.ts';
import type { NamedPhonebook } from '../../../services/contacts/phonebooks.ts';
import { context, lines, loadingView, modal, performingView, section } from '../../block-kit/build.ts';
import { rejectedRowsBlocks } from '../../block-kit/descriptions/rejected-rows.ts';
import { readingBlocks, readReading } from '../../block-kit/descriptions/table-reading.ts';
import { clampText } from '../../block-kit/limits.ts';
import { formatCount, pluralize } from '../../block-kit/plural.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import { inputFileSchema } from '../../block-kit/view-state.ts';
import { countryField, optionsField, tableFileField } from '../../kit/fields.ts';
import { defineForm } from '../../kit/form.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { readDroppedFile, smallFile } from '../../middleware/dropped-file.ts';
import { errorView, UserError } from '../../middleware/errors.ts';
import { addToRefusal } from '../../middleware/explain-refusal.ts';
import { findPhonebook } from '../../middleware/find-phonebook.ts';
import type { ActionRequest, User } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { createRejectedRowsSender } from '../../notifier/rejected-rows-sender.ts';
import { whereContactsGo } from './contact.ts';
import {
  contactListActions,
  type ListPosition,
  listPositionSchema,
  positionOf,
  startOfList,
} from './list.ts';
import { tellOfChange } from './outcomes.ts';

const title = 'Contact upload';
const reviewCallback = 'contacts_review';

const readingAction = 'contacts_reading';

/** The idempotency key of the upload, and the list position to return to. */
const uploadMetadata = listPositionSchema.extend({ key: z.string() });

/** A file that was dropped, by the key of its upload: to read it in another way. */
const droppedSchema = z.object({
  file: inputFileSchema,
  country: z.string(),
  phonebook: z.object({ id: z.string(), name: z.string() }),
});
type Dropped = z.infer<typeof droppedSchema>;

const nameOfDropped = (key: string) => `contacts.${key}`;

/** Uploads of contacts: a file is read and reviewed, and then uploaded once. */
export function createUpload(app: AppContext) {
  const { contactUploads } = app.services;
  const form = createFileForm(app);
  const begin = ({ user, requestId }: Pick<ActionRequest, 'user' | 'requestId'>, position: ListPosition) =>
    form.view(user, { ...position, key: idempotencyKey(user.workspaceId, requestId) });

  return {
    /** Returns the form for a request, whose id makes the key of the upload. */
    begin,

    register(router: Router): void {
      form.register(router);
      router.action(contactListActions.upload, 'campaign', async (call) => {
        await call.view?.replace(await begin(call, positionOf(call)));
      });
      router.action(readingAction, 'campaign', (call) => readAgain(app, call));
      router.submission(reviewCallback, 'campaign', async ({ user, metadata }) => {
        const { key, ...position } = uploadMetadata.parse(metadata);
        return {
          view: performingView(title, 'Uploading the contacts…', 'uploaded'),
          background: () => upload(app, user, key, position),
        };
      });
      router.closed(reviewCallback, ({ user, metadata }) =>
        contactUploads.cancel({ ...user, key: uploadMetadata.parse(metadata).key }),
      );
    },
  };
}

async function upload(app: AppContext, user: User, key: string, position: ListPosition): Promise<ModalView> {
  const { operation } = await app.services.contactUploads
    .upload({ ...user, key })
    .catch(addToRefusal('Nothing was uploaded.'));
  return tellOfChange(app, 'upload', operation, { user, position });
}

/** From a review: reads the file as the person chose. */
async function readAgain(app: AppContext, { user, value, view, show }: ActionRequest): Promise<void> {
  const { contactUploads, savedForms } = app.services;
  const { id: key, reading } = readReading(value);
  const dropped = droppedSchema.safeParse(await savedForms.find(user, nameOfDropped(key))).data;
  if (dropped === undefined) {
    throw new UserError(
      mrkdwn`This review is more than a day old. Nothing was uploaded. Upload the file again.`,
    );
  }
  const { origin } = uploadMetadata.parse(view?.metadata);
  const replace = await show(loadingView(title, 'Reading the file…'));
  // Each reading has its own key, so that the upload matches the contacts the person saw.
  const next = idempotencyKey(key, value);
  const result = await review(app, user, { dropped, reading, key: next, origin });
  await contactUploads.cancel({ ...user, key });
  await replace(result.ok ? result.view : errorView(mrkdwn`${Object.values(result.faults)}`));
}

/** Reads a file, stores its contacts until the review is submitted, and sends its rejected rows. */
async function review(
  app: AppContext,
  user: User,
  {
    dropped,
    reading,
    key,
    origin,
  }: { dropped: Dropped; reading?: ChosenReading; key: string; origin: string | undefined },
) {
  const { phonebook } = dropped;
  const read = await readDropped(app, user, dropped, reading);
  if (!read.ok) {
    return read;
  }
  const { table, country, fileName } = read;
  const { rejected } = table;
  await app.services.contactUploads.save({ ...user, key, phonebook, country, table });
  await app.services.savedForms.save(user, nameOfDropped(key), dropped);
  const sentKey = idempotencyKey(user.userId, key);
  const sent = { needed: 'campaign', ...user, key: sentKey, fileName, rejected } as const;
  const isRejectedFileSent = await createRejectedRowsSender(app)(sent);
  const checked = { fileName, phonebook, country, table, isRejectedFileSent };
  const view = uploadReviewView(checked, { position: startOfList(phonebook.id, origin), key });
  return { ok: true, view } as const;
}

/** The form that takes the file. */
function createFileForm(app: AppContext) {
  const { phonebooks } = app.services;
  return defineForm({
    id: 'contacts_file',
    title,
    submit: 'Review',
    needs: 'campaign',
    meta: uploadMetadata,
    load: ({ workspaceId }) => whereContactsGo(app, workspaceId),
    first: ({ country }, { phonebookId }) => ({ phonebook: phonebookId, country }),
    fields: {
      phonebook: optionsField('Phonebook'),
      file: tableFileField(
        'CSV with a column of phone numbers. Other columns are uploaded too. Up to 10,000 rows.',
      ),
      country: countryField('The country of all numbers in the file.'),
    },
    overrides: { phonebook: ({ data: { options } }) => ({ options }) },
    below: () => [context(mrkdwn`You’ll review it before anything is uploaded.`)],
    slow: {
      loading: loadingView(title, 'Reading the file…'),
      nothingDone: mrkdwn`*Nothing was uploaded.*`,
    },
    async submitted({ user, form, meta: { key, origin } }) {
      const phonebook = await findPhonebook(phonebooks, user, form.phonebook);
      const { file, country } = form;
      if (file === undefined) {
        return { faults: { file: 'Upload a file.' } };
      }
      return review(app, user, { dropped: { file, country, phonebook }, key, origin });
    },
  });
}

async function readDropped(
  app: AppContext,
  { workspaceId }: User,
  { file: dropped, country }: Dropped,
  reading: ChosenReading | undefined,
) {
  if (!isCountry(country)) {
    return { ok: false, faults: { country: 'Choose a country.' } } as const;
  }
  const limits = { ...smallFile, remedy: 'Split the file.' };
  const file = await readDroppedFile({ workspaceId, dropped }, limits, app, (content) =>
    readContactFile(content, country, reading),
  );
  return file.ok
    ? ({ ...file, country, fileName: dropped.name } as const)
    : ({ ok: false, faults: { file: file.reason } } as const);
}

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

/** What was read from the file, before anything is uploaded. */
export function uploadReviewView(
  checked: CheckedFile,
  options: { position: ListPosition; key: string },
): ModalView {
  const { fileName, phonebook, country, table, isRejectedFileSent } = checked;
  const { contacts, titles, numberTitle, duplicates, review } = table;
  const isAsked = review.doubts.length > 0;
  const count = pluralize(contacts.length, 'contact');
  const more = contacts.length - maxContactsShown;
  return modal({
    callbackId: reviewCallback,
    title: 'Upload review',
    ...(isAsked ? {} : { submit: 'Upload' }),
    close: 'Cancel',
    notifyOnClose: true,
    metadata: { ...options.position, key: options.key },
    blocks: [
      section(mrkdwn`*${count}* from ${fileName} for *${phonebook.name}*`),
      ...readingBlocks(review, readingAction, options.key),
      ...lines([
        ...contacts.slice(0, maxContactsShown).map(({ number, details }) => {
          const shown = details.filter((detail) => detail !== '').join(' · ');
          return mrkdwn`\`${number}\`${shown === '' ? '' : ` · ${clip(shown)}`}`;
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
