import type { Clock } from '../../../lib/time/clock.ts';
import type { SlackInstallation } from '../../../store/workspaces/slack-installations.ts';
import type { ProgramContext } from '../../client/slack-context.ts';
import { slackErrorCode } from '../../client/slack-errors.ts';
import { NotInstalledError } from '../../client/workspace-clients.ts';
import type { Leases } from './leases.ts';
import type { ServingInstallations } from './serving-installations.ts';

export type BotTokens = ReturnType<typeof createBotTokens>;

/** A token that ends sooner than this is not begun with. */
const marginMs = 60_000;

/** The bot tokens of the installations. Those that expire are refreshed in time. */
export function createBotTokens(context: TokenContext, deps: TokenDeps) {
  const {
    time: { now: clock },
    log,
  } = context;
  const { serving } = deps;
  const tokens = createTokenRefresh(context, deps);
  return {
    /**
     * Returns the installation that serves a workspace, with a token that is valid now.
     *
     * @throws NotInstalledError also where the token has expired and Slack refuses to refresh it
     */
    async of(workspaceId: string): Promise<SlackInstallation> {
      const installation = await serving.ofWorkspace(workspaceId);
      if (installation === undefined) {
        throw new NotInstalledError();
      }
      const { ownerId } = installation;
      const mayRefresh = tokens.isDue(installation);
      if (!endsWithin(installation, marginMs, clock)) {
        // Nobody waits for it while the present token is valid.
        if (mayRefresh) {
          tokens
            .refresh(ownerId)
            .catch((error: unknown) =>
              log.error({ err: error, owner: ownerId }, 'a token could not be refreshed yet'),
            );
        }
        return installation;
      }
      const renewed = mayRefresh ? await tokens.refresh(ownerId) : installation;
      if (renewed === undefined || endsWithin(renewed, 0, clock)) {
        throw new NotInstalledError();
      }
      return renewed;
    },
    /** Resolves when no refresh is under way, so that no answer of Slack's is lost. */
    settled: tokens.settled,
  };
}

/** A pair of tokens that Slack gave for a refresh token. */
export interface RefreshedTokens {
  token: string;
  refreshToken: string;
  /** In milliseconds, from the answer on. */
  validForMs: number;
}

type TokenContext = Pick<ProgramContext, 'store' | 'time' | 'timers' | 'log'>;

interface TokenDeps {
  serving: ServingInstallations;
  leases: Leases;
  /** Slack: oauth.v2.access. */
  refresh: (refreshToken: string) => Promise<RefreshedTokens>;
  closing: AbortSignal;
}

/** How long before its end a token is refreshed, in milliseconds. Slack: tokens are valid for 12 hours. */
const refreshAheadMs = 2 * 60 * 60_000;
/** After a refresh that failed without a refusal. */
const retryAfterMs = 30_000;
const rewriteAfterMs = 1_000;
const pollMs = 100;
/** How long a request waits for the refresh of another instance, in milliseconds. */
const patienceMs = 15_000;

/** Slack's answers after which the same refresh token is never accepted. */
const refusals = new Set(['invalid_refresh_token', 'token_revoked', 'token_expired', 'account_inactive']);

/**
 * A refresh token is good once, and two refreshes at once can leave a dead pair. So a token is refreshed under a lease in
 * the database, by the caller that has it and still finds it due; nobody else waits while the present token is valid. The new
 * pair is stored before it is used. What is lost between Slack's answer and the write, by a crash, cannot be had again:
 * the present token serves until it expires, then the app has to be installed again.
 */
function createTokenRefresh(context: TokenContext, deps: TokenDeps) {
  const { store, time, timers } = context;
  const { slackInstallations: installations } = store;
  const { now: clock, elapsed } = time;
  const { serving, leases } = deps;
  /** By owner. */
  const refreshing = new Map<string, Promise<SlackInstallation | undefined>>();
  const notBefore = new Map<string, number>();

  const isDue = (installation: SlackInstallation) => isToRefresh(installation, clock);

  /** Refreshes, or waits until another instance has. */
  async function refreshOnce(ownerId: string): Promise<SlackInstallation | undefined> {
    for (let waited = 0; waited < patienceMs; waited += pollMs) {
      const done = await leases.tryWith(ownerId, () =>
        refreshUnderLease(context, deps, ownerId, () => notBefore.set(ownerId, elapsed() + retryAfterMs)),
      );
      if (done !== undefined) {
        return done.result;
      }
      await timers.sleep(pollMs);
      const present = await installations.find(ownerId);
      if (present === undefined || !isDue(present)) {
        serving.changed();
        return present;
      }
    }
    return installations.find(ownerId);
  }

  /** Returns the installation as it is after the refresh, which all callers of this process share. */
  function refresh(ownerId: string): Promise<SlackInstallation | undefined> {
    const current = refreshing.get(ownerId) ?? refreshOnce(ownerId).finally(() => refreshing.delete(ownerId));
    refreshing.set(ownerId, current);
    return current;
  }

  return {
    /** Whether a token is to be refreshed, and may be tried now. */
    isDue: (installation: SlackInstallation) =>
      isDue(installation) && elapsed() >= (notBefore.get(installation.ownerId) ?? 0),
    refresh,
    async settled(): Promise<void> {
      await Promise.allSettled(refreshing.values());
    },
  };
}

/** @param failed called where the refresh failed without a refusal */
async function refreshUnderLease(
  context: TokenContext,
  deps: TokenDeps,
  ownerId: string,
  failed: () => void,
): Promise<SlackInstallation | undefined> {
  const {
    store,
    time: { now: clock },
    log,
  } = context;
  const present = await store.slackInstallations.find(ownerId);
  if (present?.refreshToken === undefined || !isToRefresh(present, clock)) {
    return present;
  }
  try {
    const { token, refreshToken, validForMs } = await deps.refresh(present.refreshToken);
    return await storeTokens(context, deps, {
      ...present,
      token,
      refreshToken,
      expiresAt: clock().getTime() + validForMs,
    });
  } catch (error) {
    if (refusals.has(slackErrorCode(error) ?? '')) {
      log.error(
        { err: error, owner: ownerId },
        'Slack refuses to refresh a token: the app has to be installed again before the token expires',
      );
      return storeTokens(context, deps, { ...present, isRefreshRefused: true }, present.refreshToken);
    }
    failed();
    log.warn({ err: error, owner: ownerId }, 'a token could not be refreshed yet');
    return present;
  }
}

function isToRefresh(installation: SlackInstallation, clock: Clock): boolean {
  const { refreshToken, isRefreshRefused } = installation;
  return (
    refreshToken !== undefined && isRefreshRefused !== true && endsWithin(installation, refreshAheadMs, clock)
  );
}

/** Whether a token expires within `ms`. */
function endsWithin({ expiresAt }: SlackInstallation, ms: number, clock: Clock): boolean {
  return expiresAt !== undefined && expiresAt - clock().getTime() <= ms;
}

/**
 * Stores a new pair, retrying until it succeeds. Leaves another installation alone, which has its own. Returns the stored
 * pair.
 *
 * @param refused the refresh token that Slack refused: a pair that another instance got for it meanwhile stays
 */
async function storeTokens(
  { store: { slackInstallations: installations }, timers, log }: TokenContext,
  { serving, closing }: TokenDeps,
  renewed: SlackInstallation,
  refused?: string,
): Promise<SlackInstallation | undefined> {
  for (;;) {
    try {
      const stored = await installations.find(renewed.ownerId);
      const isReplaced = refused !== undefined && stored?.refreshToken !== refused;
      if (stored?.installedAt !== renewed.installedAt || isReplaced) {
        return stored;
      }
      await installations.save(renewed);
      serving.changed();
      return renewed;
    } catch (error) {
      log.error({ err: error, owner: renewed.ownerId }, 'a refreshed token could not be stored yet');
      if (closing.aborted) {
        throw error;
      }
      await timers.sleep(rewriteAfterMs, closing);
    }
  }
}
