import type { WebClient } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import type { Log } from '../../lib/log.ts';
import type { Stopwatch } from '../../lib/time/clock.ts';
import { withTimeout } from '../../lib/time/timeout.ts';
import type { Timers } from '../../lib/time/timers.ts';
import type { ChannelAccess } from '../block-kit/channel-access.ts';
import { slackErrorCode } from './slack-errors.ts';

/**
 * Knows whether the app can post in a channel. The scopes for it are optional (`channels:read`, `groups:read`,
 * `channels:join`): without them the access is `unknown`, and nothing else is missing.
 */
export interface Channels {
  /** Returns what was found last, without asking Slack; undefined: it was not asked. */
  known(channelId: string): ChannelAccess | undefined;
  /** Asks Slack, at most every 30 seconds a channel. Resolves within 1.5 s, with what is known by then. Never rejects. */
  check(channelId: string): Promise<ChannelAccess>;
  /** Called when something has changed: the next `check` asks Slack. */
  forget(channelId: string): void;
  /** Lets the app join a public channel. Never rejects: what it led to is known afterwards. */
  join(channelId: string): Promise<void>;
}

const checkedForMs = 30_000;
const timeoutMs = 1_500;
const maxChannels = 1_000;

const unknown: ChannelAccess = { kind: 'unknown' };

/** Slack: conversations.info, conversations.join. */
export function createChannels(options: {
  client: WebClient;
  elapsed: Stopwatch;
  timers: Timers;
  log: Log;
}): Channels {
  const { client, elapsed, timers, log } = options;
  const found = new LRUCache<string, { access: ChannelAccess; at: number | undefined }>({ max: maxChannels });
  const asking = new Map<string, Promise<ChannelAccess>>();

  function keep(channelId: string, access: ChannelAccess): ChannelAccess {
    found.set(channelId, { access, at: elapsed() });
    return access;
  }

  function isFresh(channelId: string): boolean {
    const at = found.get(channelId)?.at;
    return at !== undefined && elapsed() - at < checkedForMs;
  }

  /** Asks Slack. What has changed meanwhile is not overwritten by the answer. */
  function ask(channelId: string): Promise<ChannelAccess> {
    const answer: Promise<ChannelAccess> = request(channelId).then((access) => {
      if (asking.get(channelId) === answer) {
        asking.delete(channelId);
        keep(channelId, access);
      }
      return access;
    });
    asking.set(channelId, answer);
    return answer;
  }

  async function request(channelId: string): Promise<ChannelAccess> {
    try {
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
    known: (channelId) => found.get(channelId)?.access,

    async check(channelId) {
      const last = found.get(channelId)?.access;
      if (last !== undefined && isFresh(channelId)) {
        return last;
      }
      const answer = asking.get(channelId) ?? ask(channelId);
      return withTimeout(answer, timeoutMs, () => last ?? unknown, timers);
    },

    forget(channelId) {
      asking.delete(channelId);
      const last = found.get(channelId);
      if (last !== undefined) {
        found.set(channelId, { ...last, at: undefined });
      }
    },

    async join(channelId) {
      try {
        await client.conversations.join({ channel: channelId });
        asking.delete(channelId);
        keep(channelId, { kind: 'member', joined: true });
      } catch (error) {
        const access = accessAfter(error, log);
        // The channel was seen, so without the scope to join it, or in a kind that cannot be joined, a person invites.
        keep(channelId, access.kind === 'unknown' ? { kind: 'not_member', canJoin: false } : access);
      }
    },
  };
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
