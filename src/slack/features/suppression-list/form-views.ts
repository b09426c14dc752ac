import type { KnownBlock, ModalView } from '@slack/types';
import { maxFileRows, type NumbersOfFile } from '../../../services/numbers/numbers-file.ts';
import type { AddSuppressedResult } from '../../../services/suppression-list/suppression-list.ts';
import { context, input, modal, notice, section } from '../../block-kit/build.ts';
import { clampText, limits } from '../../block-kit/limits.ts';
import { pluralize } from '../../block-kit/plural.ts';
import { rejectedRowsBlocks } from '../../block-kit/rejected-rows.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import { suppressionListTitle } from './list-view.ts';

export const addNumberCallback = 'do_not_contact_numbers';
export const removeCallback = 'do_not_contact_off';
export const importCallback = 'do_not_contact_file';

const importTitle = 'Import a CSV';
const longestName = 60;

/** The form that takes numbers as they are pasted. */
export function addNumberView(): ModalView {
  return modal({
    callbackId: addNumberCallback,
    title: suppressionListTitle,
    submit: 'Add',
    close: 'Cancel',
    blocks: [
      numbersInput('Numbers to add'),
      context(
        mrkdwn`Campaigns leave them out from now on, also those under way that have not got to them yet.`,
      ),
    ],
  });
}

/** The same for taking numbers off the list. */
export function removeView(): ModalView {
  return modal({
    callbackId: removeCallback,
    title: suppressionListTitle,
    submit: 'Remove',
    close: 'Cancel',
    blocks: [
      numbersInput('Numbers to take off the list'),
      context(mrkdwn`Campaigns may go to them again. Make sure that they agreed to it.`),
    ],
  });
}

function numbersInput(label: string) {
  return input(
    'numbers',
    label,
    {
      type: 'plain_text_input',
      action_id: 'numbers',
      multiline: true,
      focus_on_load: true,
      max_length: limits.inputText,
    },
    { hint: 'With commas, spaces or line breaks between them. About 200 fit here.' },
  );
}

/** The form that takes a file. */
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
          hint: `CSV; the column with the numbers is found by itself. Up to ${maxFileRows.toLocaleString('en')} rows.`,
        },
      ),
      context(mrkdwn`Every number in it is added to the list.`),
    ],
  });
}

export function importingView(): ModalView {
  return notice(importTitle, section(mrkdwn`:hourglass_flowing_sand: Reading the file…`));
}

/** After numbers were added: how many, and how many were there before. */
export function addedNews({ added, alreadyListed: already }: AddSuppressedResult): Markup {
  if (added === 0) {
    return already === 1
      ? mrkdwn`:information_source: It was on the list already.`
      : mrkdwn`:information_source: All ${already.toLocaleString('en')} were on the list already.`;
  }
  const before =
    already === 0 ? '' : ` ${already.toLocaleString('en')} ${wasOrWere(already)} on the list already.`;
  return mrkdwn`:white_check_mark: *${pluralize(added, 'number')} added.*${before}`;
}

export function removedNews(removed: number, given: number): Markup {
  const others = given - removed;
  const notThere =
    others === 0 ? '' : ` ${others.toLocaleString('en')} ${wasOrWere(others)} not on the list.`;
  return mrkdwn`:white_check_mark: *${pluralize(removed, 'number')} removed.*${notThere}`;
}

function wasOrWere(count: number): string {
  return count === 1 ? 'was' : 'were';
}

/** After a file was imported: from where, how many, and what was left out. */
export function importedNews(
  fileName: string,
  file: NumbersOfFile,
  { added, areBadRowsSent }: { added: AddSuppressedResult; areBadRowsSent: boolean },
): KnownBlock[] {
  const name = clampText(fileName, longestName);
  const from =
    file.column === undefined
      ? mrkdwn`From ${name}.`
      : mrkdwn`From the column *${clampText(file.column, longestName)}* of ${name}.`;
  return [
    section(addedNews(added)),
    context(
      from,
      ...(file.duplicates === 0 ? [] : [mrkdwn`${file.duplicates.toLocaleString('en')} repeated.`]),
    ),
    ...rejectedRowsBlocks(file.bad, areBadRowsSent),
  ];
}
