import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Who has which role. A workspace that has a provider key was in use before there were roles: its people keep what they may
 * do until an admin sets roles.
 */
export const workspaceRoles: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('workspace_roles')
      .addColumn('workspace_id', 'text', (column) => column.primaryKey())
      .addColumn('version', 'integer', (column) => column.notNull())
      .addColumn('grants', 'text')
      .addColumn('keeps_former', 'integer', (column) => column.notNull())
      .addColumn('changed_by', 'text')
      .addColumn('changed_at', 'integer')
      .execute();
    await sql`
      insert into workspace_roles (workspace_id, version, keeps_former)
      select workspace_id, 0, 1 from keyv where area = 'settings' and key = 'connection'`.execute(db);
  },
};
