import type { ModalView } from '@slack/types';
import { readIccid } from '../../../../domain/esims/iccid.ts';
import { input, modal, section } from '../../../block-kit/build.ts';
import { esimInput } from '../../../block-kit/inputs/esim-input.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import type { FormValues } from '../../../block-kit/view-state.ts';

export const pickerCallback = 'esim_status_pick';

const fields = { chosen: 'esim_status_chosen', typed: 'esim_status_typed' } as const;

/** Which eSIM: one of those that were created, or an ICCID as it was typed or pasted. */
export function pickerView(typed = '', problem?: string): ModalView {
  return modal({
    callbackId: pickerCallback,
    title: 'eSIM status',
    submit: 'Show',
    close: 'Cancel',
    blocks: [
      ...(problem === undefined ? [] : [section(mrkdwn`:x: ${problem}`)]),
      esimInput(fields.chosen, { optional: true, label: 'Pick an eSIM' }),
      input(
        fields.typed,
        'Or enter its ICCID',
        {
          type: 'plain_text_input',
          action_id: fields.typed,
          max_length: 100,
          ...(typed === '' ? {} : { initial_value: typed.slice(0, 100) }),
        },
        { optional: true, hint: 'Typed or pasted, with or without spaces.' },
      ),
    ],
  });
}

/** What is typed counts where both are filled in: it came second. */
export function readPicked(values: FormValues): { iccid: string } | { errors: Record<string, string> } {
  const typed = values[fields.typed]?.text?.trim() ?? '';
  const chosen = values[fields.chosen]?.text;
  if (typed === '') {
    return chosen === undefined
      ? { errors: { [fields.typed]: 'Pick an eSIM, or enter an ICCID.' } }
      : { iccid: chosen };
  }
  const read = readIccid(typed);
  return read.ok ? { iccid: read.iccid } : { errors: { [fields.typed]: read.reason } };
}
