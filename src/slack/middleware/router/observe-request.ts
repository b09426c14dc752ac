import type { Log } from '../../../lib/log.ts';
import type { Stopwatch } from '../../../lib/time/clock.ts';
import { traced } from '../../../lib/tracing/tracing.ts';

export type RequestKind = 'command' | 'submission' | 'action' | 'options' | 'shortcut' | 'home' | 'closed';

/** Calls `work`, which handles a request of Slack. `name` is that of its listener. */
export type ObserveRequest = (
  request: { kind: RequestKind; name: string },
  work: () => Promise<void>,
) => Promise<void>;

/** Each request of Slack is a step of a trace, and a line of the log once it is handled, work in the background included. */
export function observeRequests({ log, elapsed }: { log: Log; elapsed: Stopwatch }): ObserveRequest {
  return ({ kind, name }, work) =>
    traced({ name: `${kind} ${name}`, kind: 'server', attributes: { 'slack.request': kind } }, async () => {
      const from = elapsed();
      try {
        await work();
      } finally {
        log.info({ kind, name, ms: Math.round(elapsed() - from) }, 'a request was handled');
      }
    });
}
