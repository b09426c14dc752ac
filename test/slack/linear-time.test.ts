import { describe, it } from 'node:test';
import { marked, mrkdwn, stripMarkup } from '../../src/slack/block-kit/text.ts';
import { readPlanText } from '../../src/slack/features/esims/listeners.ts';
import { readTypedSms } from '../../src/slack/features/messages/listeners.ts';
import { readNumberCommand } from '../../src/slack/features/numbers/number.ts';
import { findWord } from '../../src/slack/kit/command.ts';
import { readableText, withoutMarkup } from '../../src/slack/middleware/router/command.ts';
import { assertLinear } from '../support/assert-linear.ts';

const parsers: Record<string, (text: string) => unknown> = {
  'the markup of a message': withoutMarkup,
  'the message of an app': (text) => readableText({ text, bot_id: 'B1', blocks: [{ text }] }),
  'text that goes into markup': (text) => marked(mrkdwn`*${text}*`),
  'markup that goes into a file': (text) => stripMarkup(mrkdwn`*${text}*`),
  'the words of a command': (text) => findWord({ request: 1, 'bulk list': 2, 'history …': 3 }, text),
  '/esim': readPlanText,
  '/number': (text) => readNumberCommand(text, 'NG'),
  '/sms': (text) => readTypedSms(text, 'NG'),
};

describe('parsing of hostile input from Slack', () => {
  for (const [name, parse] of Object.entries(parsers)) {
    it(`takes linear time: ${name}`, () => assertLinear(name, parse));
  }
});
