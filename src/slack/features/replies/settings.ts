import type { KnownBlock, ModalView } from '@slack/types';
import type { ExtraWords } from '../../../domain/replies/stop-words.ts';
import type { RepliesToPost } from '../../../services/replies/replies.ts';
import {
  maxWordsLength,
  type ReplySettings,
  type ReplySettingsForm,
  type ReplyWordsForm,
  readReplySettings,
  readReplyWords,
  usualConfirmation,
} from '../../../services/replies/reply-settings.ts';
import { banner, context, modal, notice, option, section } from '../../block-kit/build.ts';
import { describeToPost } from '../../block-kit/descriptions/workspace.ts';
import { channelInput } from '../../block-kit/inputs/destination-input.ts';
import { textInput, tickInput } from '../../block-kit/inputs/fields.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { FormValues } from '../../block-kit/view-state.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import type { SubmissionRequest, SubmissionResponse } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { openActions } from '../../navigation/open-actions.ts';

/** Where messages that come in are posted, and whether a stop is confirmed. */
export function registerReplySettings(router: Router, context: AppContext): void {
  const { replies } = context.services;

  router.action(openActions.replySettings, 'administer', async ({ user: { workspaceId }, push }) => {
    const [settings, words] = await Promise.all([
      replies.settings.read(workspaceId),
      replies.settings.words(workspaceId),
    ]);
    const form = formOfReplySettings(settings, words);
    await push(replies.areOn ? await viewOf(context, workspaceId, form) : repliesOffView());
  });

  for (const actionId of Object.values(replySettingsActions)) {
    router.action(actionId, 'administer', async ({ user, view }) => {
      if (view !== undefined) {
        const form = readReplySettingsForm(await view.rememberedValues());
        await view.replace(await viewOf(context, user.workspaceId, form));
      }
    });
  }

  router.submission(replySettingsCallback, 'administer', (call) => save(context, call));
}

async function viewOf(
  { services: { replies, reports } }: AppContext,
  workspaceId: string,
  form: ShownReplySettings,
  said?: Markup,
): Promise<ModalView> {
  const [{ token, hasKey }, toPost] = await Promise.all([
    reports.settings(workspaceId),
    replies.toPost(workspaceId),
  ]);
  const missing = token === undefined ? 'address' : hasKey ? undefined : 'key';
  return replySettingsView(form, { missing, toPost, said });
}

async function save(
  context: AppContext,
  { user: { workspaceId, userId }, values }: SubmissionRequest,
): Promise<SubmissionResponse> {
  const { replies, unicode } = context.services;
  const form = readReplySettingsForm(values);
  const ownWords = readReplyWords(form.words);
  const read = form.isOn ? readReplySettings(form, unicode) : undefined;
  if (!ownWords.ok || read?.ok === false) {
    return {
      errors: { ...(ownWords.ok ? {} : ownWords.faults), ...(read?.ok === false ? read.faults : {}) },
    };
  }
  await replies.settings.saveWords(workspaceId, userId, ownWords.words);
  if (read === undefined) {
    await replies.settings.remove(workspaceId, userId);
  } else {
    await replies.settings.save(workspaceId, { ...read.settings, setBy: userId });
  }
  return { view: await viewOf(context, workspaceId, form, mrkdwn`${stateIcons.done} Saved.`) };
}

const replySettingsCallback = 'reply_settings';
const replySettingsActions = { on: 'reply_settings_on', confirms: 'reply_settings_confirms' } as const;

const title = 'Replies';
const onOption = option('Post them in a channel', 'on');
const confirmsOption = option('Send an SMS to who stops messages by a reply', 'confirms');

type ShownReplySettings = ReplySettingsForm & { isOn: boolean; words: ReplyWordsForm };

/** What else has to be set up before anything comes in. */
type MissingForReplies = 'address' | 'key' | undefined;

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
      ...(missing === undefined ? [] : [missingLine(missing)]),
      ...(toPost.unposted === 0
        ? []
        : [section(mrkdwn`${describeToPost(toPost) ?? ''} Save a channel: what is kept is posted there.`)]),
      tickInput('on', 'Messages that come in', [[onOption, form.isOn]], replySettingsActions.on),
      ...(form.isOn
        ? onInputs(form)
        : [context(mrkdwn`While this is off, a message goes to the person who wrote to its number last.`)]),
      textInput('stop', 'More words that stop messages', form.words.stop, {
        maxLength: maxWordsLength,
        optional: true,
        hint: 'Besides STOP and the like, with commas between them.',
      }),
      textInput('start', 'More words that start them again', form.words.start, {
        maxLength: maxWordsLength,
        optional: true,
        hint: 'Besides START and the like.',
      }),
    ],
  });
}

function missingLine(missing: 'address' | 'key'): KnownBlock {
  const words = {
    address: mrkdwn`Make the address under *Reports* first.`,
    key: mrkdwn`What reports are signed with is missing, see *Reports*.`,
  };
  return section(mrkdwn`${stateIcons.unconfirmed} Nothing comes in yet. ${words[missing]}`);
}

function onInputs({ channelId, confirms, confirmation }: ReplySettingsForm): KnownBlock[] {
  return [
    channelInput(channelId, 'replies'),
    context(mrkdwn`Everyone in the channel reads the messages. Numbers are masked there.`),
    tickInput('confirms', 'Stops', [[confirmsOption, confirms]], replySettingsActions.confirms),
    ...(confirms
      ? [
          textInput('confirmation', 'Text of the SMS', confirmation || usualConfirmation, {
            multiline: true,
            maxLength: 160,
            hint: 'One page, once for each stop, from the number it came to. A name can’t receive a stop.',
          }),
        ]
      : []),
  ];
}

/** The form of settings that are saved; of replies that are off, as it begins. */
function formOfReplySettings(
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

function readReplySettingsForm(values: FormValues): ShownReplySettings {
  return {
    words: { stop: values.stop?.text ?? '', start: values.start?.text ?? '' },
    isOn: values.on?.ticked?.includes('on') === true,
    channelId: values.channel?.text,
    confirms: values.confirms?.ticked?.includes('confirms') === true,
    confirmation: values.confirmation?.text ?? '',
  };
}
