import { LRUCache } from 'lru-cache';
import { withOrigin } from '../../../lib/request-origin.ts';
import type { ProgramContext } from '../../client/slack-context.ts';

/**
 * Whether Slack still accepts the app's tokens: it does not after a removal whose events were missed. Nothing is sent
 * for the workspaces of one that it refuses, and nothing of theirs is deleted: that takes Slack's event, as an answer to
 * a call may be an error of Slack's. Where Slack accepts it again, its people may go on.
 */
export interface Acceptance {
  /** Asks Slack about the token of an owner. Concurrent calls share one question. Never rejects. */
  check(ownerId: string): Promise<void>;
  /** As `check`, but for a minute after the last question: for what anybody can give rise to over and over. */
  checkAgain(ownerId: string): Promise<void>;
  /** Asks about all tokens. Called every hour. */
  checkAll(): Promise<void>;
}

const minuteMs = 60_000;
/** Those that Slack shut out are few. */
const maxRemembered = 1_000;

export function createAcceptance(
  { time: { elapsed }, log }: ProgramContext,
  options: {
    /** Asks Slack about the token of an owner, and stops what is being sent where it is refused. Throws where Slack does not say. */
    examine: (ownerId: string) => Promise<void>;
    /** Returns the ids of all owners, read some at a time: there may be very many. */
    owners: () => AsyncIterable<string>;
    closing: AbortSignal;
  },
): Acceptance {
  const { examine, owners, closing } = options;
  const checking = new Map<string, Promise<void>>();
  const checkedAt = new LRUCache<string, number>({ max: maxRemembered });

  async function checkOnce(ownerId: string): Promise<void> {
    checkedAt.set(ownerId, elapsed());
    try {
      await withOrigin({ surface: 'background' }, () => examine(ownerId));
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

    async checkAgain(ownerId) {
      const last = checkedAt.get(ownerId);
      if (last === undefined || elapsed() - last >= minuteMs) {
        await check(ownerId);
      }
    },

    async checkAll() {
      for await (const ownerId of owners()) {
        if (closing.aborted) {
          return;
        }
        await check(ownerId);
      }
    },
  };
}

/** Stops what is being sent for a workspace, and deletes nothing. */
export async function holdWorkspace(
  { services, forgetting }: ProgramContext,
  workspaceId: string,
): Promise<void> {
  // A person who is known already could still start something.
  forgetting.forget(workspaceId);
  await services.campaigns.holdWorkspace(workspaceId);
}
