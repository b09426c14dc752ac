import { join } from 'node:path';
import type { ProviderSandbox } from '../../../sandbox/provider/server.ts';
import type { SlackSandbox } from '../../../sandbox/slack/server.ts';
import type { Services } from '../../../src/services/services.ts';
import type { Store } from '../../../src/store/store.ts';
import { type RunningProcess, runProgram, type TestHooks } from '../../support/app/app-process.ts';
import { bundleProgram } from '../../support/app/program-bundle.ts';
import { startSandboxes } from '../../support/app/program-harness.ts';
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
  const instances: Instance[] = [];
  const {
    provider,
    slack,
    env: reached,
  } = await startSandboxes(test, () => {
    // A balancer soon leaves out an instance that does not answer.
    const all = instances.filter(({ isStopped }) => !isStopped);
    return all[pick(all.length)]?.port ?? 1;
  });
  provider.setBalance(100_000_000);
  const env = {
    DATABASE_URL: postgres.url.reveal(),
    ...reached,
    CAMPAIGN_MESSAGES_PER_SECOND: String(messagesPerSecond),
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
