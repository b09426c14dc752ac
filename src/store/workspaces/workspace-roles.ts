import type { Grant } from '../../domain/access/decision.ts';
import type { StoreContext } from '../context.ts';

/** What is stored of a workspace's roles. */
export interface StoredRoles {
  version: number;
  /** Undefined until an admin has set roles. */
  grants?: readonly Grant[] | undefined;
  /** The user who changed them last. */
  changedBy?: string | undefined;
  changedAt?: Date | undefined;
}

export function createWorkspaceRoles({ db, clock }: StoreContext) {
  return {
    async read(workspaceId: string): Promise<StoredRoles> {
      const row = await db
        .selectFrom('workspaceRoles')
        .select(['version', 'grants', 'changedBy', 'changedAt'])
        .where('workspaceId', '=', workspaceId)
        .executeTakeFirst();
      return row ?? { version: 0 };
    },

    /** Replaces the grants if they still have this version. Resolves with whether they had. */
    async replace(change: {
      workspaceId: string;
      version: number;
      grants: readonly Grant[];
      userId: string;
    }): Promise<boolean> {
      const { workspaceId, version, grants, userId } = change;
      const columns = {
        version: version + 1,
        grants: [...grants],
        changedBy: userId,
        changedAt: clock(),
      };
      const { numUpdatedRows } = await db
        .updateTable('workspaceRoles')
        .set(columns)
        .where('workspaceId', '=', workspaceId)
        .where('version', '=', version)
        .executeTakeFirst();
      if (numUpdatedRows > 0n || version > 0) {
        return numUpdatedRows > 0n;
      }
      const { numInsertedOrUpdatedRows = 0n } = await db
        .insertInto('workspaceRoles')
        .values({ workspaceId, ...columns })
        .onConflict((conflict) => conflict.column('workspaceId').doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows > 0n;
    },
  };
}
