import { randomUUID } from 'node:crypto';
import { describe } from 'node:test';
import pg from 'pg';
import { startPostgresServer } from '../../../sandbox/postgres-server.ts';
import { Secret } from '../../../src/lib/secret.ts';
import { systemTimers } from '../../../src/lib/time/timers.ts';
import { migrate } from '../../../src/store/engine/migrate.ts';
import type { PostgresOptions } from '../../../src/store/engine/postgres/connection.ts';
import { openPostgres } from '../../../src/store/engine/postgres/database.ts';
import { createJobQueues } from './job-queues.ts';

export type DatabaseName = 'sqlite' | 'postgres';

/** The database of tests that name none: PostgreSQL under `npm run test:databases`, by the variable TEST_DATABASE. */
export const testedDatabase: DatabaseName = process.env.TEST_DATABASE === 'postgres' ? 'postgres' : 'sqlite';

/** Defines tests that `npm test` runs on SQLite, and `npm run test:databases`, which looks for this name, on PostgreSQL. */
export function forEachDatabase(define: (database: DatabaseName) => void): void {
  describe(`on ${testedDatabase}`, () => define(testedDatabase));
}

/** Skips a test on the other database, with the reason: `test('…', onlyOn('sqlite', 'it is about files'), …)`. */
export function onlyOn(database: DatabaseName, reason: string): { skip: string | false } {
  return { skip: testedDatabase !== database && `on ${database} only: ${reason}` };
}

let server: Promise<string> | undefined;

/** Returns the URL of the server's superuser: `npm run test:databases` starts one for all files, a file alone its own. */
function serverUrl(): Promise<string> {
  server ??= startForThisProcess();
  return server;
}

async function startForThisProcess(): Promise<string> {
  const given = process.env.TEST_DATABASE_URL;
  if (given !== undefined) {
    return given;
  }
  return (await startPostgresServer()).url;
}

function urlOf(serverAddress: string, database: string): string {
  const url = new URL(serverAddress);
  url.pathname = `/${database}`;
  return url.href;
}

let connections: pg.Pool | undefined;

/** Runs statements one after the other on the server. */
export async function onServer(...statements: readonly string[]): Promise<void> {
  const connectionString = await serverUrl();
  connections ??= new pg.Pool({ connectionString, idleTimeoutMillis: 0, allowExitOnIdle: true })
    // The server may stop first.
    .on('error', () => {});
  const client = await connections.connect();
  try {
    for (const statement of statements) {
      await client.query(statement);
    }
  } finally {
    client.release();
  }
}

const templates = new Map<Content, Promise<string>>();

/** What a database has: the tables of the program, and those of its jobs with their queues, as after its first start. */
type Content = 'tables' | 'queues';

/** Returns the name of a database with it, and without a row besides. It is made once for each server. */
function templateOf(content: Content): Promise<string> {
  const made = templates.get(content) ?? makeTemplate(content);
  templates.set(content, made);
  return made;
}

async function makeTemplate(content: Content): Promise<string> {
  const name = `template_${content}`;
  const model = content === 'tables' ? 'template1' : await templateOf('tables');
  const address = await serverUrl();
  const client = new pg.Client(address);
  await client.connect();
  try {
    // Many processes may need it at once.
    await client.query('select pg_advisory_lock(14)');
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount === 0) {
      await client.query(`create database being_made template ${model}`);
      await fill(urlOf(address, 'being_made'), content);
      await client.query(`alter database being_made rename to ${name}`);
    }
  } finally {
    await client.end();
  }
  return name;
}

async function fill(url: string, content: Content): Promise<void> {
  if (content === 'queues') {
    await createJobQueues(url);
    return;
  }
  const made = await openPostgres({ url: new Secret(url) }, { timers: systemTimers });
  await migrate(made.db);
  await made.close();
}

export interface TestPostgres extends PostgresOptions {
  name: string;
  /** Cuts all connections to it, as a server that is stopped does. */
  cutConnections(): Promise<void>;
  /** The same, and removes it. */
  drop(): Promise<void>;
}

/**
 * Makes a PostgreSQL database with the tables of the program, unless it is to be empty.
 *
 * @param options.queues whether the program's jobs have their tables and queues too, as after its first start
 */
export async function createPostgresDatabase({ empty = false, queues = false } = {}): Promise<TestPostgres> {
  return createFrom(empty ? 'template1' : await templateOf(queues ? 'queues' : 'tables'));
}

/** Makes a copy of a database that nobody is connected to. */
export function copyPostgresDatabase({ name }: TestPostgres): Promise<TestPostgres> {
  return createFrom(name);
}

/** Replaces a database with a copy, while nobody is connected to either. */
export async function putPostgresBack({ name }: TestPostgres, copy: TestPostgres): Promise<void> {
  await onServer(`drop database ${name} with (force)`, `alter database ${copy.name} rename to ${name}`);
}

async function createFrom(model: string): Promise<TestPostgres> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await onServer(`create database ${name} template ${model} strategy file_copy`);
  return {
    name,
    url: new Secret(urlOf(await serverUrl(), name)),
    cutConnections: () =>
      onServer(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`),
    drop: () => onServer(`drop database if exists ${name} with (force)`),
  };
}
