import type { SlackInstallation } from '../../../store/slack-installations/installation-record.ts';
import type { MissingGrant } from '../../client/granted-scopes.ts';
import { optionalScopes, scopes } from '../manifest.ts';

/** Returns the scopes that were not granted, with what each is for. */
export function missingScopes(granted: readonly string[]): Pick<MissingGrant, 'scopes' | 'optional'> {
  const lacking = (needed: Readonly<Record<string, string>>) =>
    Object.entries(needed)
      .filter(([scope]) => !granted.includes(scope))
      .map(([scope, use]) => ({ scope, use }));
  return { scopes: lacking(scopes), optional: lacking(optionalScopes) };
}

/** Returns what an installation lacks; undefined where it lacks nothing. */
export function missingGrantOf(installation: SlackInstallation): MissingGrant | undefined {
  const { scopes: granted, expiresAt, isRefreshRefused } = installation;
  const lacking = missingScopes(granted);
  const endsAt = isRefreshRefused && expiresAt !== undefined ? new Date(expiresAt) : undefined;
  return isWhole(lacking) && endsAt === undefined
    ? undefined
    : { ...lacking, endsAt, installAddress: installAddressOf(installation) };
}

export function isWhole({ scopes, optional }: Pick<MissingGrant, 'scopes' | 'optional'>): boolean {
  return scopes.length === 0 && optional.length === 0;
}

export function installAddressOf({ installAddress }: SlackInstallation): URL | undefined {
  return URL.parse(installAddress ?? '') ?? undefined;
}
