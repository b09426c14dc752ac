import { withEmoji } from '../../src/slack/block-kit/emoji.ts';
import { marked, mrkdwn, stripMarkup } from '../../src/slack/block-kit/text.ts';
import { readPlanText } from '../../src/slack/features/esims/listeners.ts';
import { readTypedSms } from '../../src/slack/features/messages/listeners.ts';
import { readNumberCommand } from '../../src/slack/features/numbers/number.ts';
import { findWord } from '../../src/slack/kit/command.ts';
import {
  readableText,
  typedText,
  unnamedUsers,
  withoutMarkup,
} from '../../src/slack/middleware/message-text.ts';

/** What reads text from outside. */
export const parsers: Record<string, (text: string) => unknown> = {
  'the markup of a message': withoutMarkup,
  'the message of an app': (text) => readableText({ text, blocks: [{ text }] }),
  'what is typed after a command': (text) => [typedText(text), unnamedUsers(text)],
  'emoji that Slack names': withEmoji,
  'text that goes into markup': (text) => marked(mrkdwn`*${text}*`),
  'markup that goes into a file': (text) => stripMarkup(mrkdwn`*${text}*`),
  'the words of a command': (text) => findWord({ request: 1, 'bulk list': 2, 'history …': 3 }, text),
  '/esim': readPlanText,
  '/number': (text) => readNumberCommand(text, 'NG'),
  '/sms': (text) => readTypedSms(text, 'NG'),
};
