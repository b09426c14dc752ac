import type { Kysely } from 'kysely';
import { z } from 'zod';
import { type Grant, grantSchema } from '../../domain/access/decision.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Schema } from '../schema.ts';

export interface WorkspaceRoleTables {
  workspace_roles: {
    workspace_id: string;
    /** How often the roles were changed. */
    version: number;
    /** JSON of ids and roles, in the clear. Null: no admin has set roles. */
    grants: string | null;
    /** A Slack user id. */
    changed_by: string | null;
    changed_at: number | null;
  };
}

/** What is stored of a workspace's roles. */
export interface StoredRoles {
  version: number;
  /** Undefined until an admin has set roles. */
  grants?: readonly Grant[] | undefined;
  /** The user who changed them last. */
  changedBy?: string | undefined;
  changedAt?: Date | undefined;
}

export interface WorkspaceRoles {
  read(workspaceId: string): Promise<StoredRoles>;
  /** Replaces the grants if they still have this version. Resolves with whether they had. */
  replace(change: {
    workspaceId: string;
    version: number;
    grants: readonly Grant[];
    userId: string;
  }): Promise<boolean>;
}

const grantsSchema = z.array(grantSchema);

export function createWorkspaceRoles(db: Kysely<Schema>, clock: Clock): WorkspaceRoles {
  return {
    async read(workspaceId) {
      const row = await db
        .selectFrom('workspace_roles')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .executeTakeFirst();
      return {
        version: row?.version ?? 0,
        grants: row?.grants == null ? undefined : grantsSchema.parse(JSON.parse(row.grants)),
        changedBy: row?.changed_by ?? undefined,
        changedAt: row?.changed_at == null ? undefined : new Date(row.changed_at),
      };
    },

    async replace({ workspaceId, version, grants, userId }) {
      const columns = {
        version: version + 1,
        grants: JSON.stringify(grants),
        changed_by: userId,
        changed_at: clock().getTime(),
      };
      const { numUpdatedRows } = await db
        .updateTable('workspace_roles')
        .set(columns)
        .where('workspace_id', '=', workspaceId)
        .where('version', '=', version)
        .executeTakeFirst();
      if (numUpdatedRows > 0n || version > 0) {
        return numUpdatedRows > 0n;
      }
      const { numInsertedOrUpdatedRows = 0n } = await db
        .insertInto('workspace_roles')
        .values({ workspace_id: workspaceId, ...columns })
        .onConflict((conflict) => conflict.column('workspace_id').doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows > 0n;
    },
  };
}
