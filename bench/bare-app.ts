import { App, LogLevel } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { sayReady } from './support/ready.ts';

/**
 * What Switchboard is measured against: Bolt as anyone would begin with it. A token, a signing secret, all else as it
 * comes but a quiet log, and one listener, which acknowledges and, where `VIEW` is set, opens this one view. It asks
 * nobody who they are, keeps nothing, and renders nothing.
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

sayReady(await app.start({ port: 0, host: '127.0.0.1' }));
