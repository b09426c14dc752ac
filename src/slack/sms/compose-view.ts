import type { ContextBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { countPages } from '../../rules/pages.ts';
import { routes } from '../../rules/routes.ts';
import { context, input, modal, option } from '../blocks/build.ts';
import { limits } from '../blocks/limits.ts';
import { type PlaceChoice, placeInputs, readPlace } from '../blocks/place.ts';
import { senderIdInput } from '../blocks/sender-id.ts';
import { mrkdwn } from '../blocks/text.ts';
import type { Values } from '../values.ts';

export const composeCallback = 'sms_compose';
export const openComposeAction = 'sms_open';
export const textTypedAction = 'sms_text';
export const composePlaceAction = 'sms_place_choice';

/** The form as it is filled in. */
export interface ComposeForm {
  recipients: string;
  senderId?: string | undefined;
  route: string | undefined;
  text: string;
  place: PlaceChoice;
}

/** What the form has to remember: which draft it writes, and the channel it was opened from. */
export const composeMetadata = z.object({ draftId: z.string(), origin: z.string().optional() });
export type ComposeMetadata = z.infer<typeof composeMetadata>;

/** The blocks of the form's fields, which is where their errors go. */
export const fieldBlocks = {
  recipients: 'recipients',
  senderId: 'sender_id',
  route: 'route',
  text: 'text',
} as const;

const routeOptions = Object.entries(routes).map(([value, { title, meaning }]) =>
  option(title, value, meaning),
);

export function composeView(form: ComposeForm, metadata: ComposeMetadata): ModalView {
  const chosenRoute = routeOptions.find(({ value }) => value === form.route);
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
        { hint: 'Up to 100 numbers, with commas, spaces or line breaks between them.' },
      ),
      senderIdInput(fieldBlocks.senderId, form.senderId),
      input(fieldBlocks.route, 'Route', {
        type: 'radio_buttons',
        action_id: 'route',
        options: routeOptions,
        ...(chosenRoute === undefined ? {} : { initial_option: chosenRoute }),
      }),
      input(
        fieldBlocks.text,
        'Message',
        {
          type: 'plain_text_input',
          action_id: textTypedAction,
          multiline: true,
          max_length: limits.inputText,
          dispatch_action_config: { trigger_actions_on: ['on_character_entered'] },
          ...(form.text === '' ? {} : { initial_value: form.text }),
        },
        { dispatch: true },
      ),
      pagesLine(form.text),
      ...placeInputs(form.place, composePlaceAction),
    ],
  });
}

/** How many pages the text makes, by the provider's rule, which is what is paid, and by the standard's where it differs. */
function pagesLine(text: string): ContextBlock {
  const count = countPages(text);
  const special = count.special.length === 0 ? '' : ` because of ${count.special.join(' ')}`;
  const standard =
    count.standard.pages === count.pages
      ? ''
      : ` The ${count.standard.encoding} standard makes it ${pageWord(count.standard.pages)}.`;
  return {
    ...context(
      mrkdwn`${pageWord(count.pages)} · ${count.characters} characters, ${count.perPage} to a page${special}.${standard}`,
    ),
    block_id: 'pages',
  };
}

export function pageWord(pages: number): string {
  return pages === 1 ? '1 page' : `${pages} pages`;
}

export function readCompose(values: Values, origin: string | undefined): ComposeForm {
  return {
    recipients: values[fieldBlocks.recipients]?.text ?? '',
    senderId: values[fieldBlocks.senderId]?.text,
    route: values[fieldBlocks.route]?.text,
    text: values[fieldBlocks.text]?.text ?? '',
    place: readPlace(values, origin),
  };
}
