import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ProviderSandbox, startProvider } from '../../../sandbox/provider/server.ts';
import { type SlackSandbox, startSlack } from '../../../sandbox/slack/server.ts';
import { readSettings } from '../../../src/config/settings.ts';
import { noOthers } from '../../../src/lib/broadcast.ts';
import { systemTimers } from '../../../src/lib/time/timers.ts';
import { createProvider } from '../../../src/provider/client.ts';
import { createServices, type Services } from '../../../src/services/services.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { portIn, type RunningProgram, runProgram } from '../../support/app/app-process.ts';
import { bundleProgram } from '../../support/app/program-bundle.ts';
import { admitted } from '../../support/decisions.ts';
import { createPostgresDatabase } from '../../support/store/databases.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

export interface TestHooks {
  after(end: () => void | Promise<void>): void;
}

/** One of the processes that share the database. */
export interface Instance {
  program: RunningProgram;
  port: number;
  /** Whether it is stopped by SIGSTOP. */
  isStopped: boolean;
}

/** The program in several processes on one PostgreSQL database, and a balancer before them that deals at random. */
export interface Cluster {
  provider: ProviderSandbox;
  slack: SlackSandbox;
  /** Those that run, stopped ones among them. */
  instances: readonly Instance[];
  /** Starts one more. */
  start(): Promise<Instance>;
  /** Ends one by SIGKILL. */
  kill(instance: Instance): Promise<void>;
  pause(instance: Instance): void;
  resume(instance: Instance): void;
  /** The database, and what an operator could do there: sends nothing itself. */
  store: Store;
  services: Services;
}

export const workspaceId = 'T0SWITCH';
export const createdBy = 'U0AGENT';
/** The campaign requests in flight at once of one instance, by the number of connections to the provider. */
export const requests = 3;

export async function startCluster(
  test: TestHooks,
  { messagesPerSecond, pick }: { messagesPerSecond: number; pick: (count: number) => number },
): Promise<Cluster> {
  const file = await bundleProgram();
  const postgres = await createPostgresDatabase();
  test.after(() => postgres.drop());
  const provider = await startProvider();
  test.after(() => provider.stop());
  provider.setBalance(100_000_000);
  const instances: Instance[] = [];
  const slack = await startSlack({
    manifestPath: fileURLToPath(new URL('../../../manifest.yml', import.meta.url)),
    botToken: 'xoxb-sandbox-1111',
    delivery: {
      mode: 'http',
      // A balancer soon leaves out an instance that does not answer.
      eventsUrl() {
        const all = instances.filter(({ isStopped }) => !isStopped);
        return `http://127.0.0.1:${all[pick(all.length)]?.port ?? 1}/slack/events`;
      },
      signingSecret: 'sandbox-signing-secret-7d40',
    },
  });
  test.after(() => slack.stop());
  const env = {
    DATABASE_URL: postgres.url.reveal(),
    PROVIDER_BASE_URL: provider.url,
    SLACK_API_URL: slack.apiUrl,
    SLACK_BOT_TOKEN: 'xoxb-sandbox-1111',
    SLACK_SIGNING_SECRET: 'sandbox-signing-secret-7d40',
    ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    CAMPAIGN_MESSAGES_PER_SECOND: String(messagesPerSecond),
    HOST: '127.0.0.1',
    PORT: '0',
    NODE_COMPILE_CACHE: temporaryFolder(test),
  };
  const folder = temporaryFolder(test);
  const { store, services } = await openBeside(test, { ...env, DATA_DIR: join(folder, 'beside') });
  await services.workspaces.connect(workspaceId, provider.account.key, createdBy);

  let started = 0;
  const without = (instance: Instance) => instances.splice(instances.indexOf(instance), 1);
  return {
    provider,
    slack,
    instances,
    store,
    services,
    async start() {
      started += 1;
      const program = runProgram(test, { ...env, DATA_DIR: join(folder, `instance-${started}`) }, file);
      const port = portIn(await program.says('Switchboard is ready'));
      const instance = { program, port, isStopped: false };
      instances.push(instance);
      return instance;
    },
    async kill(instance) {
      without(instance);
      instance.program.child.kill('SIGKILL');
      await once(instance.program.child, 'close');
    },
    pause(instance) {
      instance.isStopped = true;
      instance.program.child.kill('SIGSTOP');
    },
    resume(instance) {
      instance.program.child.kill('SIGCONT');
      instance.isStopped = false;
    },
  };
}

/** Opens the store and the services beside the instances. They take no campaigns. */
async function openBeside(
  test: TestHooks,
  env: Record<string, string>,
): Promise<{ store: Store; services: Services }> {
  const settings = await readSettings(env);
  const store = await openStore(settings);
  await store.instances.announceStop();
  const client = createProvider(settings.provider);
  const services = createServices({
    broadcast: noOthers,
    store,
    provider: client,
    dialect: { chatChannel: 'chatapp' },
    campaignLimits: { maxRequests: requests, messagesPerSecond: settings.campaignMessagesPerSecond },
    time: store.time,
    timers: systemTimers,
    decide: async () => admitted('admin'),
    report: (error) => assert.fail(String(error)),
    ended: () => {},
  });
  test.after(async () => {
    await client.close();
    await store.close();
  });
  return { store, services };
}
