import { fileURLToPath } from 'node:url';
import type { AppOptions, Logger } from '@slack/bolt';
import { App, HTTPReceiver, LogLevel, SocketModeReceiver } from '@slack/bolt';
import type { SlackOptions, SlackSandbox } from '../../slack/server.ts';
import { startSlack } from '../../slack/server.ts';

export const botToken = 'xoxb-sandbox-bot';
export const appToken = 'xapp-sandbox-app';
export const signingSecret = 'sandbox-signing-secret';
export const manifestPath = fileURLToPath(new URL('manifest.yml', import.meta.url));

const silent: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  setLevel() {},
  getLevel: () => LogLevel.ERROR,
  setName() {},
};

/** A Bolt app with the listeners of `register`, connected to a Slack of its own. */
export interface Probe extends AsyncDisposable {
  slack: SlackSandbox;
  app: App;
  /** Stops only the app. */
  stopApp(): Promise<void>;
}

export async function overHttp(
  register: (app: App) => void,
  options: Partial<SlackOptions> = {},
): Promise<Probe> {
  let eventsUrl = '';
  const slack = await startSlack({
    manifestPath,
    botToken,
    appToken,
    delivery: { mode: 'http', signingSecret, eventsUrl: () => eventsUrl },
    ...options,
  });
  const receiver = new HTTPReceiver({
    signingSecret,
    logger: silent,
    // By default Bolt keeps an unanswered request, and so its server, open for three seconds.
    unhandledRequestTimeoutMillis: 500,
  });
  const app = new App({ receiver, deferInitialization: true, ...clientOf(slack) });
  await app.init();
  register(app);
  const server = await receiver.start({ port: 0, host: '127.0.0.1' });
  const address = server.address();
  if (typeof address === 'object') {
    eventsUrl = `http://127.0.0.1:${address?.port}/slack/events`;
  }
  let stopped: Promise<unknown> | undefined;
  const stopApp = async () => {
    stopped ??= receiver.stop();
    await stopped;
  };
  return {
    slack,
    app,
    stopApp,
    [Symbol.asyncDispose]: async () => {
      await slack.stop();
      await stopApp();
    },
  };
}

export async function overSocket(
  register: (app: App) => void,
  options: Partial<SlackOptions> = {},
): Promise<Probe> {
  const slack = await startSlack({
    manifestPath,
    botToken,
    appToken,
    delivery: { mode: 'socket' },
    ...options,
  });
  const { clientOptions } = clientOf(slack);
  const receiver = new SocketModeReceiver({
    appToken,
    logger: silent,
    clientPingTimeout: 200,
    installerOptions: { clientOptions },
  });
  const app = new App({ receiver, deferInitialization: true, ...clientOf(slack) });
  await app.init();
  register(app);
  await receiver.start();
  const stopApp = async () => void (await receiver.stop());
  return {
    slack,
    app,
    stopApp,
    [Symbol.asyncDispose]: async () => {
      await stopApp();
      await slack.stop();
    },
  };
}

function clientOf(slack: SlackSandbox): Pick<AppOptions, 'token' | 'clientOptions' | 'logger'> & {
  clientOptions: NonNullable<AppOptions['clientOptions']>;
} {
  return {
    token: botToken,
    logger: silent,
    clientOptions: { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 }, rejectRateLimitedCalls: true },
  };
}
