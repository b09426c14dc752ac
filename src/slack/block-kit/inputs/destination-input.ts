import type { InputBlock } from '@slack/types';
import { input, option } from '../build.ts';
import { type ChannelUse, channelActions } from '../descriptions/channel-note.ts';
import type { FormValues } from '../view-state.ts';

/** Where a result is shown: to the user alone, or in a channel. */
export interface DestinationChoice {
  inChannel: boolean;
  channelId?: string | undefined;
  /** Whether everyone in the channel sees phone numbers in full, and the text of a message; by default they are masked. */
  showNumbers?: boolean | undefined;
}

const choices = {
  me: option('Only me', 'me'),
  channel: option('In a channel', 'channel', 'Phone numbers are masked there'),
};

/** What may be shown in full there: the outcome of a message also quotes its text. */
const shownInFull = {
  numbers: option('Show phone numbers', 'show', 'Everyone in the channel sees them in full'),
  numbers_and_text: option('Show numbers and text', 'show', 'Everyone in the channel sees them'),
};
export type ShownInFull = keyof typeof shownInFull;

/**
 * The fields for the destination of a result. Those of the channel are shown when a channel is chosen: the form updates
 * itself on `choiceAction`.
 */
export function destinationInputs(
  choice: DestinationChoice,
  choiceAction: string,
  shown: ShownInFull,
): InputBlock[] {
  const where = input(
    'place_choice',
    'Who sees the result',
    {
      type: 'radio_buttons',
      action_id: choiceAction,
      options: [choices.me, choices.channel],
      initial_option: choice.inChannel ? choices.channel : choices.me,
    },
    { dispatch: true },
  );
  if (!choice.inChannel) {
    return [where];
  }
  return [
    where,
    channelInput(choice.channelId),
    input(
      'place_numbers',
      'Numbers in the channel',
      {
        type: 'checkboxes',
        action_id: 'place_numbers',
        options: [shownInFull[shown]],
        ...(choice.showNumbers ? { initial_options: [shownInFull[shown]] } : {}),
      },
      { optional: true },
    ),
  ];
}

/**
 * Any channel; Slack offers those that the user is in. The router checks a picked one, and says beneath the field where
 * the app cannot post there: see `createChannelCheck`.
 */
export function channelInput(chosen: string | undefined, use: ChannelUse = 'result'): InputBlock {
  return input(
    'channel',
    'Channel',
    {
      type: 'conversations_select',
      action_id: channelActions[use],
      filter: { include: ['public', 'private'], exclude_bot_users: true },
      ...(chosen ? { initial_conversation: chosen } : {}),
      // Of an image, the user is asked for nothing else, and mostly wants it where they are.
      ...(use === 'image' ? { default_to_current_conversation: true } : {}),
    },
    { dispatch: true },
  );
}

/** Reads the fields. `origin` is the channel the form was opened from, and the default. */
export function readDestination(values: FormValues, origin: string | undefined): DestinationChoice {
  const inChannel = values.place_choice?.text === 'channel';
  return {
    inChannel,
    channelId: values.channel?.text ?? origin,
    showNumbers: inChannel && values.place_numbers?.ticked?.includes('show') === true,
  };
}
