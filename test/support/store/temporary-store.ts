import { randomBytes } from 'node:crypto';
import { Secret } from '../../../src/lib/secret.ts';
import type { PostgresOptions } from '../../../src/store/engine/postgres/connection.ts';
import { openStore, type Store, type StoreOptions } from '../../../src/store/store.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { createPostgresDatabase, type DatabaseName, type TestPostgres, testedDatabase } from './databases.ts';
import { putTables } from './sqlite-template.ts';

export function newEncryptionKey(): Secret {
  return new Secret(randomBytes(32).toString('base64'));
}

interface TestContext {
  after(end: () => void | Promise<void>): void;
}

/** By the data folder that they stand beside: a store that is opened again in its folder has the same data. */
const ofFolder = new Map<string, Promise<TestPostgres>>();

/**
 * Returns the PostgreSQL database of a data folder, made where there is none yet, which goes when the test ends. Undefined
 * where the tested database is SQLite.
 */
export async function postgresOf(
  test: TestContext,
  dataDir: string,
  database: DatabaseName = testedDatabase,
): Promise<PostgresOptions | undefined> {
  if (database === 'sqlite') {
    return undefined;
  }
  const known = ofFolder.get(dataDir);
  if (known !== undefined) {
    return known;
  }
  const making = createPostgresDatabase({ queues: true });
  ofFolder.set(dataDir, making);
  test.after(async () => {
    ofFolder.delete(dataDir);
    await (await making).drop();
  });
  return making;
}

/** Returns the same for a folder whose store was opened before. */
export async function knownPostgresOf(dataDir: string): Promise<TestPostgres | undefined> {
  return ofFolder.get(dataDir);
}

/**
 * Opens a store that is closed and removed when the test ends.
 *
 * @param test the test's context; for all tests of a file: `{ after }` of node:test
 * @param options.database default: the one that `npm test` runs the file for, see `testedDatabase`
 * @param options.connections with 1, PostgreSQL performs in the order of the calls, as SQLite does
 */
export async function temporaryStore(
  test: TestContext,
  options: Partial<StoreOptions> & {
    database?: DatabaseName | undefined;
    connections?: number | undefined;
  } = {},
): Promise<Store> {
  const dataDir = options.dataDir ?? temporaryFolder(test);
  let close = async () => {};
  // Before the database goes.
  test.after(() => close());
  const { database, connections } = options;
  const given = options.postgres ?? (await postgresOf(test, dataDir, database));
  if (given === undefined && options.dataDir === undefined) {
    await putTables(dataDir);
  }
  const store = await openStore({
    ...options,
    dataDir,
    postgres: options.postgres ?? (given && { ...given, connections }),
    encryptionKeys: options.encryptionKeys ?? [newEncryptionKey()],
  });
  close = store.close;
  return store;
}
