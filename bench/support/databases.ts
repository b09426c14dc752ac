import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { type PostgresServer, startPostgresServer } from '../../sandbox/postgres-server.ts';

/** What a measurement runs on, one after the other. */
export type DatabaseName = 'SQLite' | 'PostgreSQL';
export const databaseNames: readonly DatabaseName[] = ['SQLite', 'PostgreSQL'];

/** What every program of a measurement has: Switchboard's default, or the `DATABASE_CONNECTIONS` of this process. */
export const { DATABASE_CONNECTIONS: databaseConnections = '5' } = process.env;

/** What a result has to name besides the database. */
export const databaseLabel = (name: string): string =>
  name === 'PostgreSQL' ? `PostgreSQL, ${databaseConnections} connections` : name;

let server: Promise<PostgresServer> | undefined;

/**
 * Returns the settings that lead to a new database with nothing in it. One PostgreSQL, which confirms what is on disk alone,
 * is started for all that a process measures; it ends with the process.
 */
export async function newDatabase(name: DatabaseName): Promise<Record<string, string>> {
  if (name === 'SQLite') {
    return {};
  }
  server ??= startPostgresServer({ isDurable: true });
  const { url } = await server;
  const database = `bench_${randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`create database ${database}`);
  await client.end();
  const address = new URL(url);
  address.pathname = `/${database}`;
  return { DATABASE_URL: address.href, DATABASE_CONNECTIONS: databaseConnections };
}

/** Ends the PostgreSQL of this process, if there is one. */
export async function endDatabases(): Promise<void> {
  await (await server)?.remove();
  server = undefined;
}
