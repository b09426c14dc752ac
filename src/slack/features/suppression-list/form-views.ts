import type { KnownBlock, ModalView } from '@slack/types';
import type { NumberRows } from '../../../domain/csv/recipient-rows.ts';
import { maxFileRows } from '../../../services/numbers/number-list.ts';
import type { AddSuppressedResult } from '../../../services/suppression-list/suppression-list.ts';
import { context, input, modal, section } from '../../block-kit/build.ts';
import { rejectedRowsBlocks } from '../../block-kit/descriptions/rejected-rows.ts';
import { textInput } from '../../block-kit/inputs/fields.ts';
import { clampText, limits } from '../../block-kit/limits.ts';
import { loadingView } from '../../block-kit/loading-view.ts';
import { formatCount, pluralize } from '../../block-kit/plural.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';

export const addNumberCallback = 'do_not_contact_numbers';
export const removeCallback = 'do_not_contact_off';
export const importCallback = 'do_not_contact_file';

export const suppressionListTitle = 'Do-not-contact list';
export const suppressionListActions = {
  search: 'do_not_contact_search',
  add: 'do_not_contact_add',
  addThis: 'do_not_contact_add_this',
  remove: 'do_not_contact_remove',
  removeThis: 'do_not_contact_remove_this',
  import: 'do_not_contact_import',
  export: 'do_not_contact_export',
} as const;

const importTitle = 'CSV import';
const maxNameLength = 60;

/** The form that adds pasted numbers. */
export function addNumberView(): ModalView {
  const note = mrkdwn`Campaigns skip the numbers from now on. A running campaign skips those that it has not sent to yet.`;
  return pastedNumbersView(addNumberCallback, 'Add', note);
}

/** The form that removes pasted numbers. */
export function removeView(): ModalView {
  const note = mrkdwn`Campaigns can include the numbers again. Make sure that their owners agreed.`;
  return pastedNumbersView(removeCallback, 'Remove', note);
}

function pastedNumbersView(callbackId: string, submit: 'Add' | 'Remove', note: Markup): ModalView {
  const numbers = textInput('numbers', `Numbers to ${submit.toLowerCase()}`, '', {
    multiline: true,
    focus: true,
    maxLength: limits.inputText,
    hint: 'Separated by commas, spaces or line breaks. About 200 fit here.',
  });
  return modal({
    callbackId,
    title: suppressionListTitle,
    submit,
    close: 'Cancel',
    blocks: [numbers, context(note)],
  });
}

/** The form that imports a file. */
export function importView(): ModalView {
  return modal({
    callbackId: importCallback,
    title: importTitle,
    submit: 'Import',
    close: 'Cancel',
    blocks: [
      input(
        'file',
        'File',
        { type: 'file_input', action_id: 'file', filetypes: ['csv', 'tsv', 'txt'], max_files: 1 },
        {
          hint: `A CSV file with a column of phone numbers, up to ${formatCount(maxFileRows)} rows.`,
        },
      ),
      context(mrkdwn`Every number in the file is added to the list.`),
    ],
  });
}

export function importingView(): ModalView {
  return loadingView(importTitle, 'Reading the file…');
}

/** How many numbers were added, and how many were on the list already. */
export function addedBanner({ added, alreadyListed: already }: AddSuppressedResult): Markup {
  if (added === 0) {
    return already === 1
      ? mrkdwn`:information_source: The number was on the list already.`
      : mrkdwn`:information_source: All ${formatCount(already)} numbers were on the list already.`;
  }
  const before = already === 0 ? '' : ` ${formatCount(already)} ${wasOrWere(already)} on the list already.`;
  return mrkdwn`${stateIcons.done} *${pluralize(added, 'number')} added.*${before}`;
}

export function removedBanner(removed: number, given: number): Markup {
  const others = given - removed;
  const notThere = others === 0 ? '' : ` ${formatCount(others)} ${wasOrWere(others)} not on the list.`;
  return mrkdwn`${stateIcons.done} *${pluralize(removed, 'number')} removed.*${notThere}`;
}

function wasOrWere(count: number): string {
  return count === 1 ? 'was' : 'were';
}

/** How many numbers were imported, from which column, and the rejected rows. */
export function importedBanner(
  fileName: string,
  file: NumberRows,
  { added, isRejectedFileSent }: { added: AddSuppressedResult; isRejectedFileSent: boolean },
): KnownBlock[] {
  const name = clampText(fileName, maxNameLength);
  const from =
    file.column === undefined
      ? mrkdwn`From ${name}.`
      : mrkdwn`From the column *${clampText(file.column, maxNameLength)}* of ${name}.`;
  return [
    section(addedBanner(added)),
    context(
      from,
      ...(file.duplicates === 0 ? [] : [mrkdwn`${pluralize(file.duplicates, 'duplicate')} skipped.`]),
    ),
    ...rejectedRowsBlocks(file.rejected, isRejectedFileSent),
  ];
}
