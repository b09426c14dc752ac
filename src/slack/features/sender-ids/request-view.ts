import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { maxSenderIdLength, readNewSenderId } from '../../../domain/messages/sender-id.ts';
import type { SenderIdForm } from '../../../services/sender-ids/sender-id-form.ts';
import { context, input, modal } from '../../block-kit/build.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { FormValues } from '../../block-kit/view-state.ts';

/** What the provider's reviewers look at. */
const sampleHint =
  'A typical message, as customers will get it. Reviewers look for your company or the sender ID in the text.';

export const requestCallback = 'sender_id_request';
export const typedAction = 'sender_id_typed';
/** The idempotency key of the form's request. */
export const requestMetadata = z.object({ key: z.string() });

/** The form for a new sender ID. Below its field stands whether the typed text is a valid one. */
export function requestView(form: SenderIdForm, key: string): ModalView {
  return modal({
    callbackId: requestCallback,
    title: 'Sender ID request',
    submit: 'Request',
    close: 'Cancel',
    notifyOnClose: true,
    metadata: { key },
    blocks: [
      input(
        'senderId',
        'Sender ID',
        {
          type: 'plain_text_input',
          action_id: typedAction,
          max_length: 20,
          dispatch_action_config: { trigger_actions_on: ['on_character_entered'] },
          ...(form.senderId === '' ? { focus_on_load: true } : { initial_value: form.senderId }),
        },
        { hint: '3 to 11 letters and digits, or a number.', dispatch: true },
      ),
      { ...context(validityNote(form.senderId)), block_id: 'verdict' },
      input(
        'useCase',
        'Sample message',
        {
          type: 'plain_text_input',
          action_id: 'useCase',
          multiline: true,
          max_length: 500,
          placeholder: {
            type: 'plain_text',
            text: 'Your order A1204 has left our shop and arrives tomorrow.',
          },
          ...(form.useCase === '' ? {} : { initial_value: form.useCase }),
        },
        { hint: sampleHint },
      ),
      input('company', 'Company', {
        type: 'plain_text_input',
        action_id: 'company',
        max_length: 100,
        ...(form.company === '' ? {} : { initial_value: form.company }),
      }),
    ],
  });
}

function validityNote(typed: string): Markup {
  if (typed.trim() === '') {
    return mrkdwn`As recipients will see it.`;
  }
  const read = readNewSenderId(typed);
  return read.ok
    ? mrkdwn`${stateIcons.done} ${looksGood(read.senderId)}`
    : mrkdwn`${stateIcons.failed} ${read.reason}`;
}

/** Of a number, the length has no limit to measure it against. */
function looksGood(senderId: string): string {
  return /^\d+$/.test(senderId) ? 'Looks good.' : `Looks good (${senderId.length}/${maxSenderIdLength}).`;
}

export function readRequest(values: FormValues): SenderIdForm {
  return {
    senderId: values.senderId?.text ?? '',
    useCase: values.useCase?.text ?? '',
    company: values.company?.text ?? '',
  };
}
