import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { context, input, modal, notice, section } from '../../../block-kit/build.ts';
import { type DestinationChoice, destinationInputs } from '../../../block-kit/inputs/destination-input.ts';
import { limits } from '../../../block-kit/limits.ts';
import { loadingView } from '../../../block-kit/loading-view.ts';
import { message, type SlackMessage } from '../../../block-kit/message.ts';
import { formatCount, pluralize } from '../../../block-kit/plural.ts';
import { stateIcons } from '../../../block-kit/state-icons.ts';
import { type Markup, mrkdwn } from '../../../block-kit/text.ts';

export const checkCallback = 'dnd_check';
export const checkDestinationAction = 'dnd_place_choice';
/** Opens the form with the text of a command. */
export const editCheckAction = 'dnd_check_edit';

export const checkMetadata = z.object({ origin: z.string().optional() });

export const dndCheckTitle = 'Do-Not-Disturb check';

/** The blocks of the form's fields, which is where their errors go. */
export const dndCheckFields = { numbers: 'numbers', file: 'file' } as const;

/** The form; `origin` is the channel it was opened from. Slack keeps the dropped file in its field. */
export function dndCheckView(
  typed: string,
  destination: DestinationChoice,
  origin: string | undefined,
): ModalView {
  return modal({
    callbackId: checkCallback,
    title: dndCheckTitle,
    submit: 'Check',
    metadata: { origin },
    blocks: [
      input(
        dndCheckFields.numbers,
        'Phone numbers',
        {
          type: 'plain_text_input',
          action_id: 'numbers',
          multiline: true,
          focus_on_load: true,
          max_length: limits.inputText,
          ...(typed === '' ? {} : { initial_value: typed }),
        },
        {
          hint: 'Separated by commas, spaces or line breaks. About 200 fit here.',
          optional: true,
        },
      ),
      input(
        dndCheckFields.file,
        'Or a CSV file',
        { type: 'file_input', action_id: 'file', filetypes: ['csv', 'tsv', 'txt'], max_files: 1 },
        {
          hint: 'With a column of phone numbers. Up to 1,000 numbers in all.',
          optional: true,
        },
      ),
      ...destinationInputs(destination, checkDestinationAction),
    ],
  });
}

export function readingNumbersView(): ModalView {
  return loadingView(dndCheckTitle, 'Reading the file…');
}

/** `file`: whether the result is also sent as a file, so the modal can be closed. */
export function checkingView(done: number, of: number, file: boolean): ModalView {
  const mayClose = context(
    mrkdwn`You can close this. The result also comes as a file, in your messages with Switchboard.`,
  );
  return notice(dndCheckTitle, section(checking(done, of)), ...(file ? [mayClose] : []));
}

export function checkingMessage(done: number, of: number): SlackMessage {
  const text = checking(done, of);
  return message(text, [section(text)]);
}

function checking(done: number, of: number): Markup {
  return mrkdwn`${stateIcons.underway} Checking ${pluralize(of, 'number')}: ${formatCount(done)} done…`;
}
