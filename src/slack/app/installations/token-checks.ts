import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import { withOrigin } from '../../../lib/request-origin.ts';
import { isAccessRefused, type SlackInstallation } from '../../../store/workspaces/slack-installations.ts';
import type { ProgramContext } from '../../client/slack-context.ts';
import type { BotTokens } from './bot-tokens.ts';
import type { Leases } from './leases.ts';
import type { ServingInstallations } from './serving-installations.ts';

const minuteMs = 60_000;
/** Those that Slack shut out are few. */
const maxRemembered = 1_000;

/**
 * Whether Slack still accepts the app's tokens: it does not after a removal whose events were missed. Nothing is sent
 * for the workspaces of one that it refuses, and nothing of theirs is deleted: that takes Slack's event, as an answer to
 * a call may be an error of Slack's. Where Slack accepts it again, its people may go on.
 */
export function createTokenChecks(
  { time: { elapsed }, log }: ProgramContext,
  options: {
    /** Tests an owner's token with Slack. If Slack refuses it, pauses the owner's campaigns. Throws without an answer. */
    askSlack: (ownerId: string) => Promise<void>;
    /** Returns the ids of all owners, read some at a time: there may be very many. */
    owners: () => AsyncIterable<string>;
    closing: AbortSignal;
  },
) {
  const { askSlack, owners, closing } = options;
  const checking = new Map<string, Promise<void>>();
  const checkedAt = new LRUCache<string, number>({ max: maxRemembered });

  /** Asks Slack about the token of an owner. Concurrent calls share one question. Never rejects. */
  function check(ownerId: string): Promise<void> {
    const checkOnce = () => {
      checkedAt.set(ownerId, elapsed());
      const unclear = (error: unknown) =>
        log.warn({ err: error, owner: ownerId }, 'Slack did not say whether it accepts an installation');
      const asked = withOrigin({ surface: 'background' }, () => askSlack(ownerId));
      return asked.catch(unclear).finally(() => checking.delete(ownerId));
    };
    const current = checking.get(ownerId) ?? checkOnce();
    checking.set(ownerId, current);
    return current;
  }

  return {
    check,

    /** As `check`, but at most once a minute: anybody can cause this call, as often as they like. */
    async checkAgain(ownerId: string): Promise<void> {
      const last = checkedAt.get(ownerId);
      if (last === undefined || elapsed() - last >= minuteMs) {
        await check(ownerId);
      }
    },

    /** Asks about all tokens. Called every hour. */
    async checkAll(): Promise<void> {
      for await (const ownerId of owners()) {
        if (closing.aborted) {
          return;
        }
        await check(ownerId);
      }
    },
  };
}

/** Pauses the campaigns of a workspace, and deletes nothing. */
export async function holdWorkspace(
  { services, caches }: ProgramContext,
  workspaceId: string,
): Promise<void> {
  // A person who is known already could still start something.
  caches.drop(workspaceId);
  await services.campaigns.holdWorkspace(workspaceId);
}

interface CheckDeps {
  serving: ServingInstallations;
  leases: Leases;
  tokens: Pick<BotTokens, 'of'>;
  /** Asks Slack whether a token is accepted. Throws where Slack does not say. */
  isAccepted: (token: string) => Promise<boolean>;
  /** Asks Slack for the ids of the workspaces that the token of an enterprise is let into. */
  grantedTo: (token: string) => Promise<ReadonlySet<string>>;
}

/**
 * Returns a function that asks Slack about an installation, keeps the answer with it, and holds the workspaces that Slack
 * does not let the app into.
 */
export function createInstallationCheck(
  program: ProgramContext,
  deps: CheckDeps,
): (ownerId: string) => Promise<void> {
  const {
    store: { slackInstallations: installations },
    time: { now: clock },
    log,
  } = program;
  const { serving, leases, tokens } = deps;

  async function checkUnderLease(ownerId: string): Promise<void> {
    const present = await installations.find(ownerId);
    if (present === undefined) {
      return;
    }
    const served = await installations.workspacesOf(ownerId);
    const answer = await ask(present, served, program, deps);
    const { refusedAt, refusedWorkspaces } = present;
    const isNew = answer.isRefused !== (refusedAt !== undefined);
    if (isNew || !isDeepStrictEqual(answer.refusedWorkspaces, refusedWorkspaces ?? [])) {
      const since = answer.isRefused ? (refusedAt ?? clock().getTime()) : undefined;
      await installations.save({ ...present, refusedAt: since, refusedWorkspaces: answer.refusedWorkspaces });
      serving.changed();
      const news = isNew ? (answer.isRefused ? refused : acceptedAgain) : accessChanged;
      log.warn({ owner: ownerId, refusedWorkspaces: answer.refusedWorkspaces }, news);
    }
    // Also where it was known: a crash may have come between.
    for (const workspaceId of [ownerId, ...served]) {
      const installation = await serving.ofWorkspace(workspaceId);
      if (installation?.ownerId === ownerId && isAccessRefused(installation, workspaceId)) {
        await holdWorkspace(program, workspaceId);
      }
    }
  }

  return async (ownerId) => {
    // Refreshes a token that has expired.
    await tokens.of(ownerId).catch(() => undefined);
    await leases.with(ownerId, () => checkUnderLease(ownerId));
  };
}

interface Answer {
  isRefused: boolean;
  /** In order. */
  refusedWorkspaces: string[];
}

/** An expired token that could not be refreshed yet says nothing. */
async function ask(
  { token, expiresAt, isRefreshRefused, isEnterpriseWide, refusedWorkspaces = [] }: SlackInstallation,
  served: readonly string[],
  { time: { now: clock }, log }: ProgramContext,
  { isAccepted, grantedTo }: CheckDeps,
): Promise<Answer> {
  const hasExpired = expiresAt !== undefined && expiresAt <= clock().getTime();
  const isRefused = hasExpired ? isRefreshRefused === true : !(await isAccepted(token));
  if (isRefused || hasExpired || !isEnterpriseWide || served.length === 0) {
    return { isRefused, refusedWorkspaces };
  }
  try {
    const granted = await grantedTo(token);
    return { isRefused, refusedWorkspaces: served.filter((workspaceId) => !granted.has(workspaceId)) };
  } catch (error) {
    log.warn({ err: error }, 'Slack did not say which workspaces of an enterprise the app is let into');
    return { isRefused, refusedWorkspaces };
  }
}

const refused =
  'Slack no longer accepts an installation, as if the app was removed: nothing is sent for its workspaces';
const acceptedAgain = 'Slack accepts an installation again';
const accessChanged =
  'Slack changed which workspaces of an enterprise the app may enter: nothing is sent for the others';
