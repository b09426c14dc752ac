import type { MissingGrant } from '../../client/granted-scopes.ts';
import { scopes } from '../manifest.ts';

/** Returns the scopes that the app cannot do without and that were not granted, with what each is for. */
export function missingScopes(granted: readonly string[]): MissingGrant['scopes'] {
  return Object.entries(scopes)
    .filter(([scope]) => !granted.includes(scope))
    .map(([scope, use]) => ({ scope, use }));
}
