import type { KnownBlock, ModalView } from '@slack/types';
import type { ExtraWords } from '../../../domain/replies/stop-words.ts';
import type { RepliesToPost } from '../../../services/replies/replies.ts';
import {
  maxWordsLength,
  type ReplySettings,
  type ReplySettingsForm,
  type ReplyWordsForm,
  usualConfirmation,
} from '../../../services/replies/reply-settings.ts';
import { banner, context, input, modal, notice, option, section } from '../../block-kit/build.ts';
import { describeToPost } from '../../block-kit/descriptions/unposted-replies.ts';
import { channelInput } from '../../block-kit/inputs/destination-input.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { FormValues } from '../../block-kit/view-state.ts';

export const replySettingsCallback = 'reply_settings';
export const replySettingsActions = { on: 'reply_settings_on', confirms: 'reply_settings_confirms' } as const;

const onBlock = 'on';
const confirmsBlock = 'confirms';

const title = 'Replies';
const onOption = option('Post them in a channel', 'on');
const confirmsOption = option('Send an SMS to who stops messages by a reply', 'confirms');

export type ShownReplySettings = ReplySettingsForm & { isOn: boolean; words: ReplyWordsForm };

/** What else has to be set up before anything comes in. */
export type MissingForReplies = 'address' | 'key' | undefined;

export function repliesOffView(): ModalView {
  return notice(
    title,
    section(
      mrkdwn`Replies are off, because delivery reports are: messages come in by the same address. The people who run Switchboard can switch them on.`,
    ),
  );
}

export function replySettingsView(
  form: ShownReplySettings,
  { missing, toPost, said }: { missing: MissingForReplies; toPost: RepliesToPost; said?: Markup | undefined },
): ModalView {
  return modal({
    callbackId: replySettingsCallback,
    title,
    submit: 'Save',
    blocks: [
      ...banner(said),
      ...missingBlocks(missing),
      ...(toPost.unposted === 0
        ? []
        : [section(mrkdwn`${describeToPost(toPost) ?? ''} Save a channel: what is kept is posted there.`)]),
      input(
        onBlock,
        'Messages that come in',
        {
          type: 'checkboxes',
          action_id: replySettingsActions.on,
          options: [onOption],
          ...(form.isOn ? { initial_options: [onOption] } : {}),
        },
        { optional: true, dispatch: true },
      ),
      ...(form.isOn
        ? onInputs(form)
        : [context(mrkdwn`While this is off, a message goes to the person who wrote to its number last.`)]),
      wordsInput('stop', form.words.stop),
      wordsInput('start', form.words.start),
    ],
  });
}

function missingBlocks(missing: MissingForReplies): KnownBlock[] {
  switch (missing) {
    case undefined:
      return [];
    case 'address':
      return [
        section(
          mrkdwn`${stateIcons.unconfirmed} Nothing comes in yet. Make the address under *Reports* first.`,
        ),
      ];
    case 'key':
      return [
        section(
          mrkdwn`${stateIcons.unconfirmed} Nothing comes in yet. What reports are signed with is missing, see *Reports*.`,
        ),
      ];
  }
}

function onInputs({ channelId, confirms, confirmation }: ReplySettingsForm): KnownBlock[] {
  return [
    channelInput(channelId, 'replies'),
    context(mrkdwn`Everyone in the channel reads the messages. Numbers are masked there.`),
    input(
      confirmsBlock,
      'Stops',
      {
        type: 'checkboxes',
        action_id: replySettingsActions.confirms,
        options: [confirmsOption],
        ...(confirms ? { initial_options: [confirmsOption] } : {}),
      },
      { optional: true, dispatch: true },
    ),
    ...(confirms ? [confirmationInput(confirmation)] : []),
  ];
}

const wordFields = {
  stop: {
    label: 'More words that stop messages',
    hint: 'Besides STOP and the like, with commas between them.',
  },
  start: { label: 'More words that start them again', hint: 'Besides START and the like.' },
} as const;

function wordsInput(answer: 'stop' | 'start', words: string): KnownBlock {
  const { label, hint } = wordFields[answer];
  return input(
    answer,
    label,
    {
      type: 'plain_text_input',
      action_id: answer,
      max_length: maxWordsLength,
      ...(words === '' ? {} : { initial_value: words }),
    },
    { hint, optional: true },
  );
}

function confirmationInput(text: string): KnownBlock {
  return input(
    'confirmation',
    'Text of the SMS',
    {
      type: 'plain_text_input',
      action_id: 'confirmation',
      multiline: true,
      max_length: 160,
      initial_value: text === '' ? usualConfirmation : text,
    },
    { hint: 'One page, once for each stop, from the number it came to. A name can’t receive a stop.' },
  );
}

/** The form of settings that are saved; of replies that are off, as it begins. */
export function formOfReplySettings(
  settings: ReplySettings | undefined,
  { stop, start }: ExtraWords,
): ShownReplySettings {
  return {
    words: { stop: stop.join(', '), start: start.join(', ') },
    isOn: settings !== undefined,
    channelId: settings?.channelId,
    confirms: settings?.confirmation !== undefined,
    confirmation: settings?.confirmation ?? '',
  };
}

export function readReplySettingsForm(values: FormValues): ShownReplySettings {
  return {
    words: {
      stop: values.stop?.text ?? '',
      start: values.start?.text ?? '',
    },
    isOn: values[onBlock]?.ticked?.includes('on') === true,
    channelId: values.channel?.text,
    confirms: values[confirmsBlock]?.ticked?.includes('confirms') === true,
    confirmation: values.confirmation?.text ?? '',
  };
}

export const replySettingsSaved = mrkdwn`${stateIcons.done} Saved.`;
