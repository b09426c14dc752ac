import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ProviderSandbox, startProvider } from '../../../sandbox/provider/server.ts';
import { type SlackSandbox, startSlack } from '../../../sandbox/slack/server.ts';
import type { Services } from '../../../src/services/services.ts';
import type { Store } from '../../../src/store/store.ts';
import { type RunningProcess, runProgram, type TestHooks } from '../../support/app/app-process.ts';
import { bundleProgram } from '../../support/app/program-bundle.ts';
import { createPostgresDatabase } from '../../support/store/databases.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openServices, workspaceId } from '../kills/crash-harness.ts';

/** One of the processes that share the database. */
export interface Instance {
  program: RunningProcess;
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

export const createdBy = 'U0AGENT';

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
  const { store, services, close } = await openServices({ ...env, DATA_DIR: join(folder, 'beside') });
  test.after(close);
  await store.instances.announceStop();
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
      const port = await program.ready();
      const instance = { program, port, isStopped: false };
      instances.push(instance);
      return instance;
    },
    async kill(instance) {
      without(instance);
      await instance.program.kill();
    },
    pause(instance) {
      instance.isStopped = true;
      instance.program.freeze();
    },
    resume(instance) {
      instance.program.thaw();
      instance.isStopped = false;
    },
  };
}
