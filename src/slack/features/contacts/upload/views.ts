import type { ModalView } from '@slack/types';
import type { ContactTable } from '../../../../domain/csv/contact-rows.ts';
import { type CountryCode, callingCodeOf, countryName } from '../../../../domain/phone/countries.ts';
import { formatNumber } from '../../../../domain/phone/phone-number.ts';
import type { NamedPhonebook } from '../../../../services/contacts/phonebooks.ts';
import { context, input, lines, modal, section } from '../../../block-kit/build.ts';
import { rejectedRowsBlocks } from '../../../block-kit/descriptions/rejected-rows.ts';
import { phoneCountryInput } from '../../../block-kit/inputs/phone-country-input.ts';
import { phonebookInput } from '../../../block-kit/inputs/phonebook-input.ts';
import { clampText } from '../../../block-kit/limits.ts';
import { loadingView, performingView } from '../../../block-kit/loading-view.ts';
import { formatCount, pluralize } from '../../../block-kit/plural.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import type { ListPosition } from '../list-position.ts';

export const uploadCallback = 'contacts_file';
export const uploadPreviewCallback = 'contacts_preview';

const title = 'Contact upload';
const maxContactsShown = 5;

/** A file that was read, and the phonebook it is uploaded to. */
export interface CheckedFile {
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
