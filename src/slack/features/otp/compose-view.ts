import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { otpWaySchema } from '../../../domain/otp/otp-ways.ts';
import {
  type CodeSetup,
  fieldsOf,
  type OtpField,
  type OtpForm,
  otpFields,
} from '../../../services/otp/code-form.ts';
import { context, input, modal } from '../../block-kit/build.ts';
import {
  type DestinationChoice,
  destinationInputs,
  readDestination,
} from '../../block-kit/inputs/destination-input.ts';
import { otpWayInput } from '../../block-kit/inputs/otp-way-input.ts';
import { senderIdInput } from '../../block-kit/inputs/sender-id-input.ts';
import { limits } from '../../block-kit/limits.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { FormValues } from '../../block-kit/view-state.ts';
import { describeWay } from './way-texts.ts';

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
const maxKept = 600;

export interface CodeFormContent {
  form: OtpForm;
  destination: DestinationChoice;
  metadata: CodeMetadata;
  setup: CodeSetup;
  isAdmin: boolean;
  /** The command that opens the settings. */
  settingsCommand: string;
}

export function codeView(content: CodeFormContent): ModalView {
  const { form, destination, metadata, setup } = content;
  const { way } = form;
  const fields = fieldsOf(way, setup);
  const [recipient, ...others] = fields.map((field) => fieldInput(field, form));
  return modal({
    callbackId: codeCallback,
    title: 'One-time code',
    submit: way === 'in_app' ? 'Show code' : 'Send code',
    close: 'Cancel',
    notifyOnClose: true,
    metadata: { ...metadata, kept: hiddenValues(form, fields) },
    blocks: [
      ...(recipient === undefined ? [] : [recipient]),
      otpWayInput('way', way, { ways: setup.ways, actionId: wayAction }),
      ...others,
      context(mrkdwn`${describeWay(way, setup)}`),
      ...adminHint(content),
      ...destinationInputs(destination, codeDestinationAction),
    ],
  });
}

function adminHint({ isAdmin, setup, settingsCommand }: CodeFormContent): KnownBlock[] {
  const { senderId, emailConfigurationId } = setup.defaults;
  const missing = [
    ...(senderId === undefined ? ['a sender ID for everyone'] : []),
    ...(emailConfigurationId === undefined ? ['an email configuration for codes by email'] : []),
  ];
  return isAdmin && missing.length > 0
    ? [context(mrkdwn`Add ${missing.join(' and ')} under \`${settingsCommand}\`, *One-time codes*.`)]
    : [];
}

function hiddenValues(form: OtpForm, shown: readonly OtpField[]): Record<string, string> {
  const fields = otpFields
    .filter((field) => !shown.includes(field))
    .map((field) => [field, form[field] ?? ''] as const)
    .filter(([, value]) => value !== '' && JSON.stringify(value).length <= maxKept);
  return Object.fromEntries(fields);
}

function fieldInput(field: OtpField, form: OtpForm): InputBlock {
  const typed = (label: string, options: { hint?: string; maxLength?: number } = {}) =>
    input(
      field,
      label,
      {
        type: 'plain_text_input',
        action_id: field,
        max_length: options.maxLength ?? limits.optionText,
        ...(form[field] ? { initial_value: form[field] } : {}),
      },
      options.hint === undefined ? {} : { hint: options.hint },
    );
  switch (field) {
    case 'number':
      return typed('Phone number');
    case 'address':
      return typed('Email address', { maxLength: 254 });
    case 'device':
      return typed('Device', { hint: 'The name of your device for the chat app.' });
    case 'senderId':
      return senderIdInput('senderId', form.senderId);
  }
}

/** Reads the form. A field that the chosen way does not have keeps its value. */
export function readCode(
  values: FormValues,
  { origin, kept = {} }: CodeMetadata,
): { form: OtpForm; destination: DestinationChoice } {
  const chosen = (field: OtpField) => (field in values ? values[field]?.text : kept[field]);
  return {
    form: {
      way: otpWaySchema.catch('sms').parse(values.way?.text),
      number: chosen('number') ?? '',
      address: chosen('address') ?? '',
      device: chosen('device') ?? '',
      senderId: chosen('senderId'),
    },
    destination: readDestination(values, origin),
  };
}
