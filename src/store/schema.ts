/** One encrypted value. Its ciphertext is bound to the other columns of its row. */
interface KeyvTable {
  workspace_id: string;
  area: string;
  key: string;
  value: string;
  /** Milliseconds since 1970; null: never. */
  expires: number | null;
}

/** See `Operation` in ledger.ts. Times are milliseconds since 1970; `summary` and `error` are JSON. */
interface OperationTable {
  id: string;
  workspace_id: string;
  key: string;
  kind: string;
  actor: string;
  place: string | null;
  summary: string;
  state: 'underway' | 'accepted' | 'rejected' | 'not_sent' | 'unconfirmed';
  provider_id: string | null;
  pages: number | null;
  balance: string | null;
  error: string | null;
  /** The run of the program that performs it. */
  run: string;
  created_at: number;
  ended_at: number | null;
  /** The run of the program that is telling of it, or told of it. */
  told_by: string | null;
  told_at: number | null;
}

/** Each encryption key that data may lie under, with a value to try it on. Holds no key. */
interface EncryptionKeyTable {
  id: string;
  canary: string;
}

export interface Schema {
  keyv: KeyvTable;
  operation: OperationTable;
  encryption_key: EncryptionKeyTable;
}
