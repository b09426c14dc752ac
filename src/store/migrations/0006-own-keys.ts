import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The key of an operation begins with its actor from now on: a form that was open before still does nothing twice. */
export const ownKeys: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`update operation set key = actor || '.' || key`.execute(db);
  },
};
