import { subHours } from 'date-fns/subHours';
import type { Timers } from '../../lib/time/timers.ts';
import type { Time } from '../../lib/time/trusted-time.ts';
import type {
  DueForward,
  ForwardAttempt,
  ForwardLease,
  ReportForwards,
} from '../../store/report-forwards/report-forwards.ts';
import { type ForwardRules, readForwardAddress } from './forward-address.ts';
import type { ForwardClient, ForwardFailure } from './forward-client.ts';

/** Passes on what waits in the queues. */
export interface Forwarder {
  /** Begins with the queues in which something is due. Resolves before they are done, so that none waits for another. */
  look(): Promise<void>;
  /** Begins nothing more. Resolves when what is under way has ended, which is not waited for long. */
  stop(): Promise<void>;
}

/** Of one queue at a time. */
const together = 16;
const maxQueues = 100;
const keptHours = 24;
/** In milliseconds: how long a stop waits for answers. */
const stopMs = 2_000;

export function createForwarder(options: {
  store: ReportForwards;
  client: ForwardClient;
  rules: ForwardRules;
  time: Pick<Time, 'trustedForDeletion'>;
  timers: Timers;
  /** Called with errors, which no caller waits for. */
  report: (error: unknown) => void;
  /** Called with what became of attempts, for the metrics. */
  count: (outcome: 'delivered' | 'failed' | 'dropped', requests: number) => void;
}): Forwarder {
  const { store, client, rules, time, timers, report, count } = options;
  const queues = new Set<Promise<void>>();
  const stopping = new AbortController();
  const aborted = new AbortController();

  async function attempt(address: string, { id, attempts, request }: DueForward): Promise<ForwardAttempt> {
    const url = readForwardAddress(address, rules);
    const reason = url instanceof URL ? await client.send(url, request, aborted.signal) : 'not_allowed';
    return {
      id,
      attempts,
      failure: reason === undefined ? undefined : { reason, isOfAddress: isOfAddress(reason) },
    };
  }

  async function passOn(lease: ForwardLease): Promise<void> {
    const { workspaceId } = lease;
    const now = time.trustedForDeletion();
    if (now !== undefined) {
      count('dropped', await store.dropOld(workspaceId, subHours(now, keptHours)));
    }
    while (!stopping.signal.aborted) {
      const next = await store.next(lease, together);
      if (next === undefined || next.due.length === 0) {
        return;
      }
      const { address, due } = next;
      const attempts = await Promise.all(due.map((each) => attempt(address, each)));
      // What a stop has cut off was no attempt.
      const made = aborted.signal.aborted
        ? attempts.filter(({ failure }) => failure === undefined)
        : attempts;
      await store.settle(lease, made);
      const failed = made.filter(({ failure }) => failure !== undefined).length;
      count('delivered', made.length - failed);
      count('failed', failed);
    }
  }

  async function work(workspaceId: string): Promise<void> {
    const lease = await store.take(workspaceId);
    if (lease !== undefined) {
      await passOn(lease).finally(() => store.release(lease));
    }
  }

  return {
    async look() {
      for (const workspaceId of await store.due(maxQueues)) {
        if (!stopping.signal.aborted && queues.size < maxQueues) {
          const done = work(workspaceId)
            .catch(report)
            .finally(() => queues.delete(done));
          queues.add(done);
        }
      }
    },
    async stop() {
      stopping.abort();
      const ended = new AbortController();
      void timers.sleep(stopMs, ended.signal).then(() => aborted.abort());
      await Promise.all(queues);
      ended.abort();
      await client.close();
    },
  };
}

/** What another request meets too. */
function isOfAddress(reason: ForwardFailure): boolean {
  return !/^status_4/.test(reason) || /^status_(?:401|403|404|408|410|429)$/.test(reason);
}
