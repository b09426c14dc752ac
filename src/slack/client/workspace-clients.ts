import type { WebClient } from '@slack/web-api';
import type { Broadcast } from '../../lib/broadcast.ts';
import type { Log } from '../../lib/log.ts';
import type { Stopwatch } from '../../lib/time/clock.ts';
import type { Timers } from '../../lib/time/timers.ts';
import type { WorkspaceCaches } from '../../lib/workspace-caches.ts';

/** Slack's Web API, for each workspace with the bot token of its installation. */
export interface WorkspaceClients {
  /** Resolves with a workspace's client. Throws if the app is not installed there. */
  for(workspaceId: string): Promise<WebClient>;
}

/** What the modules that ask Slack are given. */
export interface ClientContext {
  clients: WorkspaceClients;
  caches: WorkspaceCaches;
  broadcast: Broadcast;
  elapsed: Stopwatch;
  timers: Timers;
  log: Log;
}

/** Switchboard has no bot token for a workspace: it was never installed there, or was uninstalled. */
export class NotInstalledError extends Error {
  override readonly name = 'NotInstalledError';

  constructor() {
    super('Switchboard is not installed in this workspace');
  }
}

/** The clients of an installation with one bot token: its own workspace has one, and no other. */
export function createSingleClient(options: {
  client: WebClient;
  /** Returns the workspace that the token belongs to. */
  workspaceId: () => Promise<string>;
}): WorkspaceClients {
  const { client } = options;
  return {
    async for(workspaceId) {
      if (workspaceId !== (await options.workspaceId())) {
        throw new NotInstalledError();
      }
      return client;
    },
  };
}
