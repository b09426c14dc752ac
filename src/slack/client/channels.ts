import { LRUCache } from 'lru-cache';
import type { Log } from '../../lib/log.ts';
import { withTimeout } from '../../lib/time/timeout.ts';
import { workspaceKey } from '../../lib/workspace-caches.ts';
import type { ChannelAccess } from '../block-kit/descriptions/channel-note.ts';
import { slackErrorCode } from './slack-errors.ts';
import type { ClientContext, WorkspaceClients } from './workspace-clients.ts';

const checkedForMs = 30_000;
const timeoutMs = 1_500;
const findWithinMs = 500;
const maxChannels = 1_000;

const unknown: ChannelAccess = { kind: 'unknown' };

export type Channels = ReturnType<typeof createChannels>;

/**
 * Knows whether the app can post in a channel (Slack: conversations.info, conversations.join). The scopes for it are
 * optional (`channels:read`, `groups:read`, `channels:join`): without them the access is `unknown`, and nothing else is
 * missing.
 */
export function createChannels(context: ClientContext) {
  const { clients, broadcast, timers, log } = context;
  const { last, isFresh, keep, outdate, ask } = createFoundChannels(context);
  return {
    /** Returns the last result without asking Slack; undefined if this instance never asked. */
    known: (workspaceId: string, channelId: string): ChannelAccess | undefined =>
      last(workspaceKey(workspaceId, channelId)),

    /**
     * As `known`, but asks Slack if this instance has not asked yet. Resolves within half a second: with undefined where
     * Slack takes longer. Never rejects.
     */
    async find(workspaceId: string, channelId: string): Promise<ChannelAccess | undefined> {
      const known = last(workspaceKey(workspaceId, channelId));
      return known ?? withTimeout(ask(workspaceId, channelId), findWithinMs, () => undefined, timers);
    },

    /** Asks Slack, at most every 30 seconds a channel. Resolves within 1.5 s with the newest known result. Never rejects. */
    async check(workspaceId: string, channelId: string): Promise<ChannelAccess> {
      const key = workspaceKey(workspaceId, channelId);
      const known = last(key);
      return known !== undefined && isFresh(key)
        ? known
        : withTimeout(ask(workspaceId, channelId), timeoutMs, () => known ?? unknown, timers);
    },

    /** Called when something has changed: the next `check` asks Slack. */
    forget(workspaceId: string, channelId: string): void {
      const key = workspaceKey(workspaceId, channelId);
      outdate(key);
      broadcast.send('channel', key);
    },

    /** Lets the app join a public channel. Never rejects: the next check shows whether it worked. */
    async join(workspaceId: string, channelId: string): Promise<void> {
      const key = workspaceKey(workspaceId, channelId);
      try {
        const client = await clients.for(workspaceId);
        await client.conversations.join({ channel: channelId });
        outdate(key);
        keep(key, { kind: 'member', joined: true });
        broadcast.send('channel', key);
      } catch (error) {
        const access = accessAfter(error, log);
        // The channel was seen, so without the scope to join it, or in a kind that cannot be joined, a person invites.
        keep(key, access.kind === 'unknown' ? { kind: 'not_member', canJoin: false } : access);
      }
    },
  };
}

/** What was found of each channel, and what Slack is asked now, both by workspace and channel. */
function createFoundChannels({ clients, caches, broadcast, elapsed, log }: ClientContext) {
  const found = new LRUCache<string, { access: ChannelAccess; at: number | undefined }>({ max: maxChannels });
  caches.add(found);
  const asking = new Map<string, Promise<ChannelAccess>>();

  function keep(key: string, access: ChannelAccess): void {
    found.set(key, { access, at: elapsed() });
  }

  /** Has the next check ask Slack. */
  function outdate(key: string): void {
    asking.delete(key);
    const before = found.get(key);
    if (before !== undefined) {
      found.set(key, { ...before, at: undefined });
    }
  }
  broadcast.on('channel', (key) => {
    for (const each of key === undefined ? [...found.keys()] : [key]) {
      outdate(each);
    }
  });

  return {
    last: (key: string) => found.get(key)?.access,
    isFresh(key: string): boolean {
      const at = found.get(key)?.at;
      return at !== undefined && elapsed() - at < checkedForMs;
    },
    keep,
    outdate,
    /** Asks Slack, once for those who ask at the same time. What has changed meanwhile is not overwritten by the answer. */
    ask(workspaceId: string, channelId: string): Promise<ChannelAccess> {
      const key = workspaceKey(workspaceId, channelId);
      const answer: Promise<ChannelAccess> =
        asking.get(key) ??
        request(clients, log, workspaceId, channelId).then((access) => {
          if (asking.get(key) === answer) {
            asking.delete(key);
            keep(key, access);
          }
          return access;
        });
      asking.set(key, answer);
      return answer;
    },
  };
}

async function request(
  clients: WorkspaceClients,
  log: Log,
  workspaceId: string,
  channelId: string,
): Promise<ChannelAccess> {
  try {
    const client = await clients.for(workspaceId);
    const { channel, response_metadata } = await client.conversations.info({ channel: channelId });
    if (channel?.is_archived) {
      return { kind: 'archived' };
    }
    const canJoin = response_metadata?.scopes?.includes('channels:join') === true;
    return channel?.is_member || channel?.is_im ? { kind: 'member' } : { kind: 'not_member', canJoin };
  } catch (error) {
    return accessAfter(error, log);
  }
}

function accessAfter(error: unknown, log: Log): ChannelAccess {
  switch (slackErrorCode(error)) {
    case 'channel_not_found':
      return { kind: 'not_visible' };
    case 'is_archived':
      return { kind: 'archived' };
    case 'missing_scope':
      return unknown;
    default:
      log.warn({ err: error }, 'Slack did not say whether the app is in a channel');
      return unknown;
  }
}
