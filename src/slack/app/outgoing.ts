import type { Dispatcher } from 'undici';
import { createAgent, createFetch, type Fetch, type WebProxy } from '../../lib/http/proxy.ts';

/** How requests reach Slack. */
export interface Outgoing {
  fetch: Fetch;
  /** Undefined where nothing stands between: Node's own is used then. */
  agent: Dispatcher | undefined;
  close(): Promise<void>;
}

/** In milliseconds. */
const connectTimeout = 10_000;

export function createOutgoing(proxy: WebProxy | undefined): Outgoing {
  if (proxy === undefined) {
    return { fetch: (...request) => fetch(...request), agent: undefined, close: async () => {} };
  }
  const agent = createAgent(proxy, { connectTimeout });
  return { fetch: createFetch(agent), agent, close: () => agent.destroy() };
}
