import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { maxRecipientsPerRequest } from '../../../domain/messages/chunk-size.ts';
import type { MessageForm } from '../../../services/messages/message-form.ts';
import { input, modal, option } from '../../block-kit/build.ts';
import { textLengthBlocks } from '../../block-kit/descriptions/text-length.ts';
import {
  type DestinationChoice,
  destinationInputs,
  readDestination,
} from '../../block-kit/inputs/destination-input.ts';
import { messageInput } from '../../block-kit/inputs/message-input.ts';
import { routeInput } from '../../block-kit/inputs/route-input.ts';
import { senderIdInput } from '../../block-kit/inputs/sender-id-input.ts';
import { limits } from '../../block-kit/limits.ts';
import type { FormValues } from '../../block-kit/view-state.ts';

export const composeCallback = 'sms_compose';

/** A change of these updates the form: its fields follow the route, and it counts pages. */
export const composeActions = {
  route: 'sms_route',
  what: 'sms_what',
  text: 'sms_text',
  replacedText: 'sms_replaced_text',
  place: 'sms_place_choice',
} as const;

export const plainTextAction = 'sms_plain_text';

/** The form as filled in. */
export type ComposeForm = Omit<MessageForm, 'channelId' | 'showNumbers'> & { destination: DestinationChoice };

/** The id of the draft that the form writes, and the channel it was opened from. */
export const composeMetadata = z.object({
  draftId: z.string(),
  origin: z.string().optional(),
  /** Set if a message shows the draft too. Closing the form or its review then does not cancel the draft. */
  inMessage: z.literal(true).optional(),
  /** How many times the text was replaced in the form. */
  replaced: z.number().int().optional(),
});
export type ComposeMetadata = z.infer<typeof composeMetadata>;

/** What the form says beside what is typed into it. */
export interface ComposeSettings {
  /** Whether text outside the SMS alphabet can be sent. */
  unicode: boolean;
  commandPrefix: string;
}

const asText = option('Text', 'text');
const asFile = option('File', 'file', 'By URL: image, audio, video or PDF');

export function composeView(
  form: ComposeForm,
  metadata: ComposeMetadata,
  settings: ComposeSettings,
): ModalView {
  const byChat = form.route === 'chatapp';
  return modal({
    callbackId: composeCallback,
    title: 'New message',
    submit: 'Review',
    close: 'Cancel',
    metadata,
    blocks: [
      recipientsInput(form, settings),
      ...(byChat ? [kindInput(form)] : []),
      ...(byChat && form.asFile ? fileFields(form) : textFields(form, metadata, settings)),
      byChat ? deviceInput(form) : senderIdInput('senderId', form.senderId),
      routeInput('route', composeActions.route, form.route),
      ...destinationInputs(form.destination, composeActions.place),
    ],
  });
}

function recipientsInput({ recipients }: ComposeForm, { commandPrefix }: ComposeSettings): InputBlock {
  return input(
    'recipients',
    'To',
    {
      type: 'plain_text_input',
      action_id: 'recipients',
      multiline: true,
      max_length: limits.inputText,
      placeholder: { type: 'plain_text', text: '+234 803 123 4567, 0805 123 4567' },
      ...(recipients === ''
        ? { focus_on_load: true }
        : { initial_value: recipients.slice(0, limits.inputText) }),
    },
    { hint: `Up to ${maxRecipientsPerRequest} numbers. For more, use /${commandPrefix}sms bulk.` },
  );
}

function kindInput({ asFile: isFile }: ComposeForm): InputBlock {
  return input(
    'what',
    'Send',
    {
      type: 'radio_buttons',
      action_id: composeActions.what,
      options: [asText, asFile],
      initial_option: isFile ? asFile : asText,
    },
    { dispatch: true },
  );
}

function deviceInput({ device }: ComposeForm): InputBlock {
  return typed('device', 'Device', device, { hint: 'The name of your device, shown as the sender.' });
}

function fileFields(form: ComposeForm): InputBlock[] {
  return [
    typed('address', 'URL of the file', form.address, {
      hint: 'JPG, PNG, MP3, OGG, AMR, PDF or MP4. Videos need an audio track.',
    }),
    typed('caption', 'Caption', form.caption, { optional: true }),
  ];
}

function textFields(
  form: ComposeForm,
  metadata: ComposeMetadata,
  { unicode }: ComposeSettings,
): KnownBlock[] {
  return [
    messageInput(composeActions, form.text, metadata),
    ...textLengthBlocks(form.text, { route: form.route, unicode, replaceAction: plainTextAction }),
  ];
}

function typed(
  blockId: string,
  label: string,
  value: string | undefined,
  options: { hint?: string; optional?: boolean },
): InputBlock {
  const element = { type: 'plain_text_input' as const, action_id: blockId, max_length: 2000 };
  return input(blockId, label, value ? { ...element, initial_value: value } : element, options);
}

export function readCompose(values: FormValues, { origin }: ComposeMetadata): ComposeForm {
  return {
    recipients: values.recipients?.text ?? '',
    senderId: values.senderId?.text,
    device: values.device?.text,
    route: values.route?.text,
    asFile: values.what?.text === 'file',
    text: values.text?.text ?? '',
    address: values.address?.text,
    caption: values.caption?.text,
    destination: readDestination(values, origin),
  };
}

/** Returns the sender and the device; a field that has not been shown yet begins as in a new form. */
export function fillSender(
  form: ComposeForm,
  values: FormValues,
  begin: Pick<ComposeForm, 'senderId' | 'device'>,
): Pick<ComposeForm, 'senderId' | 'device'> {
  const shown = (field: 'senderId' | 'device') => Object.hasOwn(values, field);
  return {
    senderId: shown('senderId') ? form.senderId : begin.senderId,
    device: shown('device') ? form.device : begin.device,
  };
}
