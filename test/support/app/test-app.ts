import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LoggedRequest } from '../../../sandbox/lib/logged-request.ts';
import type { Wait } from '../../../sandbox/provider/http/replies.ts';
import { type ProviderSandbox, startProvider } from '../../../sandbox/provider/server.ts';
import type { AccountState } from '../../../sandbox/provider/state/state.ts';
import type { InstallWalk, PageSeen } from '../../../sandbox/slack/installations/install-walk.ts';
import { type SlackSandbox, startSlack } from '../../../sandbox/slack/server.ts';
import { team } from '../../../sandbox/slack/workspace/fixtures.ts';
import { type AppOptions, type RunningApp, startApp } from '../../../src/app.ts';
import { readSettings } from '../../../src/config/settings.ts';
import type { Grant } from '../../../src/domain/access/decision.ts';
import { createLog } from '../../../src/lib/log.ts';
import type { Time } from '../../../src/lib/time/clock.ts';
import type { SystemLoad } from '../../../src/lib/time/system-load.ts';
import type { Timers } from '../../../src/lib/time/timers.ts';
import type { ProviderLimits } from '../../../src/provider/client.ts';
import type { ChosenLimits } from '../../../src/services/limits/workspace-limits.ts';
import { hurriedTimers } from '../hurried-timers.ts';
import { watchChannels } from '../privacy/channel-numbers.ts';
import { leaksAtRest, leaksToSlack } from '../privacy/leaks.ts';
import { channelFaults } from '../slack/channel-rules.ts';
import { textFaults } from '../slack/screen-texts.ts';
import { campaigns, oldNews, slackUserAt, support, wordsOf } from '../slack/slack-user.ts';
import { lagosAt } from '../slack/sms-steps.ts';
import type { DatabaseName } from '../store/databases.ts';
import { dumpOf } from '../store/dump.ts';
import { putTables } from '../store/sqlite-template.ts';
import { postgresOf } from '../store/temporary-store.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { asOne, startDealer, testedInstances } from './instances.ts';
import { showLogOfFailure, type TestEnd } from './log-of-failure.ts';
import type { TestWorkspace } from './test-workspace.ts';

export type Transport = 'http' | 'socket';

/** The app between the sandbox's Slack and provider, in this process, and its first workspace. */
export interface TestApp extends TestWorkspace {
  slack: SlackSandbox;
  provider: ProviderSandbox;
  /** The app's environment, for a second app in its own process while this one is stopped. */
  env: Record<string, string>;
  /** The app's data folder; of several instances, that of the first. */
  dataDir: string;
  /** Installs the app in a workspace or an enterprise, as a person does in a browser. Only with `install: 'oauth'`. */
  install(walk: Omit<InstallWalk, 'installUrl'>): Promise<PageSeen>;
  /** What is wrong with what the app has sent to Slack so far: a text, a number in a channel, a key. */
  faults: ReadonlySet<string>;
  /** Restarts the app on the same data. */
  restart(): Promise<void>;
  stopApp(): Promise<void>;
  /** Starts it again, with other settings where `changes` has any. */
  startApp(changes?: Record<string, string>): Promise<void>;
}

/** Members may do everything except administer. */
export const testGrants: readonly Grant[] = [
  { to: { kind: 'everyone' }, role: 'sender' },
  { to: { kind: 'everyone' }, role: 'buyer' },
];

/** Asserts that the log holds none of the test's keys, numbers, texts and activation codes, at any level. */
export function assertNothingPrivate(log: string, secrets: readonly string[]): void {
  for (const secret of secrets) {
    // A short text, such as “Hello”, may occur in the program's own messages.
    if (secret.length > 6 && log.includes(secret)) {
      throw new Error(`The log holds ${secret}:\n${log}`);
    }
  }
}

/** Returns what a provider was sent and has of people: numbers, texts, ICCIDs, activation codes. */
export function personalTexts(
  provider: Pick<ProviderSandbox, 'record' | 'arrivals' | 'keys' | 'accountWith'>,
): string[] {
  const sims = provider.keys.flatMap((key) => provider.accountWith(key).sims);
  return [
    ...provider.record.flatMap(({ to, text }) => [...to, text]),
    ...provider.arrivals.flatMap(({ query, text }) =>
      [query.phone_number ?? [], contactNumbers(text)].flat(),
    ),
    ...sims.flatMap(({ iccid, activationCode }) => [iccid, activationCode]),
  ];
}

/** The numbers of an added contact or an uploaded file, without the country's prefix. */
function contactNumbers(body: string): string[] {
  return [...body.matchAll(/"phone_number":"(\d+)"|^(\d{7,})(?:,|\r?$)/gm)].map(
    ([, one, listed]) => one ?? listed ?? '',
  );
}

/** Signs the HTTP requests of the Slack sandbox. */
export const signingSecret = 'sandbox-signing-secret-7d40';
const botToken = 'xoxb-sandbox-1111';
const appToken = 'xapp-sandbox-2222';
const clientId = '1111.2222';
const clientSecret = 'sandbox-client-secret-91c3';
const stateSecret = 'sandbox-state-secret-at-least-32-characters';

export async function startTestApp(
  test: TestEnd,
  options: {
    transport?: Transport;
    /** Default: one that runs from noon in Lagos, so that no test depends on the hour that it is run at. */
    clock?: Time;
    timers?: Timers;
    env?: Record<string, string>;
    /** What an admin of the first workspace has chosen of the limits. */
    limits?: Partial<ChosenLimits>;
    /** How the app is let into Slack. Default: by the bot token of the first workspace. */
    install?: 'token' | 'oauth';
    /** Whether the tokens of installations expire after 12 hours and are refreshed. */
    tokenRotation?: boolean;
    /** The app's manifest. Default: the project's. */
    manifestPath?: string;
    /** Default: a temporary folder. */
    dataDir?: string;
    /** Default: the one that `npm test` runs the file for, see `testedDatabase`. */
    database?: DatabaseName;
    /** How many instances run on one PostgreSQL. Default: see `testedInstances`; one over a socket, and on SQLite. */
    instances?: number;
    /** Milliseconds that the provider's slow number takes. */
    slowness?: number;
    /** Other limits for requests to the provider than the app has. */
    providerLimits?: Partial<ProviderLimits>;
    /** Whether the app goes on serving for a while when it is stopped, as it does on PostgreSQL. */
    drains?: boolean;
    /** Reports the delay of the event loop. Default: none. */
    watchDelay?: SystemLoad['watchDelay'];
    /**
     * Milliseconds that Slack waits for an acknowledgement. Default: more than Slack's 3,000, for a machine with much else to do,
     * and less than the provider's slow number takes.
     */
    patience?: number;
    /** How the provider waits where it is slow. Default: real time. */
    wait?: Wait;
    /** Accounts of the provider besides those of its seed. */
    accounts?: readonly AccountState[];
    /** Registers commands besides the app's own, which the manifest has to name. */
    register?: AppOptions['register'];
    /** Called with each exchange between Slack and the app. */
    onExchange?: (exchange: LoggedRequest) => void;
    /** Who has which role at first. Default: members may do everything except administer. Undefined: nobody set roles. */
    grants?: readonly Grant[] | undefined;
  } = {},
): Promise<TestApp> {
  const { transport = 'http', clock = lagosAt(12), timers = hurriedTimers, install = 'token' } = options;
  // Removed last, once it was searched.
  let removeFolder = () => {};
  const folder =
    options.dataDir ??
    temporaryFolder({
      after(remove) {
        removeFolder = remove;
      },
    });
  // Dropped last too.
  let dropDatabase: () => void | Promise<void> = () => {};
  const mayBeSeveral = transport === 'http' && options.database !== 'sqlite';
  const { instances = mayBeSeveral ? testedInstances : 1 } = options;
  const postgres = await postgresOf(
    {
      after(drop) {
        dropDatabase = drop;
      },
    },
    folder,
    instances > 1 ? 'postgres' : options.database,
  );
  if (postgres === undefined && options.env?.DATABASE_URL === undefined) {
    await putTables(folder);
  }
  let app: RunningApp | undefined;
  let dealer: Awaited<ReturnType<typeof startDealer>> | undefined;
  const appUrl = () => `http://127.0.0.1:${app?.port ?? 1}`;
  let log = '';
  const logger = createLog('trace', {
    write: (line: string) => {
      log += line;
    },
  });

  showLogOfFailure(test, () => log);

  const provider = await startProvider({
    clock: clock.now,
    slowness: options.slowness ?? 10_000,
    ...(options.wait === undefined ? {} : { wait: options.wait }),
    accounts: options.accounts ?? [],
  });
  const encryptionKey = randomBytes(32).toString('base64');
  const keys = () => [
    signingSecret,
    appToken,
    botToken,
    clientSecret,
    stateSecret,
    encryptionKey,
    ...provider.keys,
  ];
  const faults = new Set<string>();
  const channels = watchChannels();
  const slack = await startSlack({
    clock: clock.now,
    onExchange: (exchange) => {
      channels.note(exchange);
      const found = [...textFaults(exchange), ...channelFaults(exchange), ...leaksToSlack(exchange, keys())];
      for (const fault of found) {
        faults.add(fault);
      }
      options.onExchange?.(exchange);
    },
    ackTimeoutMs: options.patience ?? 8_000,
    manifestPath: options.manifestPath ?? fileURLToPath(new URL('../../../manifest.yml', import.meta.url)),
    ...(install === 'token'
      ? { botToken }
      : {
          oauth: {
            clientId,
            clientSecret,
            redirectUrl: () => `${appUrl()}/slack/oauth_redirect`,
            tokenRotation: options.tokenRotation ?? false,
          },
        }),
    ...(transport === 'http'
      ? {
          delivery: {
            mode: 'http',
            eventsUrl: () => `${appUrl()}/slack/events`,
            signingSecret,
          },
        }
      : { delivery: { mode: 'socket' }, appToken }),
  });
  const env: Record<string, string> = {
    PROVIDER_BASE_URL: provider.url,
    SLACK_API_URL: slack.apiUrl,
    ...(install === 'token'
      ? { SLACK_BOT_TOKEN: botToken }
      : {
          SLACK_CLIENT_ID: clientId,
          SLACK_CLIENT_SECRET: clientSecret,
          SLACK_STATE_SECRET: stateSecret,
        }),
    ...(transport === 'http' ? { SLACK_SIGNING_SECRET: signingSecret } : { SLACK_APP_TOKEN: appToken }),
    ENCRYPTION_KEYS: encryptionKey,
    DATA_DIR: folder,
    ...(postgres && { DATABASE_URL: postgres.url.reveal() }),
    HOST: '127.0.0.1',
    PORT: '0',
    ...options.env,
  };

  const dataDirOf = (index: number) => (instances === 1 ? folder : join(folder, `instance-${index}`));
  const start = async (changes: Record<string, string> = {}) => {
    const startOne = async (own: Record<string, string>) =>
      startApp(await readSettings({ ...env, ...changes, ...own }), {
        time: clock,
        timers,
        log: logger,
        register: options.register,
        providerLimits: options.providerLimits,
        drainMs: options.drains === true ? undefined : 0,
        load: { now: () => clock.now().getTime(), watchDelay: options.watchDelay ?? (() => () => {}) },
      });
    if (instances === 1) {
      app = await startOne({});
      return;
    }
    const running = await Promise.all(
      Array.from({ length: instances }, (_, index) => startOne({ DATA_DIR: dataDirOf(index) })),
    );
    dealer = await startDealer(() => running.map(({ port }) => port));
    app = asOne(running, dealer.port);
  };
  const stop = async () => {
    await dealer?.close();
    dealer = undefined;
    await app?.stop();
    app = undefined;
  };
  await start();
  if (install === 'token') {
    // Tests send the second code to a number at once.
    const numbers = { 'codes.again': 0, ...options.limits?.numbers };
    await app?.services.limits.workspace.save(team.id, { ...options.limits, numbers });
  }
  const grants = 'grants' in options ? options.grants : testGrants;
  if (grants !== undefined) {
    await app?.services.access.change({
      workspaceId: team.id,
      userId: 'U0ADMIN',
      version: 0,
      change: () => grants,
    });
  }
  test.after(async () => {
    await stop();
    await slack.stop();
    await provider.stop();
    assert.deepEqual([...faults], [], 'what is wrong with the texts that this test made the app show');
    const texts = { keys: [...keys(), ...slack.tokens], personal: personalTexts(provider) };
    const dump = postgres && (await dumpOf(postgres));
    const leaks = leaksAtRest({ log, dataDir: folder, dump, ...texts });
    assert.deepEqual(leaks, [], 'what is private, and lies in the clear');
    assert.deepEqual(
      channels.numbersShown(texts.personal),
      [],
      'numbers in full in a channel, or for Slackbot',
    );
  });
  test.after(() => removeFolder());
  test.after(() => dropDatabase());

  const grace = slackUserAt(slack, 'U0ADMIN');
  return {
    slack,
    provider,
    ada: slackUserAt(slack, 'U0AGENT'),
    grace,
    guy: slackUserAt(slack, 'U0GUEST'),
    sam: slackUserAt(slack, 'U0STRANGER'),
    teamId: team.id,
    channels: { support, campaigns, oldNews },
    idOf: (fixture) => fixture,
    env,
    dataDir: dataDirOf(0),
    install: (walk) => slack.install({ installUrl: `${appUrl()}/slack/install`, ...walk }),
    url: appUrl,
    app: () => app ?? assert.fail('the app is stopped'),
    log: () => log,
    faults,
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
      // It is shown after the modal, and a test may count the calls that follow.
      const home = () => wordsOf(slack.snapshot(grace.id).home?.view);
      await slack.until(() => home().includes(key.slice(-4)), 'the Home of the admin who has connected');
    },
  };
}
