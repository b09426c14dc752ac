import type { SlackInstallation } from '../../../store/slack-installations/installation-record.ts';
import type { MissingGrant } from '../../client/granted-scopes.ts';
import { scopes } from '../manifest.ts';

/** Returns the scopes that the app cannot do without and that were not granted, with what each is for. */
export function missingScopes(granted: readonly string[]): MissingGrant['scopes'] {
  return Object.entries(scopes)
    .filter(([scope]) => !granted.includes(scope))
    .map(([scope, use]) => ({ scope, use }));
}

/** Returns what an installation lacks; undefined where it lacks nothing. */
export function missingGrantOf(installation: SlackInstallation): MissingGrant | undefined {
  const { scopes: granted, expiresAt, isRefreshRefused } = installation;
  const lacking = missingScopes(granted);
  const endsAt = isRefreshRefused && expiresAt !== undefined ? new Date(expiresAt) : undefined;
  return lacking.length === 0 && endsAt === undefined
    ? undefined
    : { scopes: lacking, endsAt, installAddress: installAddressOf(installation) };
}

export function installAddressOf({ installAddress }: SlackInstallation): URL | undefined {
  return URL.parse(installAddress ?? '') ?? undefined;
}
