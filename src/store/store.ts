import type { Keyv } from 'keyv';
import type { Kysely } from 'kysely';
import type { Ledger } from './ledger.ts';
import type { Schema } from './schema.ts';

/** Everything the program remembers. */
export interface Store {
  readonly db: Kysely<Schema>;

  /**
   * Values of one workspace and one area (`settings`, `secrets` …), encrypted at rest. A value that was altered, or
   * moved to another workspace, area or key, throws a StoreError. Keys lie in the clear: ids, never numbers or names.
   */
  keyv(workspaceId: string, area: string): Keyv;

  readonly ledger: Ledger;

  /** Resolves when the database answers. */
  ready(): Promise<void>;

  /** Deletes all that is remembered of a workspace: values and operations. */
  forget(workspaceId: string): Promise<void>;

  /** Closes the database and lets go of the folder. Again is fine. */
  close(): Promise<void>;
}
