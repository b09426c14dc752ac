import type { Settings } from '../../src/config/settings.ts';
import { permissionsOf } from '../../src/domain/access/roles.ts';
import { createLog } from '../../src/lib/log.ts';
import { createMetrics } from '../../src/lib/metrics.ts';
import { systemTimers } from '../../src/lib/time/timers.ts';
import type { Provider } from '../../src/provider/client.ts';
import { createProvider } from '../../src/provider/client.ts';
import { type Context, createContext } from '../../src/services/context.ts';
import { createServices, type Services } from '../../src/services/services.ts';
import type { Store } from '../../src/store/store.ts';
import { workspaceAt } from './day.ts';

/** The services of the program on a store, without Slack: every user is an admin. An error of theirs ends the process. */
export function createBenchServices(
  settings: Settings,
  store: Store,
): { services: Services; close(): Promise<void> } {
  const provider = createProvider(settings.provider);
  const services = createServices(contextOf(settings, store, provider), {
    decide: async () => ({
      kind: 'admitted',
      roles: new Set(['admin'] as const),
      permissions: permissionsOf(['admin']),
      isPartial: false,
    }),
    maxCampaignRequests: 3,
  });
  return { services, close: provider.close };
}

/** Throws the errors of background work. */
export function contextOf(settings: Settings, store: Store, provider: Provider): Context {
  const log = createLog('silent');
  return {
    ...createContext({ settings, store, provider, timers: systemTimers, log, metrics: createMetrics() }),
    report(error) {
      throw error;
    },
  };
}

/** Connects workspaces to the provider, as `/switchboard connect` does in each. */
export async function connectAll(services: Services, workspaces: number, together: number): Promise<void> {
  const indexes = Array.from({ length: workspaces }, (_, index) => index);
  const connect = async (index: number) => {
    const key = `key-of-${index}-0123456789`;
    const { kind } = await services.workspaces.connect(workspaceAt(index), key, 'U0ADMIN');
    if (kind !== 'connected') {
      throw new Error(`The provider’s key was ${kind}.`);
    }
  };
  await run(indexes, connect, together);
}

/** Does all of it, some of it at once, and returns how long each took in milliseconds. */
export async function run<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
  together: number,
): Promise<Map<Item, number>> {
  const times = new Map<Item, number>();
  const next = items.values();
  await Promise.all(
    Array.from({ length: together }, async () => {
      for (const item of next) {
        const begin = performance.now();
        await work(item);
        times.set(item, performance.now() - begin);
      }
    }),
  );
  return times;
}
