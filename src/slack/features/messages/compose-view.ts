import type { ContextBlock, InputBlock, KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { maxRecipientsPerRequest } from '../../../domain/messages/chunk-size.ts';
import { countPages } from '../../../domain/messages/pages.ts';
import type { MessageField, MessageForm } from '../../../services/messages/message-form.ts';
import { context, input, modal, option } from '../../block-kit/build.ts';
import {
  type DestinationChoice,
  destinationInputs,
  readDestination,
} from '../../block-kit/inputs/destination-input.ts';
import { routeInput } from '../../block-kit/inputs/route-input.ts';
import { senderIdInput } from '../../block-kit/inputs/sender-id-input.ts';
import { limits } from '../../block-kit/limits.ts';
import { pluralize } from '../../block-kit/plural.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { FormValues } from '../../block-kit/view-state.ts';
import type { Navigation } from '../../navigation/navigation.ts';

export const composeCallback = 'sms_compose';

/** A change of these updates the form: its fields follow the route, and it counts pages. */
export const composeActions = {
  route: 'sms_route',
  what: 'sms_what',
  text: 'sms_text',
  place: 'sms_place_choice',
} as const;

/** The form as filled in. */
export type ComposeForm = Omit<MessageForm, 'channelId' | 'showNumbers'> & { destination: DestinationChoice };

/** The id of the draft that the form writes, and the channel it was opened from. */
export const composeMetadata = z.object({
  draftId: z.string(),
  origin: z.string().optional(),
  /** Set if a message shows the draft too. Closing the form or its review then does not cancel the draft. */
  inMessage: z.literal(true).optional(),
});
export type ComposeMetadata = z.infer<typeof composeMetadata>;

/** The block of each field, where its errors are shown. */
export const fieldBlocks: Record<MessageField, string> = {
  recipients: 'recipients',
  senderId: 'sender_id',
  device: 'device',
  route: 'route',
  text: 'text',
  address: 'address',
};

const asText = option('A text', 'text');
const asFile = option('A file', 'file', 'By its address: a picture, a sound, a film or a PDF');

export function composeView(form: ComposeForm, metadata: ComposeMetadata): ModalView {
  const byChat = form.route === 'chatapp';
  return modal({
    callbackId: composeCallback,
    title: 'Send an SMS',
    submit: 'Review',
    close: 'Cancel',
    metadata,
    blocks: [
      input(
        fieldBlocks.recipients,
        'To',
        {
          type: 'plain_text_input',
          action_id: 'recipients',
          multiline: true,
          max_length: limits.inputText,
          placeholder: { type: 'plain_text', text: '+234 803 123 4567, 0805 123 4567' },
          ...(form.recipients === '' ? { focus_on_load: true } : { initial_value: form.recipients }),
        },
        {
          hint: `Up to ${maxRecipientsPerRequest} numbers, with commas, spaces or line breaks between them. For more, type “bulk” after the command.`,
        },
      ),
      routeInput(fieldBlocks.route, composeActions.route, form.route),
      ...(byChat ? chatFields(form) : [senderIdInput(fieldBlocks.senderId, form.senderId)]),
      ...(byChat && form.asFile ? fileFields(form) : textFields(form)),
      ...destinationInputs(form.destination, composeActions.place),
    ],
  });
}

function chatFields(form: ComposeForm): InputBlock[] {
  return [
    typed(fieldBlocks.device, 'Device', form.device, {
      hint: 'The name of your device: who the message is from.',
    }),
    input(
      'what',
      'Send',
      {
        type: 'radio_buttons',
        action_id: composeActions.what,
        options: [asText, asFile],
        initial_option: form.asFile ? asFile : asText,
      },
      { dispatch: true },
    ),
  ];
}

function fileFields(form: ComposeForm): InputBlock[] {
  return [
    typed(fieldBlocks.address, 'Address of the file', form.address, {
      hint: 'JPG, PNG, MP3, OGG, AMR, PDF or MP4. A film needs sound.',
    }),
    typed('caption', 'Caption', form.caption, { optional: true }),
  ];
}

function textFields(form: ComposeForm): KnownBlock[] {
  return [
    input(
      fieldBlocks.text,
      'Message',
      {
        type: 'plain_text_input',
        action_id: composeActions.text,
        multiline: true,
        max_length: limits.inputText,
        dispatch_action_config: { trigger_actions_on: ['on_character_entered'] },
        ...(form.text === '' ? {} : { initial_value: form.text }),
      },
      { dispatch: true },
    ),
    pagesLine(form.text),
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

/** How many pages the text takes by the provider's rule, which is what is charged, and by the standard if that differs. */
function pagesLine(text: string): ContextBlock {
  const count = countPages(text);
  const special = count.special.length === 0 ? '' : ` because of ${count.special.join(' ')}`;
  const standard =
    count.standard.pages === count.pages
      ? ''
      : ` The ${count.standard.encoding} standard makes it ${pluralize(count.standard.pages, 'page')}.`;
  return {
    ...context(
      mrkdwn`${pluralize(count.pages, 'page')} · ${count.characters} characters, ${count.perPage} to a page${special}.${standard}`,
    ),
    block_id: 'pages',
  };
}

/** Returns the form as other features open it: its result is for the user alone unless they choose otherwise. */
export const messageForm: Navigation['messageForm'] = (form, { draftId, origin }) =>
  composeView({ ...form, destination: { inChannel: false, channelId: origin } }, { draftId, origin });

export function readCompose(values: FormValues, origin: string | undefined): ComposeForm {
  return {
    recipients: values[fieldBlocks.recipients]?.text ?? '',
    senderId: values[fieldBlocks.senderId]?.text,
    device: values[fieldBlocks.device]?.text,
    route: values[fieldBlocks.route]?.text,
    asFile: values.what?.text === 'file',
    text: values[fieldBlocks.text]?.text ?? '',
    address: values[fieldBlocks.address]?.text,
    caption: values.caption?.text,
    destination: readDestination(values, origin),
  };
}
