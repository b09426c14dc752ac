import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Wait } from '../../sandbox/provider/http/send-reply.ts';
import { type ProviderSandbox, startProvider } from '../../sandbox/provider/server.ts';
import { type SlackSandbox, startSlack } from '../../sandbox/slack/server.ts';
import { type RunningApp, startApp } from '../../src/app.ts';
import { readSettings } from '../../src/config/settings.ts';
import { type MachineClocks, machineClocks } from '../../src/lib/clock.ts';
import { createLog } from '../../src/lib/log.ts';
import type { SystemLoad } from '../../src/lib/system-load.ts';
import { type Person, personAt } from './person.ts';
import { temporaryFolder } from './temporary-folder.ts';

export type Transport = 'http' | 'socket';
export const transports: readonly Transport[] = ['http', 'socket'];

/** The real app between the sandbox's Slack and its provider, all in this process. */
export interface Workbench {
  slack: SlackSandbox;
  provider: ProviderSandbox;
  /** A member, an admin, a guest, and someone of another organisation. */
  ada: Person;
  grace: Person;
  guy: Person;
  sam: Person;
  /** The app's settings, as its environment: for one in a process of its own, while this one is stopped. */
  env: Record<string, string>;
  /** The app that runs now. */
  app(): RunningApp;
  /** All that the app has logged so far, at every level. */
  log(): string;
  /** Stops the app, and starts it again on the same data. */
  restart(): Promise<void>;
  stopApp(): Promise<void>;
  startApp(): Promise<void>;
  /** Grace connects the provider: by the key of the first account, unless by another. */
  connect(key?: string): Promise<void>;
}

/** Keys, numbers, texts and what eSIMs are installed by, that this test used, must not stand in the log, at any level. */
export function assertNothingPrivate(log: string, secrets: readonly string[]): void {
  for (const secret of secrets) {
    // A short text, such as “Hello”, may well be a word of the program’s own.
    if (secret.length > 6 && log.includes(secret)) {
      throw new Error(`The log holds ${secret}:\n${log}`);
    }
  }
}

/** The number of a contact that was added, and the ones in a file that was uploaded: without the country's prefix. */
function contactNumbers(body: string): string[] {
  return [...body.matchAll(/"phone_number":"(\d+)"|^(\d{7,})(?:,|\r?$)/gm)].map(
    ([, one, listed]) => one ?? listed ?? '',
  );
}

const signingSecret = 'sandbox-signing-secret-7d40';
const botToken = 'xoxb-sandbox-1111';
const appToken = 'xapp-sandbox-2222';

export async function startWorkbench(
  test: { after(end: () => void | Promise<void>): void },
  options: {
    transport?: Transport;
    clock?: MachineClocks;
    env?: Record<string, string>;
    /** How Slack is to know the app, if not as the project's manifest has it. */
    manifestPath?: string;
    /** A folder of the test's own, to look into. */
    dataDir?: string;
    /** How long the provider's slow number takes. */
    slowness?: number;
    /** Says how late the event loop is: never, unless given. */
    watchDelay?: SystemLoad['watchDelay'];
    /** How long Slack waits for an acknowledgement, in milliseconds: three seconds unless given. */
    patience?: number;
    /** What the provider waits by where it is slow: the machine's clock unless given. */
    wait?: Wait;
  } = {},
): Promise<Workbench> {
  const { transport = 'http', clock = machineClocks } = options;
  const folder = options.dataDir ?? temporaryFolder(test);
  let app: RunningApp | undefined;
  let log = '';
  const logger = createLog('trace', {
    write: (line: string) => {
      log += line;
    },
  });

  const provider = await startProvider({
    clock: clock.wall,
    slowness: options.slowness ?? 10_000,
    ...(options.wait === undefined ? {} : { wait: options.wait }),
  });
  const slack = await startSlack({
    clock: clock.wall,
    ...(options.patience === undefined ? {} : { ackTimeoutMs: options.patience }),
    manifestPath: options.manifestPath ?? fileURLToPath(new URL('../../manifest.yml', import.meta.url)),
    botToken,
    ...(transport === 'http'
      ? {
          delivery: {
            mode: 'http',
            eventsUrl: () => `http://127.0.0.1:${app?.port ?? 1}/slack/events`,
            signingSecret,
          },
        }
      : { delivery: { mode: 'socket' }, appToken }),
  });
  const env: Record<string, string> = {
    PROVIDER_BASE_URL: provider.url,
    SLACK_API_URL: slack.apiUrl,
    SLACK_BOT_TOKEN: botToken,
    ...(transport === 'http' ? { SLACK_SIGNING_SECRET: signingSecret } : { SLACK_APP_TOKEN: appToken }),
    ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    DATA_DIR: folder,
    HOST: '127.0.0.1',
    PORT: '0',
    ...options.env,
  };
  const settings = readSettings(env);

  const start = async () => {
    app = await startApp(settings, {
      clocks: clock,
      log: logger,
      load: { now: () => clock.wall().getTime(), watchDelay: options.watchDelay ?? (() => () => {}) },
    });
  };
  const stop = async () => {
    await app?.stop();
    app = undefined;
  };
  await start();
  test.after(async () => {
    await stop();
    await slack.stop();
    await provider.stop();
    assertNothingPrivate(log, [
      signingSecret,
      botToken,
      appToken,
      provider.account.key,
      ...provider.record.flatMap(({ to, text }) => [...to, text]),
      ...provider.arrivals.flatMap(({ query, text }) =>
        [query.phone_number ?? [], contactNumbers(text)].flat(),
      ),
      ...[provider.account, provider.otherAccount, provider.fullAccount].flatMap(({ sims }) =>
        sims.flatMap(({ iccid, activationCode }) => [iccid, activationCode]),
      ),
    ]);
  });

  const grace = personAt(slack, 'U0ADMIN');
  return {
    slack,
    provider,
    ada: personAt(slack, 'U0AGENT'),
    grace,
    guy: personAt(slack, 'U0GUEST'),
    sam: personAt(slack, 'U0STRANGER'),
    env,
    app: () => app ?? assert.fail('the app is stopped'),
    log: () => log,
    restart: async () => {
      await stop();
      await start();
    },
    stopApp: stop,
    startApp: start,
    async connect(key = provider.account.key) {
      await grace.types('/switchboard', 'connect');
      await grace.fills('API key', key);
      await grace.submits();
      await grace.seesModal('Switchboard', 'Connected');
      await grace.closes();
    },
  };
}
