import type { InputBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { emptyOtpForm, type OtpField, type OtpForm, otpFields } from '../../../services/otp/code-form.ts';
import { type OtpWay, otpWaySchema } from '../../../services/otp/otp-service.ts';
import { context, input, modal, option } from '../../block-kit/build.ts';
import {
  type DestinationChoice,
  destinationInputs,
  readDestination,
} from '../../block-kit/inputs/destination-input.ts';
import { senderIdInput } from '../../block-kit/inputs/sender-id-input.ts';
import { limits } from '../../block-kit/limits.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { FormValues } from '../../block-kit/view-state.ts';

export const codeCallback = 'otp_send';
export const wayAction = 'otp_way';
export const codeDestinationAction = 'otp_place_choice';

/**
 * The idempotency key of the form's send, the channel it was opened from, and the values of fields that the chosen way
 * does not have, for when the user switches back.
 */
export const codeMetadata = z.object({
  key: z.string(),
  origin: z.string().optional(),
  kept: z.record(z.string(), z.string()).optional(),
});
export type CodeMetadata = z.infer<typeof codeMetadata>;

/** In characters of JSON for one field, so that all of them fit into the metadata of a view. */
const maxKept = 1_500;

const wayOptions: Record<OtpWay, ReturnType<typeof option>> = {
  sms: option('SMS', 'sms', 'The provider makes the code, sends it, and alone can verify it'),
  voice: option('Voice call', 'voice', 'A call reads the code out; you verify it here'),
  email: option('E-mail', 'email', 'You verify it here'),
  chat: option('Chat app', 'chat', 'Has to be activated by the provider; you verify it here'),
  in_app: option('In-app token', 'in_app', 'Nothing is sent: the code is shown to you, once'),
};

const kindOptions = [option('Digits', 'NUMERIC'), option('Letters and digits', 'ALPHANUMERIC')];

/** Returns the block id of a field, which its error goes beside. */
export function codeBlock(field: OtpField): string {
  return `otp_${field}`;
}

export function codeView(form: OtpForm, destination: DestinationChoice, metadata: CodeMetadata): ModalView {
  const fields = otpFields[form.way].map((field) => fieldInput(field, form));
  return modal({
    callbackId: codeCallback,
    title: 'One-time code',
    submit: form.way === 'in_app' ? 'Show the code' : 'Send the code',
    close: 'Cancel',
    notifyOnClose: true,
    metadata: { ...metadata, kept: hiddenValues(form) },
    blocks: [
      input(
        'otp_way',
        'How',
        {
          type: 'radio_buttons',
          action_id: wayAction,
          options: Object.values(wayOptions),
          initial_option: wayOptions[form.way],
        },
        { dispatch: true },
      ),
      ...fields,
      context(notes[form.way]),
      ...destinationInputs(destination, codeDestinationAction),
    ],
  });
}

function hiddenValues(form: OtpForm): Record<string, string> {
  const fields = Object.values(otpFields)
    .flat()
    .filter((field) => !otpFields[form.way].includes(field))
    .map((field) => [field, form[field] ?? ''] as const)
    .filter(([, value]) => value !== '' && JSON.stringify(value).length <= maxKept);
  return Object.fromEntries(fields);
}

const notes: Record<OtpWay, Markup> = {
  sms: mrkdwn`It goes on the DND route. Only the provider can verify this code: whoever asks for it checks it there.`,
  voice: mrkdwn`Nobody sees the code. Ask the customer to read it back, and press *Verify*.`,
  email: mrkdwn`Nobody sees the code. Ask the customer to read it back, and press *Verify*.`,
  chat: mrkdwn`Nobody sees the code. Where the provider refuses it, the route has to be activated by its support.`,
  in_app: mrkdwn`The provider makes the code and verifies it. Nothing is sent to the customer.`,
};

function fieldInput(field: OtpField, form: OtpForm): InputBlock {
  const blockId = codeBlock(field);
  const typed = (label: string, hint?: string, maxLength: number = limits.optionText) =>
    input(
      blockId,
      label,
      {
        type: 'plain_text_input',
        action_id: field,
        max_length: maxLength,
        ...(form[field] ? { initial_value: form[field] } : {}),
      },
      hint === undefined ? {} : { hint },
    );
  switch (field) {
    case 'number':
      return typed('Phone number');
    case 'address':
      return typed('E-mail address', undefined, 254);
    case 'device':
      return typed('Device', 'The name of your device for the chat app.');
    case 'senderId':
      return senderIdInput(blockId, form.senderId);
    case 'text':
      return input(blockId, 'Message', {
        type: 'plain_text_input',
        action_id: field,
        multiline: true,
        max_length: 1000,
        ...(form.text === '' ? {} : { initial_value: form.text }),
      });
    case 'placeholder':
      return typed('Placeholder', 'What the code takes the place of in the message.');
    case 'length':
      return typed('Length of the code', form.way === 'chat' ? '4 to 6 digits' : '4 to 8');
    case 'minutes':
      return typed('Minutes it is good for', 'Up to 60');
    case 'attempts':
      return typed('Attempts');
    case 'kind':
      return choice(blockId, 'Made of', field, kindOptions, form.kind);
  }
}

function choice(
  blockId: string,
  label: string,
  actionId: string,
  options: typeof kindOptions,
  chosen: string | undefined,
): InputBlock {
  const initial = options.find(({ value }) => value === chosen);
  return input(blockId, label, {
    type: 'static_select',
    action_id: actionId,
    options,
    ...(initial === undefined ? {} : { initial_option: initial }),
  });
}

/** Reads the form. A field that the chosen way does not have takes its kept value, or that of a fresh form. */
export function readCode(
  values: FormValues,
  { origin, kept = {} }: CodeMetadata,
): { form: OtpForm; destination: DestinationChoice } {
  const chosen = (field: OtpField) =>
    codeBlock(field) in values ? values[codeBlock(field)]?.text : (kept[field] ?? emptyOtpForm[field]);
  const text = (field: OtpField) => chosen(field) ?? '';
  return {
    form: {
      way: otpWaySchema.catch('sms').parse(values.otp_way?.text),
      number: text('number'),
      address: text('address'),
      senderId: chosen('senderId'),
      device: text('device'),
      kind: chosen('kind'),
      length: text('length'),
      minutes: text('minutes'),
      attempts: text('attempts'),
      text: text('text'),
      placeholder: text('placeholder'),
    },
    destination: readDestination(values, origin),
  };
}
