import { App, LogLevel } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { announcePort } from './support/announce-port.ts';

/**
 * The app that Switchboard is compared with: Bolt with a token, a signing secret and defaults otherwise, except a quiet
 * log. Its one listener acknowledges and, if `VIEW` is set, opens that view. It authorises, stores and renders nothing.
 */
const { SLACK_BOT_TOKEN = '', SLACK_SIGNING_SECRET = '', SLACK_API_URL = '', VIEW } = process.env;

const app = new App({
  token: SLACK_BOT_TOKEN,
  signingSecret: SLACK_SIGNING_SECRET,
  clientOptions: { slackApiUrl: SLACK_API_URL },
  logLevel: LogLevel.ERROR,
});

const view: ModalView | undefined = VIEW === undefined ? undefined : JSON.parse(VIEW);

app.command('/sms', async ({ ack, command, client }) => {
  await ack();
  if (view !== undefined) {
    await client.views.open({ trigger_id: command.trigger_id, view });
  }
});

announcePort(await app.start({ port: 0, host: '127.0.0.1' }));
