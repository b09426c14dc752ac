import { createHmac, type KeyObject } from 'node:crypto';
import type { AuditChainRow, AuditEntryRow, AuditRegisterRow } from './audit-tables.ts';

/**
 * HMAC-SHA256 in base64url. JSON is the canonical form: two different lists of cells never have the same. A cell that
 * was changed to another type, such as bytes, has another form too.
 */
function macOf(key: KeyObject, cells: readonly unknown[]): string {
  return createHmac('sha256', key).update(JSON.stringify(cells)).digest('base64url');
}

export function entryMac(key: KeyObject, row: Omit<AuditEntryRow, 'mac'>): string {
  const { workspace_id, sequence, at, user_id, action, subject, outcome } = row;
  const { surface, channel_id, details, previous } = row;
  const what = [user_id, action, subject, outcome];
  return macOf(key, ['entry', workspace_id, sequence, at, ...what, surface, channel_id, details, previous]);
}

export function chainMac(key: KeyObject, row: Omit<AuditChainRow, 'mac'>): string {
  return macOf(key, ['chain', row.workspace_id, row.first, row.before, row.last, row.end]);
}

export function registerMac(key: KeyObject, { chains }: Pick<AuditRegisterRow, 'chains'>): string {
  return macOf(key, ['register', chains]);
}
