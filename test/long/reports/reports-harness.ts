import { type ProviderSandbox, startProvider } from '../../../sandbox/provider/server.ts';
import { createLog } from '../../../src/lib/log.ts';
import { machineTime } from '../../../src/lib/time/clock.ts';
import { systemTimers } from '../../../src/lib/time/timers.ts';
import { createProvider } from '../../../src/provider/client.ts';
import { createServices, type Services } from '../../../src/services/services.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { reportsRoute } from '../../../src/web/reports.ts';
import { createHttpServer } from '../../../src/web/server.ts';
import type { TestHooks } from '../../support/app/app-process.ts';
import { admitted } from '../../support/decisions.ts';
import { setLimits, unlimited } from '../../support/limits.ts';
import { reportHeader } from '../../support/reports/signed-report.ts';
import type { DatabaseName } from '../../support/store/databases.ts';
import { newEncryptionKey, postgresOf } from '../../support/store/temporary-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { testContext } from '../../support/test-context.ts';

export const userId = 'U0AGENT';

/** A workspace, its account at the provider, and a sender of it. The first two have one account and one sender. */
export interface ReportingWorkspace {
  id: string;
  key: string;
  senderId: string;
}

/** The services and the store of a program that takes in reports, with the sandbox's provider. */
export interface ReportsHarness {
  readonly provider: ProviderSandbox;
  readonly workspaces: readonly ReportingWorkspace[];
  readonly services: Services;
  readonly store: Store;
  /** Where the reports of a workspace go; another one after each restart. */
  addressOf(workspaceId: string): Promise<string>;
  /** Stops the program, and starts it on the same data. */
  restart(): Promise<void>;
  /** Does what follows from all reports so far. */
  follow(): Promise<void>;
}

const timeoutMs = 60_000;
const dialect = { chatChannel: 'chatapp' };

export async function startReports(
  test: TestHooks,
  options: { connections: number; database?: DatabaseName | undefined },
): Promise<ReportsHarness> {
  const provider = await startProvider();
  const dataDir = temporaryFolder(test);
  let drop: () => void | Promise<void> = () => {};
  const postgres = await postgresOf(
    {
      after(end) {
        drop = end;
      },
    },
    dataDir,
    options.database,
  );
  const encryptionKeys = [newEncryptionKey()];

  async function open() {
    const time = machineTime;
    const store = await openStore({ dataDir, postgres, encryptionKeys, time });
    const client = createProvider({
      baseUrl: new URL(provider.url),
      connectTimeout: timeoutMs,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      totalTimeout: timeoutMs,
      connections: options.connections,
      dialect,
    });
    const services = createServices(
      testContext(store, {
        provider: client,
        settings: {
          provider: { baseUrl: new URL(provider.url), dialect },
          campaignMessagesPerSecond: 1_000_000,
          reportSignature: {
            header: reportHeader.toLowerCase(),
            hash: 'sha512',
            encoding: 'hex',
            key: 'api_key',
          },
        },
      }),
      { decide: async () => admitted('admin'), maxCampaignRequests: 2 },
    );
    const server = createHttpServer({
      routes: [reportsRoute({ services, metrics: { reports: () => {} } })],
      log: createLog('silent'),
      timers: systemTimers,
    });
    const port = await server.listen('127.0.0.1', 0);
    return {
      store,
      services,
      port,
      async close() {
        await services.campaigns.stopSending();
        await server.close();
        await client.close();
        await store.close();
      },
    };
  }

  let program = await open();
  test.after(async () => {
    await provider.stop();
    await program.close();
    await drop();
  });
  const workspaces = [
    { id: 'T0SWITCH', key: provider.account.key, senderId: 'PalmMarket' },
    { id: 'T0SISTER', key: provider.account.key, senderId: 'PalmMarket' },
    { id: 'T0HARBOUR', key: provider.fullAccount.key, senderId: 'HarbourBank' },
  ];
  for (const { id, key } of workspaces) {
    provider.setBalance(1_000_000_000, key);
    await program.services.workspaces.connect(id, key, 'U0ADMIN');
    await program.services.reports.createAddress(id, 'U0ADMIN');
    await setLimits(program.services, id, { numbers: unlimited('messages') });
  }

  return {
    provider,
    workspaces,
    get services() {
      return program.services;
    },
    get store() {
      return program.store;
    },
    async addressOf(workspaceId) {
      const { token } = await program.services.reports.settings(workspaceId);
      return `http://127.0.0.1:${program.port}/provider/reports/${token}`;
    },
    async restart() {
      await program.close();
      program = await open();
    },
    async follow() {
      await program.store.deliveries.follow(new AbortController().signal);
    },
  };
}
