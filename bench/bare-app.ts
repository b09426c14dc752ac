import { App, LogLevel, type RespondArguments } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { announcePort } from './support/announce-port.ts';

/**
 * The app that Switchboard is compared with: Bolt with a token, a signing secret and defaults otherwise, except a quiet
 * log. Its one listener acknowledges, with `ANSWER` if it is set, and opens `VIEW` if that is set. It authorises, stores and
 * renders nothing.
 */
const { SLACK_BOT_TOKEN = '', SLACK_SIGNING_SECRET = '', SLACK_API_URL = '', ANSWER, VIEW } = process.env;

const app = new App({
  token: SLACK_BOT_TOKEN,
  signingSecret: SLACK_SIGNING_SECRET,
  clientOptions: { slackApiUrl: SLACK_API_URL },
  logLevel: LogLevel.ERROR,
});

const answer: RespondArguments | undefined = ANSWER === undefined ? undefined : JSON.parse(ANSWER);
const view: ModalView | undefined = VIEW === undefined ? undefined : JSON.parse(VIEW);

app.command('/sms', async ({ ack, command, client }) => {
  await ack(answer);
  if (view !== undefined) {
    await client.views.open({ trigger_id: command.trigger_id, view });
  }
});

announcePort(await app.start({ port: 0, host: '127.0.0.1' }));
