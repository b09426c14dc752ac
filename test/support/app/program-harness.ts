import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LoggedRequest } from '../../../sandbox/lib/logged-request.ts';
import {
  type ProviderSandbox,
  type ProviderSandboxOptions,
  startProvider,
} from '../../../sandbox/provider/server.ts';
import { type SlackOptions, type SlackSandbox, startSlack } from '../../../sandbox/slack/server.ts';
import { startTlsFront } from '../http/tls-front.ts';
import { type SlackUser, slackUserAt } from '../slack/slack-user.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type RunningProcess, runProgram, type TestHooks } from './app-process.ts';
import type { Transport } from './test-app.ts';
import type { Tuning } from './tuned-program.ts';

/** The program in a process of its own, between the sandbox's Slack and provider. */
export interface ProgramHarness {
  slack: SlackSandbox;
  provider: ProviderSandbox;
  ada: SlackUser;
  grace: SlackUser;
  /** What a search of the program's output must not find. */
  secrets: readonly string[];
  env: Record<string, string>;
  /** The program's own address. */
  url(): string;
  program(): RunningProcess;
  /** Connects the provider as Grace. */
  connect(): Promise<void>;
}

const signingSecret = 'sandbox-signing-secret-7d40';
const botToken = 'xoxb-sandbox-3333';
const appToken = 'xapp-sandbox-4444';

const manifestPath = fileURLToPath(new URL('../../../manifest.yml', import.meta.url));
const tunedFile = fileURLToPath(new URL('tuned-program.ts', import.meta.url));

/**
 * Starts the sandbox's Slack and provider for a program over HTTP. Stopped at the end of the test.
 *
 * @param port of the program
 * @returns also the program's settings, without its data folder
 */
export async function startSandboxes(
  test: TestHooks,
  port: () => number,
  options: { slack?: Partial<SlackOptions>; provider?: ProviderSandboxOptions } = {},
) {
  const provider = await startProvider(options.provider);
  test.after(() => provider.stop());
  const slack = await startSlack({
    manifestPath,
    botToken,
    delivery: { mode: 'http', eventsUrl: () => `http://127.0.0.1:${port()}/slack/events`, signingSecret },
    ...options.slack,
  });
  test.after(() => slack.stop());
  const env: Record<string, string> = {
    PROVIDER_BASE_URL: provider.url,
    SLACK_API_URL: slack.apiUrl,
    SLACK_BOT_TOKEN: botToken,
    SLACK_SIGNING_SECRET: signingSecret,
    ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    HOST: '127.0.0.1',
    PORT: '0',
  };
  return { provider, slack, env };
}

/** @param options.tls whether Slack and the provider are reached by https, with a certificate of a CA of their own */
export async function startHarness(
  test: TestHooks,
  options: {
    transport?: Transport;
    tls?: boolean;
    env?: Record<string, string>;
    /** Other limits of time than the program has. */
    tuning?: Tuning;
    onExchange?: (exchange: LoggedRequest) => void;
  } = {},
): Promise<ProgramHarness> {
  const { transport = 'http', tls = false, env: given = {} } = options;
  let port = 0;
  let program: RunningProcess | undefined;
  const folder = temporaryFolder(test);
  let slackUrl: string | undefined;
  test.after(async () => {
    await program?.kill();
  });
  const sandboxes = await startSandboxes(test, () => port, {
    slack: {
      ...(tls ? { publicUrl: () => slackUrl ?? '' } : {}),
      ...(options.onExchange === undefined ? {} : { onExchange: options.onExchange }),
      ...(transport === 'socket' ? { delivery: { mode: 'socket' }, appToken } : {}),
    },
  });
  const { slack, provider } = sandboxes;
  const { SLACK_SIGNING_SECRET: _, ...others } = sandboxes.env;
  const env: Record<string, string> = {
    ...(transport === 'http' ? sandboxes.env : { ...others, SLACK_APP_TOKEN: appToken }),
    DATA_DIR: join(folder, 'data'),
  };
  if (tls) {
    const front = await startTlsFront(test, () => slack.port);
    const other = await startTlsFront(test, () => Number(new URL(provider.url).port), front.certificate);
    slackUrl = front.url;
    const authority = join(folder, 'authority.pem');
    writeFileSync(authority, front.certificate.cert);
    Object.assign(env, {
      PROVIDER_BASE_URL: other.url,
      SLACK_API_URL: `${front.url}/api/`,
      NODE_EXTRA_CA_CERTS: authority,
    });
  }
  Object.assign(env, given);
  program =
    options.tuning === undefined
      ? runProgram(test, env)
      : runProgram(test, env, tunedFile, [JSON.stringify(options.tuning)]);
  port = await program.ready();
  const started = program;
  const grace = slackUserAt(slack, 'U0ADMIN');
  return {
    slack,
    provider,
    ada: slackUserAt(slack, 'U0AGENT'),
    grace,
    secrets: [signingSecret, botToken, appToken, env.ENCRYPTION_KEYS ?? '', provider.account.key],
    env,
    url: () => `http://127.0.0.1:${port}`,
    program: () => started,
    async connect() {
      await grace.types('/switchboard', 'connect');
      await grace.fills('API key', provider.account.key);
      await grace.submits();
      await grace.seesModal('Switchboard', 'Connected');
      await grace.closes();
    },
  };
}
