import type { Log } from '../../../lib/log.ts';
import { withOrigin } from '../../../lib/request-origin.ts';
import type { Clock } from '../../../lib/time/clock.ts';
import { withTimeout } from '../../../lib/time/timeout.ts';
import type { Timers } from '../../../lib/time/timers.ts';
import type { SlackInstallation } from '../../../store/slack-installations/installation-record.ts';
import type { SlackInstallations } from '../../../store/slack-installations/slack-installations.ts';
import type { Covering } from './covering.ts';
import type { Leases } from './leases.ts';
import type { BotTokens } from './tokens.ts';

/**
 * Whether Slack still accepts the installations: it does not after a removal whose events were missed. Nothing is sent
 * for the workspaces of one that it refuses, and nothing of theirs is deleted: that takes Slack's event, as an answer to
 * a call may be an error of Slack's. Where Slack accepts it again, its people may go on.
 */
export interface Acceptance {
  /** Asks Slack about an installation. Concurrent calls share one question. Never rejects. */
  check(ownerId: string): Promise<void>;
  /** As `check`, for the installations that serve these workspaces. Waits for Slack, but not for long. */
  checkBeforeSending(workspaceIds: readonly string[]): Promise<void>;
  /** Asks about all installations. Called once an hour. */
  checkAll(): Promise<void>;
}

const patienceMs = 10_000;

export function createAcceptance(options: {
  installations: Pick<SlackInstallations, 'find' | 'save' | 'owners' | 'workspacesOf'>;
  covering: Covering;
  leases: Leases;
  tokens: Pick<BotTokens, 'of'>;
  /** Asks Slack whether a token is accepted. Throws where Slack does not say. */
  isAccepted: (token: string) => Promise<boolean>;
  /** Stops what is being sent for a workspace. */
  hold: (workspaceId: string) => Promise<void>;
  clock: Clock;
  timers: Timers;
  closing: AbortSignal;
  log: Log;
}): Acceptance {
  const { installations, covering, leases, tokens, isAccepted, hold, clock, timers, closing, log } = options;
  const checking = new Map<string, Promise<void>>();

  /** An expired token that could not be refreshed yet says nothing. */
  async function isRefused({ token, expiresAt, isRefreshRefused }: SlackInstallation): Promise<boolean> {
    const hasExpired = expiresAt !== undefined && expiresAt <= clock().getTime();
    return hasExpired ? isRefreshRefused === true : !(await isAccepted(token));
  }

  async function holdServed(ownerId: string): Promise<void> {
    for (const workspaceId of [ownerId, ...(await installations.workspacesOf(ownerId))]) {
      if ((await covering.ofWorkspace(workspaceId))?.ownerId === ownerId) {
        await hold(workspaceId);
      }
    }
  }

  async function checkUnderLease(ownerId: string): Promise<void> {
    const present = await installations.find(ownerId);
    if (present === undefined) {
      return;
    }
    const refused = await isRefused(present);
    if (refused !== (present.refusedAt !== undefined)) {
      await installations.save({ ...present, refusedAt: refused ? clock().getTime() : undefined });
      covering.changed();
      log.warn(
        { owner: ownerId },
        refused
          ? 'Slack no longer accepts an installation, as if the app was removed: nothing is sent for its workspaces'
          : 'Slack accepts an installation again',
      );
    }
    // Also where it was known: a crash may have come between.
    if (refused) {
      await holdServed(ownerId);
    }
  }

  async function checkOnce(ownerId: string): Promise<void> {
    try {
      // Refreshes a token that has expired.
      await tokens.of(ownerId).catch(() => undefined);
      await withOrigin({ surface: 'background' }, () => leases.with(ownerId, () => checkUnderLease(ownerId)));
    } catch (error) {
      log.warn({ err: error, owner: ownerId }, 'Slack did not say whether it accepts an installation');
    }
  }

  function check(ownerId: string): Promise<void> {
    const current = checking.get(ownerId) ?? checkOnce(ownerId).finally(() => checking.delete(ownerId));
    checking.set(ownerId, current);
    return current;
  }

  return {
    check,

    async checkBeforeSending(workspaceIds) {
      const serving = await Promise.all(workspaceIds.map((id) => covering.ofWorkspace(id)));
      const owners = new Set(serving.flatMap((installation) => installation?.ownerId ?? []));
      const all = Promise.all(Array.from(owners, check)).then(() => undefined);
      await withTimeout(all, patienceMs, () => undefined, timers);
    },

    async checkAll() {
      for (const ownerId of await installations.owners()) {
        if (closing.aborted) {
          return;
        }
        await check(ownerId);
      }
    },
  };
}
