import type { Selectable } from 'kysely';

export interface AuditTables {
  /** See `AuditEntry`. In the clear: numbers are masked, and there are no texts, codes or keys. */
  audit_entry: {
    workspace_id: string;
    /** From 1 on, without a gap in a workspace. */
    sequence: number;
    /** In milliseconds since 1970. */
    at: number;
    user_id: string | null;
    action: string;
    subject: string | null;
    outcome: string;
    surface: string;
    channel_id: string | null;
    /** JSON. */
    details: string | null;
    /** The `mac` of the entry before. */
    previous: string;
    /** Over all other columns, see `entryMac`. */
    mac: string;
  };
  /** Where the entries of a workspace begin and end: an entry that was cut off at either end is missed. */
  audit_chain: {
    workspace_id: string;
    /** The sequence of the oldest entry that is kept. */
    first: number;
    /** The `mac` of the entry before it, which has expired; the name of the chain's beginning where there was none. */
    before: string;
    /** The sequence of the latest entry; one less than `first` when all have expired. */
    last: number;
    /** Its `mac`. */
    end: string;
    /** Over all other columns, see `chainMac`. */
    mac: string;
  };
  /** One row: a workspace whose entries were deleted with its `audit_chain` is missed. */
  audit_register: {
    /** `installationId`. */
    workspace_id: string;
    /** What all MACs are made with. Encrypted. */
    key: string;
    /** The ids of the workspaces with an `audit_chain`, as JSON, in order. */
    chains: string;
    /** Over `chains`, see `registerMac`. */
    mac: string;
  };
}

export type AuditEntryRow = Selectable<AuditTables['audit_entry']>;
export type AuditChainRow = Selectable<AuditTables['audit_chain']>;
export type AuditRegisterRow = Selectable<AuditTables['audit_register']>;

/** The workspace of entries that concern the whole installation, such as a change of the encryption key. */
export const installationId = '*';
