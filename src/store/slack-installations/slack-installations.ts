import type { Keyv } from 'keyv';
import { type Expression, type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';
import { inTransaction } from '../transaction.ts';
import { type SlackInstallation, slackInstallationSchema } from './installation-record.ts';

/** The installations of the app in Slack, not to be confused with `Store.installation`, that of the program. */
export interface SlackInstallations {
  /** Returns the installation of an enterprise or a workspace itself. */
  find(ownerId: string): Promise<SlackInstallation | undefined>;
  save(installation: SlackInstallation): Promise<void>;
  /** Returns the ids of the next owners after one, in order, some hundreds at most; of the first ones without it. */
  owners(after?: string): Promise<string[]>;
  /** Returns the enterprise whose installation a workspace was last seen to belong to. */
  enterpriseOf(workspaceId: string): Promise<string | undefined>;
  assign(workspaceId: string, enterpriseId: string): Promise<void>;
  workspacesOf(enterpriseId: string): Promise<string[]>;
  /**
   * Deletes an installation, and remembers that its workspaces are to be forgotten, all of it or nothing. Returns them:
   * those that no other installation serves.
   */
  remove(ownerId: string, now: Date): Promise<string[]>;
  /** Returns the workspaces that were removed, of one owner or of all. */
  removals(ownerId?: string): Promise<{ workspaceId: string; ownerId: string; removedAt: Date }[]>;
  /** Called when nothing of a removed workspace can be under way any more. */
  endRemoval(workspaceId: string): Promise<void>;
  /**
   * Takes the lease of an owner for some milliseconds, or renews it, unless somebody else holds it. Returns whether it was
   * taken.
   */
  takeLease(ownerId: string, lease: { holder: string; ms: number }): Promise<boolean>;
  /** Returns whether this is the first call for the state, before it expires. */
  useState(hash: string, times: { now: number; expires: number }): Promise<boolean>;
  /** Gives a lease back, unless somebody else has taken it over. */
  returnLease(ownerId: string, holder: string): Promise<void>;
}

const area = 'slack-installation';
const key = 'installation';
const ownersAtOnce = 500;

export function createSlackInstallations(options: {
  db: Kysely<Schema>;
  /** The milliseconds since 1970, in a statement. */
  databaseNow: () => Expression<number>;
  keyv: (workspaceId: string, area: string) => Keyv;
}): SlackInstallations {
  const { db, databaseNow, keyv } = options;
  return {
    async find(ownerId) {
      const value: unknown = await keyv(ownerId, area).get(key);
      return value === undefined ? undefined : slackInstallationSchema.parse(value);
    },

    async save(installation) {
      await keyv(installation.ownerId, area).set(key, installation);
    },

    async owners(after = '') {
      const rows = await db
        .selectFrom('keyv')
        .select('workspace_id')
        .where('area', '=', area)
        .where('key', '=', key)
        .where('workspace_id', '>', after)
        .orderBy('workspace_id')
        .limit(ownersAtOnce)
        .execute();
      return rows.map(({ workspace_id }) => workspace_id);
    },

    async enterpriseOf(workspaceId) {
      const row = await db
        .selectFrom('slack_workspace')
        .select('enterprise_id')
        .where('workspace_id', '=', workspaceId)
        .executeTakeFirst();
      return row?.enterprise_id;
    },

    async assign(workspaceId, enterpriseId) {
      const columns = { enterprise_id: enterpriseId };
      await db
        .insertInto('slack_workspace')
        .values({ workspace_id: workspaceId, ...columns })
        .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(columns))
        .execute();
    },

    workspacesOf: (enterpriseId) => workspacesOf(db, enterpriseId),

    remove: (ownerId, now) =>
      inTransaction(db, async (transaction) => {
        await transaction
          .deleteFrom('keyv')
          .where('workspace_id', '=', ownerId)
          .where('area', '=', area)
          .execute();
        const others = await unservedOf(transaction, ownerId);
        for (const workspaceId of others) {
          const columns = { owner_id: ownerId, removed_at: now.getTime() };
          await transaction
            .insertInto('slack_removal')
            .values({ workspace_id: workspaceId, ...columns })
            .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(columns))
            .execute();
        }
        await transaction.deleteFrom('slack_workspace').where('enterprise_id', '=', ownerId).execute();
        return others;
      }),

    async removals(ownerId) {
      const all = db.selectFrom('slack_removal').selectAll().orderBy('workspace_id');
      const rows = await (ownerId === undefined ? all : all.where('owner_id', '=', ownerId)).execute();
      return rows.map(({ workspace_id, owner_id, removed_at }) => ({
        workspaceId: workspace_id,
        ownerId: owner_id,
        removedAt: new Date(removed_at),
      }));
    },

    async endRemoval(workspaceId) {
      await db.deleteFrom('slack_removal').where('workspace_id', '=', workspaceId).execute();
    },

    async takeLease(ownerId, { holder, ms }) {
      const expires = sql<number>`${databaseNow()} + ${sql.lit(ms)}`;
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('slack_lease')
        .values({ workspace_id: ownerId, holder, expires })
        .onConflict((conflict) =>
          conflict
            .column('workspace_id')
            .doUpdateSet({ holder, expires })
            .where((eb) =>
              eb.or([eb('slack_lease.expires', '<=', databaseNow()), eb('slack_lease.holder', '=', holder)]),
            ),
        )
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows === 1n;
    },

    async useState(hash, { now, expires }) {
      await db
        .deleteFrom('slack_lease')
        .where('workspace_id', 'like', 'state:%')
        .where('expires', '<=', now)
        .execute();
      const { numInsertedOrUpdatedRows = 0n } = await db
        .insertInto('slack_lease')
        .values({ workspace_id: `state:${hash}`, holder: '', expires })
        .onConflict((conflict) => conflict.column('workspace_id').doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows > 0n;
    },

    async returnLease(ownerId, holder) {
      await db
        .deleteFrom('slack_lease')
        .where('workspace_id', '=', ownerId)
        .where('holder', '=', holder)
        .execute();
    },
  };
}

async function workspacesOf(db: Kysely<Schema>, enterpriseId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('slack_workspace')
    .select('workspace_id')
    .where('enterprise_id', '=', enterpriseId)
    .orderBy('workspace_id')
    .execute();
  return rows.map(({ workspace_id }) => workspace_id);
}

/** Returns the workspaces of a removed installation that no other one serves, the owner's own id among them. */
async function unservedOf(db: Kysely<Schema>, ownerId: string): Promise<string[]> {
  const unserved: string[] = [];
  for (const workspaceId of await workspacesOf(db, ownerId)) {
    if (!(await isInstalled(db, workspaceId))) {
      unserved.push(workspaceId);
    }
  }
  const enterprise = await db
    .selectFrom('slack_workspace')
    .select('enterprise_id')
    .where('workspace_id', '=', ownerId)
    .executeTakeFirst();
  const isServed = enterprise !== undefined && (await isInstalled(db, enterprise.enterprise_id));
  return isServed ? unserved : [...unserved, ownerId];
}

async function isInstalled(db: Kysely<Schema>, ownerId: string): Promise<boolean> {
  const row = await db
    .selectFrom('keyv')
    .select('key')
    .where('workspace_id', '=', ownerId)
    .where('area', '=', area)
    .executeTakeFirst();
  return row !== undefined;
}
