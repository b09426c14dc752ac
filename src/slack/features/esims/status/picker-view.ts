import type { ModalView } from '@slack/types';
import { readIccid } from '../../../../domain/esims/iccid.ts';
import { input, modal, section } from '../../../block-kit/build.ts';
import { esimInput } from '../../../block-kit/inputs/esim-input.ts';
import { stateIcons } from '../../../block-kit/state-icons.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import type { FormValues } from '../../../block-kit/view-state.ts';
import type { FieldErrors } from '../../../middleware/requests.ts';

export const pickerCallback = 'esim_status_pick';

/** The choice of an eSIM: from a select, or by its ICCID, typed or pasted. */
export function pickerView(typed = '', problem?: string): ModalView {
  return modal({
    callbackId: pickerCallback,
    title: 'eSIM status',
    submit: 'Show',
    close: 'Cancel',
    blocks: [
      ...(problem === undefined ? [] : [section(mrkdwn`${stateIcons.failed} ${problem}`)]),
      esimInput('chosen', { optional: true, label: 'Pick an eSIM' }),
      input(
        'typed',
        'Or enter an ICCID',
        {
          type: 'plain_text_input',
          action_id: 'typed',
          max_length: 100,
          ...(typed === '' ? {} : { initial_value: typed.slice(0, 100) }),
        },
        { optional: true, hint: 'Typed or pasted, with or without spaces.' },
      ),
    ],
  });
}

/** Reads the choice. A typed ICCID wins over the select. */
export function readPicked(values: FormValues): { iccid: string } | { errors: FieldErrors } {
  const typed = values.typed?.text?.trim() ?? '';
  const chosen = values.chosen?.text;
  if (typed === '') {
    return chosen === undefined
      ? { errors: { typed: 'Pick an eSIM, or enter an ICCID.' } }
      : { iccid: chosen };
  }
  const read = readIccid(typed);
  return read.ok ? { iccid: read.iccid } : { errors: { typed: read.reason } };
}
