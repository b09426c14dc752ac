import type { AccessDecision } from '../../src/domain/access/decision.ts';
import { permissionsOf, type Role } from '../../src/domain/access/roles.ts';

/** The decision about a person with these roles. */
export function admitted(...roles: Role[]): AccessDecision {
  return { kind: 'admitted', roles: new Set(roles), permissions: permissionsOf(roles), isPartial: false };
}
