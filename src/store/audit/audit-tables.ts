import type { Selectable } from 'kysely';
import type { Schema } from '../schema.ts';

export type AuditEntryRow = Selectable<Schema['audit_entry']>;
export type AuditChainRow = Selectable<Schema['audit_chain']>;
export type AuditRegisterRow = Selectable<Schema['audit_register']>;

/** The workspace of entries that concern the whole installation, such as a change of the encryption key. */
export const installationId = '*';
