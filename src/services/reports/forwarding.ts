import { createAsyncCache } from '../../lib/async-cache.ts';
import type { Broadcast } from '../../lib/broadcast.ts';
import type { Timers } from '../../lib/time/timers.ts';
import type { Time } from '../../lib/time/trusted-time.ts';
import type { ForwardedRequest } from '../../store/report-forwards/forward-rows.ts';
import type { ReportForwarding, ReportForwards } from '../../store/report-forwards/report-forwards.ts';
import type { AuditService } from '../audit/audit-service.ts';
import { type ForwardRules, readForwardAddress } from './forward-address.ts';

/** Passing reports on to another address, for an account whose one webhook is used already. */
export interface Forwarding {
  /** Whether the installation allows it. */
  isOn: boolean;
  find(workspaceId: string): Promise<ReportForwarding | undefined>;
  /** Returns why what was typed cannot be the address. */
  save(workspaceId: string, userId: string, typed: string): Promise<string | undefined>;
  remove(workspaceId: string): Promise<void>;
  /** Puts a request that was rightly signed into the queue, if the workspace has an address. Resolves once that is stored. */
  passOn(workspaceId: string, request: ForwardedRequest): Promise<void>;
  /** Drops what is in memory. */
  forget(): void;
}

/** In milliseconds: how late it is noticed that another instance has changed an address. */
const keptForMs = 5_000;
const maxKept = 1_000;
const wakeAfterMs = 250;

export function createForwarding(options: {
  store: ReportForwards;
  rules: ForwardRules;
  record: AuditService['record'];
  broadcast: Broadcast;
  /** Has the queues looked at soon. */
  wake: () => Promise<void>;
  timers: Timers;
  time: Pick<Time, 'elapsed'>;
}): Forwarding {
  const { store, rules, record, broadcast, time, timers } = options;
  const isOn = rules.hosts.length > 0;
  const forwards = createAsyncCache<boolean>({
    max: maxKept,
    ttl: { ms: keptForMs, elapsed: time.elapsed },
  });

  function forget(): void {
    for (const key of [...forwards.keys()]) {
      forwards.delete(key);
    }
  }
  broadcast.on('reports', forget);

  let isWaking = false;

  /** Once for all requests of a moment. */
  async function wakeSoon(): Promise<void> {
    if (isWaking) {
      return;
    }
    isWaking = true;
    await timers.sleep(wakeAfterMs);
    isWaking = false;
    // What is missed is looked at within seconds.
    await options.wake().catch(() => {});
  }

  async function changed(workspaceId: string, forwarding: 'set' | 'removed'): Promise<void> {
    forget();
    broadcast.send('reports', workspaceId);
    await record({
      workspaceId,
      action: 'settings.change',
      subject: 'delivery reports',
      outcome: 'done',
      details: { forwarding },
    });
  }

  return {
    isOn,
    forget,

    find: async (workspaceId) => (isOn ? store.find(workspaceId) : undefined),

    async save(workspaceId, userId, typed) {
      const address = readForwardAddress(typed, rules);
      if (!(address instanceof URL)) {
        return address.problem;
      }
      await store.save(workspaceId, address.href, userId);
      await changed(workspaceId, 'set');
      void wakeSoon();
      return undefined;
    },

    async remove(workspaceId) {
      await store.remove(workspaceId);
      await changed(workspaceId, 'removed');
    },

    async passOn(workspaceId, request) {
      const hasAddress =
        isOn && (await forwards.get(workspaceId, async () => (await store.find(workspaceId)) !== undefined));
      if (hasAddress) {
        await store.add(workspaceId, request);
        void wakeSoon();
      }
    },
  };
}
