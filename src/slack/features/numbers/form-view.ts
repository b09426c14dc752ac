import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { formatNumber, type PhoneNumber } from '../../../domain/phone/phone-number.ts';
import { modal, notice, section } from '../../block-kit/build.ts';
import { type DestinationChoice, destinationInputs } from '../../block-kit/inputs/destination-input.ts';
import { textInput } from '../../block-kit/inputs/fields.ts';
import { phoneCountryInput } from '../../block-kit/inputs/phone-country-input.ts';
import { message, type SlackMessage } from '../../block-kit/message.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { mrkdwn } from '../../block-kit/text.ts';

export const numberCallback = 'number_look_up';
export const numberDestinationAction = 'number_place_choice';

export const numberMetadata = z.object({ origin: z.string().optional() });

/** Opens the form with the text of a command. */
export const editNumberAction = 'number_edit';

export const numberTitle = 'Number lookup';

const maxTyped = 100;

/** The form; `origin` is the channel it was opened from, `country` the code of the one first chosen. Slack keeps a choice. */
export function numberFormView(
  typed: string,
  destination: DestinationChoice,
  origin: string | undefined,
  country?: string | undefined,
): ModalView {
  return modal({
    callbackId: numberCallback,
    title: numberTitle,
    submit: 'Look up',
    metadata: { origin },
    blocks: [
      textInput('number', 'Phone number', typed, {
        maxLength: maxTyped,
        placeholder: '+234 803 123 4567',
        focus: true,
      }),
      phoneCountryInput('country', country ?? '', 'The country to look the number up in.', {
        placeholder: 'The number’s own',
        optional: true,
      }),
      ...destinationInputs(destination, numberDestinationAction),
    ],
  });
}

export function lookingUpView(number: PhoneNumber): ModalView {
  return notice(numberTitle, section(lookingUp(number)));
}

export function lookingUpMessage(number: PhoneNumber): SlackMessage {
  const text = lookingUp(number);
  return message(text, [section(text)]);
}

function lookingUp(number: PhoneNumber) {
  return mrkdwn`${stateIcons.underway} Looking up ${formatNumber(number)}…`;
}
