import type { Kysely, TableMetadata } from 'kysely';
import type { Schema } from '../../../src/store/schema/schema.ts';

/** Returns the tables of the program: on PostgreSQL those of the jobs have a schema of their own, and hold nothing of a workspace. */
export async function ownTables(db: Kysely<Schema>): Promise<TableMetadata[]> {
  return (await db.introspection.getTables()).filter(({ schema }) => schema !== 'pgboss');
}
