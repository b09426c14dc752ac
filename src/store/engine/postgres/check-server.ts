import pg, { type ClientConfig, type Pool } from 'pg';
import { z } from 'zod';
import { StoreError } from '../errors.ts';
import { firstAnswerMs, statementTimeoutMs } from './connection.ts';

const pidQuery = 'select pg_backend_pid() as pid';
const pidSchema = z.object({ pid: z.number() });

/** A busy pooler may give a connection the same process again, by chance. */
const rounds = 10;
/** PgBouncer’s answer to a transaction in statement mode. */
const protocolViolation = '08P01';

const stateSchema = z.object({
  pid: z.number(),
  timeout: z.string(),
  encoding: z.string(),
  database: z.string(),
  user: z.string(),
  schema: z.string().nullable(),
  mayUseTables: z.boolean(),
  mayUseJobs: z.boolean(),
});

/** Tables that exist must be writable; otherwise creating them must be allowed. Likewise for pg-boss. */
const stateQuery = `
  select
    pg_backend_pid() as pid,
    (select setting from pg_settings where name = 'statement_timeout') as timeout,
    current_setting('server_encoding') as encoding,
    current_database() as database,
    current_user as user,
    current_schema() as schema,
    coalesce(
      has_table_privilege(to_regclass('installation'), 'select')
        and has_table_privilege(to_regclass('installation'), 'insert')
        and has_table_privilege(to_regclass('installation'), 'update'),
      has_schema_privilege(current_schema(), 'create'),
      false
    ) as "mayUseTables",
    coalesce(
      has_schema_privilege(to_regnamespace('pgboss'), 'usage'),
      has_database_privilege(current_database(), 'create')
    ) as "mayUseJobs"`;

/**
 * Refuses a way to PostgreSQL that does not keep sessions, and a database that Switchboard cannot keep its data in.
 *
 * @throws StoreError `unreachable` or `bad_schema`
 */
export async function checkServer(pool: Pool, config: ClientConfig): Promise<void> {
  const client = await pool.connect();
  const other = new pg.Client({ ...config, query_timeout: firstAnswerMs });
  other.on('error', () => {});
  try {
    const { pid } = pidSchema.parse((await client.query(pidQuery)).rows[0]);
    await other.connect();
    let keepsSession = true;
    for (let round = 0; round < rounds && keepsSession; round += 1) {
      const held = await beginAt(other);
      const { pid: now } = pidSchema.parse((await client.query(pidQuery)).rows[0]);
      keepsSession = held !== undefined && held !== pid && now === pid;
      if (keepsSession) {
        await other.query('rollback');
      }
    }
    const state = stateSchema.parse((await client.query(stateQuery)).rows[0]);
    if (!keepsSession || state.pid !== pid || state.timeout !== String(statementTimeoutMs)) {
      throw new StoreError(
        'unreachable',
        'DATABASE_URL leads to a connection pooler that does not keep sessions: between two statements, a connection ' +
          'changed to another server process or lost its settings. Set the direct address of the database, or the one ' +
          'of the pooler’s session mode (PgBouncer: pool_mode = session).',
      );
    }
    refuseUnusable(state);
  } finally {
    client.release();
    await other.end().catch(() => {});
  }
}

/**
 * Begins a transaction, and resolves with the server process that it holds. A pooler that deals processes out by
 * transaction gives it the one that the other connection has left, or another connection's. Resolves with undefined where a
 * pooler allows no transactions.
 */
async function beginAt(client: pg.Client): Promise<number | undefined> {
  try {
    await client.query('begin');
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === protocolViolation) {
      return undefined;
    }
    throw error;
  }
  return pidSchema.parse((await client.query(pidQuery)).rows[0]).pid;
}

function refuseUnusable({
  encoding,
  database,
  user,
  schema,
  mayUseTables,
  mayUseJobs,
}: z.infer<typeof stateSchema>): void {
  if (encoding !== 'UTF8') {
    throw new StoreError(
      'bad_schema',
      `The database ${database} has the encoding ${encoding}, which cannot hold every text. Create one with: ` +
        `create database ${database} encoding 'UTF8' template template0`,
    );
  }
  if (schema === null) {
    throw new StoreError(
      'bad_schema',
      `The user ${user} has no schema for its tables in the database ${database}: none of its search_path exists. ` +
        'Create the schema that DATABASE_URL names, or leave the schema out.',
    );
  }
  if (!mayUseTables || !mayUseJobs) {
    throw new StoreError(
      'bad_schema',
      `The user ${user} lacks rights on ${mayUseTables ? '' : `the schema ${schema} of `}the database ${database}. Make it ` +
        `the owner (alter database ${database} owner to ${user}), or grant it create on the database and on its schema.`,
    );
  }
}
