import { randomUUID } from 'node:crypto';
import type { Keyv } from 'keyv';
import type { Kysely } from 'kysely';
import { type DataFolderOptions, openDataFolder } from './data-folder.ts';
import { createKeyvs } from './keyv.ts';
import type { Ledger } from './ledger.ts';
import { createLedger } from './operations.ts';
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

export interface StoreOptions extends DataFolderOptions {
  /** What the ledger tells the time by; the system's clock when left out. */
  clock?: () => Date;
}

/**
 * Opens the store in `dataDir`, which is created where there is none, for this process alone.
 *
 * @throws StoreError: the folder is in use by another process or not private, a key is missing …
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { db, encryption, close } = await openDataFolder(options);
  return {
    db,
    keyv: createKeyvs(db, encryption),
    ledger: createLedger({ db, run: randomUUID(), clock: options.clock ?? (() => new Date()) }),
    async ready() {
      // Not `select 1`, which an unreadable file would answer as well.
      await db.selectFrom('operation').select('id').limit(1).execute();
    },
    async forget(workspaceId) {
      await db.transaction().execute(async (transaction) => {
        await transaction.deleteFrom('keyv').where('workspace_id', '=', workspaceId).execute();
        await transaction.deleteFrom('operation').where('workspace_id', '=', workspaceId).execute();
      });
    },
    close,
  };
}
