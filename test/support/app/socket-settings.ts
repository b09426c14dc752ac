import { fileURLToPath } from 'node:url';
import { type SlackSandbox, startSlack } from '../../../sandbox/slack/server.ts';

const tokens = { botToken: 'xoxb-sandbox-3333', appToken: 'xapp-sandbox-4444' };

/** Nothing listens there. */
const nowhere = 'http://127.0.0.1:9';

/** Starts the sandbox's Slack for a program on Socket Mode. Stopped at the end of the test. */
export async function startSocketSlack(test: {
  after(end: () => Promise<void>): void;
}): Promise<SlackSandbox> {
  const slack = await startSlack({
    manifestPath: fileURLToPath(new URL('../../../manifest.yml', import.meta.url)),
    delivery: { mode: 'socket' },
    ...tokens,
  });
  test.after(() => slack.stop());
  return slack;
}

/** Returns the settings of a program on Socket Mode, on any free port. Without a place, its Slack or provider is nowhere. */
export function socketSettings({
  providerUrl = nowhere,
  slackApiUrl = `${nowhere}/api/`,
}: {
  providerUrl?: string;
  slackApiUrl?: string;
} = {}) {
  return {
    PROVIDER_BASE_URL: providerUrl,
    SLACK_API_URL: slackApiUrl,
    SLACK_BOT_TOKEN: tokens.botToken,
    SLACK_APP_TOKEN: tokens.appToken,
    ENCRYPTION_KEYS: Buffer.alloc(32, 7).toString('base64'),
    HOST: '127.0.0.1',
    PORT: '0',
  };
}
