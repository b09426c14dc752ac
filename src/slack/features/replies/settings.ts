import { textToSend } from '../../../domain/messages/accents.ts';
import {
  maxWordsLength,
  readReplySettings,
  readReplyWords,
  usualConfirmation,
} from '../../../services/replies/reply-settings.ts';
import { notice, present, section } from '../../block-kit/build.ts';
import { describeAccents } from '../../block-kit/descriptions/warnings.ts';
import { describeToPost } from '../../block-kit/descriptions/workspace.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import { accentsField, channelField, offersAccents, textField, tickField } from '../../kit/fields.ts';
import { defineSettings } from '../../kit/settings.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import type { Router } from '../../middleware/router/router.ts';
import { openActions } from '../../navigation/open-actions.ts';

const title = 'Replies';

const fields = {
  isOn: tickField('Incoming messages', 'Post to a channel', { live: true }),
  channelId: channelField('replies'),
  confirms: tickField('Opt-outs', 'Confirm by SMS', { live: true }),
  confirmation: textField('Text of the SMS', {
    multiline: true,
    max: 160,
    live: 'character',
    hint: 'One page, sent once per STOP from the number that received it. A name can’t receive replies.',
  }),
  withoutAccents: accentsField(),
  stop: textField('Extra opt-out keywords', {
    max: maxWordsLength,
    optional: true,
    hint: 'In addition to STOP. Separate with commas.',
  }),
  start: textField('Extra opt-in keywords', {
    max: maxWordsLength,
    optional: true,
    hint: 'In addition to START.',
  }),
};

/** Where messages that come in are posted, whether a stop is confirmed, and what else is a stop. */
export function registerReplySettings(router: Router, context: AppContext): void {
  const { replies, reports, unicode } = context.services;
  const { settings } = replies;

  defineSettings(context, {
    id: 'reply_settings',
    opens: openActions.replySettings,
    title,
    change: { action: 'settings.change', subject: 'replies' },
    fields,
    async load(workspaceId) {
      const [saved, words, address, toPost] = await Promise.all([
        settings.read(workspaceId),
        settings.words(workspaceId),
        reports.settings(workspaceId),
        replies.toPost(workspaceId),
      ]);
      return { saved, words, address, toPost };
    },
    first: ({ saved, words }) => ({
      isOn: saved !== undefined,
      channelId: saved?.channelId,
      confirms: saved?.confirmation !== undefined,
      confirmation: saved?.confirmation ?? usualConfirmation,
      stop: words.stop.join(', '),
      start: words.start.join(', '),
    }),
    when: {
      channelId: ({ isOn }) => isOn,
      confirms: ({ isOn }) => isOn,
      confirmation: ({ isOn, confirms }) => isOn && confirms,
      withoutAccents: ({ isOn, confirms, confirmation: text, withoutAccents }) =>
        isOn && confirms && offersAccents({ text, withoutAccents }, unicode),
    },
    notes: {
      isOn: ({ form }) =>
        form.isOn
          ? undefined
          : mrkdwn`While this is off, each message goes to the person who last wrote to that number.`,
      withoutAccents: ({ form }) => (form.withoutAccents ? describeAccents(form.confirmation) : undefined),
      channelId: () => mrkdwn`Everyone in the channel can read the messages. Numbers are masked there.`,
    },
    above({ data: { address, toPost } }) {
      // What else has to be set up before messages arrive.
      const missing =
        address.token === undefined
          ? mrkdwn`Create the webhook URL under *Reports* first.`
          : mrkdwn`The signing secret is missing: see *Reports*.`;
      const isSetUp = address.token !== undefined && address.hasKey;
      return present(
        !isSetUp && section(mrkdwn`${stateIcons.unconfirmed} No messages arrive yet. ${missing}`),
        toPost.unposted > 0 &&
          section(
            mrkdwn`${describeToPost(toPost) ?? ''} Choose a channel, and the waiting replies are posted there.`,
          ),
      );
    },
    async save({ workspaceId, userId }, { isOn, ...typed }) {
      const words = readReplyWords(typed);
      const { text } = textToSend(typed.confirmation, typed.withoutAccents && !unicode);
      const read = isOn ? readReplySettings({ ...typed, confirmation: text }, unicode) : undefined;
      if (!words.ok || read?.ok === false) {
        return { ...(words.ok ? {} : words.faults), ...(read?.ok === false ? read.faults : {}) };
      }
      await settings.saveWords(workspaceId, userId, words.words);
      await (read === undefined
        ? settings.remove(workspaceId, userId)
        : settings.save(workspaceId, { ...read.settings, setBy: userId }));
      return undefined;
    },
    instead: replies.areOn ? undefined : repliesOffView,
  }).register(router);
}

const repliesOffView = notice(
  title,
  section(
    mrkdwn`Replies are off, because delivery reports are: both arrive at the same webhook URL. Your operator can turn them on.`,
  ),
);
