import { LRUCache } from 'lru-cache';
import type { Broadcast } from '../../lib/broadcast.ts';
import type { Log } from '../../lib/log.ts';
import type { Stopwatch } from '../../lib/time/clock.ts';
import { withTimeout } from '../../lib/time/timeout.ts';
import type { Timers } from '../../lib/time/timers.ts';
import { type WorkspaceCaches, workspaceKey } from '../../lib/workspace-caches.ts';
import type { ChannelAccess } from '../block-kit/descriptions/channel-note.ts';
import { slackErrorCode } from './slack-errors.ts';
import type { WorkspaceClients } from './workspace-clients.ts';

/**
 * Knows whether the app can post in a channel. The scopes for it are optional (`channels:read`, `groups:read`,
 * `channels:join`): without them the access is `unknown`, and nothing else is missing.
 */
export interface Channels {
  /** Returns what was found last, without asking Slack; undefined: it was not asked. */
  known(workspaceId: string, channelId: string): ChannelAccess | undefined;
  /**
   * As `known`, but asks Slack what was not asked by this instance. Resolves within half a second: with undefined where Slack
   * takes longer. Never rejects.
   */
  find(workspaceId: string, channelId: string): Promise<ChannelAccess | undefined>;
  /** Asks Slack, at most every 30 seconds a channel. Resolves within 1.5 s, with what is known by then. Never rejects. */
  check(workspaceId: string, channelId: string): Promise<ChannelAccess>;
  /** Called when something has changed: the next `check` asks Slack. */
  forget(workspaceId: string, channelId: string): void;
  /** Lets the app join a public channel. Never rejects: what it led to is known afterwards. */
  join(workspaceId: string, channelId: string): Promise<void>;
}

const checkedForMs = 30_000;
const timeoutMs = 1_500;
const findWithinMs = 500;
const maxChannels = 1_000;

const unknown: ChannelAccess = { kind: 'unknown' };

/** Slack: conversations.info, conversations.join. */
export function createChannels(options: {
  clients: WorkspaceClients;
  caches: WorkspaceCaches;
  broadcast: Broadcast;
  elapsed: Stopwatch;
  timers: Timers;
  log: Log;
}): Channels {
  const { clients, caches, broadcast, elapsed, timers, log } = options;
  /** Both by workspace and channel. */
  const found = new LRUCache<string, { access: ChannelAccess; at: number | undefined }>({ max: maxChannels });
  caches.add(found);
  const asking = new Map<string, Promise<ChannelAccess>>();

  function keep(key: string, access: ChannelAccess): ChannelAccess {
    found.set(key, { access, at: elapsed() });
    return access;
  }

  function isFresh(key: string): boolean {
    const at = found.get(key)?.at;
    return at !== undefined && elapsed() - at < checkedForMs;
  }

  /** Has the next check ask Slack. */
  function outdate(key: string): void {
    asking.delete(key);
    const last = found.get(key);
    if (last !== undefined) {
      found.set(key, { ...last, at: undefined });
    }
  }
  broadcast.on('channel', (key) => {
    for (const each of key === undefined ? [...found.keys()] : [key]) {
      outdate(each);
    }
  });

  /** Asks Slack. What has changed meanwhile is not overwritten by the answer. */
  function ask(workspaceId: string, channelId: string): Promise<ChannelAccess> {
    const key = keyOf(workspaceId, channelId);
    const answer: Promise<ChannelAccess> = request(workspaceId, channelId).then((access) => {
      if (asking.get(key) === answer) {
        asking.delete(key);
        keep(key, access);
      }
      return access;
    });
    asking.set(key, answer);
    return answer;
  }

  async function request(workspaceId: string, channelId: string): Promise<ChannelAccess> {
    try {
      const client = await clients.for(workspaceId);
      const { channel, response_metadata } = await client.conversations.info({ channel: channelId });
      if (channel?.is_archived) {
        return { kind: 'archived' };
      }
      if (channel?.is_member || channel?.is_im) {
        return { kind: 'member' };
      }
      const canJoin = response_metadata?.scopes?.includes('channels:join') === true;
      return { kind: 'not_member', canJoin };
    } catch (error) {
      return accessAfter(error, log);
    }
  }

  return {
    known: (workspaceId, channelId) => found.get(keyOf(workspaceId, channelId))?.access,

    async find(workspaceId, channelId) {
      const key = keyOf(workspaceId, channelId);
      const answer = async () => asking.get(key) ?? ask(workspaceId, channelId);
      return found.get(key)?.access ?? withTimeout(answer(), findWithinMs, () => undefined, timers);
    },

    async check(workspaceId, channelId) {
      const key = keyOf(workspaceId, channelId);
      const last = found.get(key)?.access;
      if (last !== undefined && isFresh(key)) {
        return last;
      }
      const answer = asking.get(key) ?? ask(workspaceId, channelId);
      return withTimeout(answer, timeoutMs, () => last ?? unknown, timers);
    },

    forget(workspaceId, channelId) {
      const key = keyOf(workspaceId, channelId);
      outdate(key);
      broadcast.send('channel', key);
    },

    async join(workspaceId, channelId) {
      const key = keyOf(workspaceId, channelId);
      try {
        const client = await clients.for(workspaceId);
        await client.conversations.join({ channel: channelId });
        asking.delete(key);
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

function keyOf(workspaceId: string, channelId: string): string {
  return workspaceKey(workspaceId, channelId);
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
