import { randomUUID } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import { StoreError } from '../errors.ts';
import type { StoreMoveRow } from '../installation/store-move.ts';
import { createDatabaseNow } from '../instances/database-now.ts';
import { isOverdue } from '../instances/instances.ts';
import { createIdentityReader, type DatabaseIdentity } from '../postgres/identity.ts';
import type { Schema } from '../schema.ts';
import { inTransaction } from '../transaction.ts';
import type { MovedTable } from './cells.ts';
import type { MoveSource } from './move-source.ts';

/** Returns the move into a database, which need not have tables yet, and whether there is data of another installation. */
export async function findMove(
  db: Kysely<Schema>,
): Promise<{ move: StoreMoveRow | undefined; hasOtherData: boolean }> {
  if (!(await hasTable(db, 'installation'))) {
    return { move: undefined, hasOtherData: false };
  }
  const installation = await db.selectFrom('installation').select('id').executeTakeFirst();
  const move = (await hasTable(db, 'store_move'))
    ? await db.selectFrom('store_move').selectAll().executeTakeFirst()
    : undefined;
  return { move, hasOtherData: installation !== undefined && move === undefined };
}

async function hasTable(db: Kysely<Schema>, name: keyof Schema): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select to_regclass(${name}) is not null as found`.execute(
    db,
  );
  return rows[0]?.found === true;
}

/**
 * Refuses a database that the data of another installation is in, or is being moved to.
 *
 * @throws StoreError `other_data` or `in_use`
 */
export async function refuseOthers(
  db: Kysely<Schema>,
  { move, hasOtherData }: { move: StoreMoveRow | undefined; hasOtherData: boolean },
  source: Pick<MoveSource, 'identity'>,
): Promise<void> {
  const isUsed = (await hasTable(db, 'instance')) && (await isAnyLiving(db));
  if (hasOtherData || (move !== undefined && move.finished_at !== null)) {
    throw new StoreError(
      'other_data',
      `The PostgreSQL database has data of Switchboard already${isUsed ? ', and an instance runs on it' : ''}. Nothing ` +
        'was changed there. Set DATABASE_URL to an empty database.',
    );
  }
  if (move !== undefined && move.source !== source.identity) {
    throw new StoreError(
      'other_data',
      'The move of another folder to this PostgreSQL database was begun and not completed. Set DATA_DIR to that folder, ' +
        'or DATABASE_URL to an empty database.',
    );
  }
  if (isUsed) {
    throw new StoreError(
      'in_use',
      'An instance of Switchboard runs on the PostgreSQL database. Stop every instance, and run the command again.',
    );
  }
}

async function isAnyLiving(db: Kysely<Schema>): Promise<boolean> {
  const now = createDatabaseNow(db, () => new Date());
  const living = await db
    .selectFrom('instance')
    .select('run')
    .where((eb) => eb.not(isOverdue(eb, now())))
    .limit(1)
    .executeTakeFirst();
  return living !== undefined;
}

/**
 * Begins the move, or goes on with the one that was begun. It begins once more where the data in the folder has changed
 * since. From then on no program starts on the database, until the move is complete.
 *
 * @throws StoreError `other_data` or `in_use`
 */
export async function beginMove(
  db: Kysely<Schema>,
  { source, tables, now }: { source: MoveSource; tables: readonly MovedTable[]; now: Date },
): Promise<{ row: StoreMoveRow; isAgain: boolean }> {
  const identity = await readIdentity(db);
  return inTransaction(db, async (transaction) => {
    const claimed = await transaction
      .insertInto('installation')
      .values({ id: 1, epoch: '', writes: 0, mark_file: '', database_file: JSON.stringify(identity) })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst();
    const begun = await transaction.selectFrom('store_move').selectAll().forUpdate().executeTakeFirst();
    const isFirst = begun === undefined;
    const hasOtherData = isFirst && (claimed === undefined || (await hasRows(transaction, tables)));
    await refuseOthers(transaction, { move: begun, hasOtherData }, source);
    if (begun?.source_state === source.state) {
      return { row: begun, isAgain: false };
    }
    const step = isFirst ? 0 : begun.step + 1;
    return { row: await start(transaction, { source, tables, now, step }), isAgain: !isFirst };
  });
}

/** `npm run migrate` leaves the check values of the keys, under which nothing is encrypted then. */
async function hasRows(transaction: Transaction<Schema>, tables: readonly MovedTable[]): Promise<boolean> {
  for (const { name } of tables.filter((table) => table.name !== 'encryption_key')) {
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(transaction);
    if (rows.length > 0) {
      return true;
    }
  }
  return false;
}

async function start(
  transaction: Transaction<Schema>,
  {
    source,
    tables,
    now,
    step,
  }: { source: MoveSource; tables: readonly MovedTable[]; now: Date; step: number },
): Promise<StoreMoveRow> {
  await sql`truncate ${sql.join(tables.map(({ name }) => sql.table(name)))}`.execute(transaction);
  await transaction.deleteFrom('store_move').execute();
  return transaction
    .insertInto('store_move')
    .values({
      id: 1,
      move: randomUUID(),
      source: source.identity,
      source_state: source.state,
      restored: source.takeover === undefined ? 0 : 1,
      step,
      tables: '{}',
      begun_at: now.getTime(),
      finished_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Returns what tells the database from every other one. */
export async function readIdentity(db: Kysely<Schema>): Promise<DatabaseIdentity> {
  const { query, read } = await createIdentityReader(db, 'installation');
  return read((await db.executeQuery(query)).rows);
}
