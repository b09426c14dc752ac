import type { App, AuthorizeResult } from '@slack/bolt';
import { StartupError } from '../../../lib/startup-error.ts';
import type { SlackInstallation } from '../../../store/workspaces/slack-installations.ts';
import type { HttpRoute } from '../../../web/server.ts';
import type { FindMissingGrant, MissingGrant } from '../../client/granted-scopes.ts';
import { isSlackError, neverReachedSlack, slackErrorCode } from '../../client/slack-errors.ts';
import type { WorkspaceClients } from '../../client/workspace-clients.ts';
import { optionalScopes, scopes } from '../manifest.ts';
import type { RequestPlace } from './request-place.ts';

/** How the program is let into Slack: by the token of one workspace, or by the installations of many. */
export interface SlackAccess {
  clients: WorkspaceClients;
  /** Decides which workspace a request is for. Rejects for one that the app does not serve. */
  authorize(place: RequestPlace): Promise<AuthorizeResult>;
  /** Registers what ends an installation. */
  register(app: App): void;
  /** The pages of an installation. */
  routes: readonly HttpRoute[];
  /** Where an installation begins, for people; undefined where there is only the one workspace. */
  installPath: string | undefined;
  missingGrant: FindMissingGrant;
  /** The page that reinstalls the app. Undefined if its URL isn't configured. */
  installAddress: URL | undefined;
  /** Returns the ids of all workspaces that are served. */
  workspaceIds(): Promise<readonly string[]>;
  /** Rejects where Slack does not answer. */
  ask(): Promise<unknown>;
  /** Called before requests are received. Throws a StartupError that says what Slack does not accept. */
  start(): Promise<void>;
  /** Resolves when every event of an installation received so far is done. */
  settled(): Promise<void>;
  /** Completes the removal of workspaces. Called every minute. */
  sweep(): Promise<void>;
  /** Asks Slack whether the app is still let in. Called every hour. */
  check(): Promise<void>;
  /** Resolves when nothing of an installation is under way. */
  stop(): Promise<void>;
}

/** Returns a StartupError that says why Slack did not accept `setting`, or the error itself if that is not known. */
export function startupError(setting: string, error: unknown): unknown {
  const code = slackErrorCode(error);
  if (isSlackError(error, 'bad_token')) {
    return new StartupError(
      `Slack does not accept ${setting} (${code}). Copy it again from the app’s page at api.slack.com/apps.`,
    );
  }
  if (code !== undefined) {
    return new StartupError(
      `Slack refuses to start with ${setting}: ${code}. See the app’s page at api.slack.com/apps.`,
    );
  }
  if (neverReachedSlack(error)) {
    return new StartupError('Slack cannot be reached. Check the network, and SLACK_API_URL if it is set.');
  }
  return error;
}

/** Returns the scopes that were not granted, with what each is for. */
export function missingScopes(granted: readonly string[]): Pick<MissingGrant, 'scopes' | 'optional'> {
  const lacking = (needed: Readonly<Record<string, string>>) =>
    Object.entries(needed)
      .filter(([scope]) => !granted.includes(scope))
      .map(([scope, use]) => ({ scope, use }));
  return { scopes: lacking(scopes), optional: lacking(optionalScopes) };
}

/** Returns the missing scopes of an installation; undefined if it has them all. */
export function missingGrantOf(
  installation: SlackInstallation,
  installAddress: URL | undefined,
): MissingGrant | undefined {
  const { scopes: granted, expiresAt, isRefreshRefused } = installation;
  const lacking = missingScopes(granted);
  const endsAt = isRefreshRefused && expiresAt !== undefined ? new Date(expiresAt) : undefined;
  return isWhole(lacking) && endsAt === undefined ? undefined : { ...lacking, endsAt, installAddress };
}

export function isWhole({ scopes, optional }: Pick<MissingGrant, 'scopes' | 'optional'>): boolean {
  return scopes.length === 0 && optional.length === 0;
}

export type InFlight = ReturnType<typeof createInFlight>;

/** Work that nobody waits for, until the program stops. */
export function createInFlight() {
  const inFlight = new Set<Promise<void>>();
  return {
    /** @param work never rejects */
    track(work: Promise<void>): void {
      const done = work.finally(() => inFlight.delete(done));
      inFlight.add(done);
    },
    /** Resolves when all of it is done. */
    async settled(): Promise<void> {
      await Promise.all(inFlight);
    },
  };
}
