import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { StoreContext } from '../context.ts';
import { isLeaseOver, leaseEnd } from '../engine/instances/database-now.ts';
import type { KeyedValues } from '../engine/key-value/key-value-store.ts';
import { inTransaction } from '../engine/transaction.ts';
import type { Row, Schema } from '../schema/schema.ts';

/**
 * An installation of the app in Slack, as Slack granted it. It belongs to its owner: the enterprise if it is
 * enterprise-wide, else the workspace.
 */
const slackInstallationSchema = z.object({
  /** The enterprise's id, or the workspace's. */
  ownerId: z.string(),
  isEnterpriseWide: z.boolean(),
  /** What the owner is called in Slack. */
  name: z.string(),
  appId: z.string().optional(),
  token: z.string(),
  /** With token rotation; good for one refresh. */
  refreshToken: z.string().optional(),
  /** When `token` expires, in milliseconds since 1970; undefined: never. */
  expiresAt: z.number().optional(),
  /** Slack does not accept `refreshToken` any more: only another installation helps. */
  isRefreshRefused: z.boolean().optional(),
  /** Since when Slack does not accept `token`, in milliseconds since 1970: nothing is sent for its workspaces. */
  refusedAt: z.number().optional(),
  /** Workspaces of the enterprise that Slack does not let `token` into: nothing is sent for them. */
  refusedWorkspaces: z.array(z.string()).optional(),
  /** The granted scopes. */
  scopes: z.array(z.string()),
  botId: z.string(),
  botUserId: z.string(),
  /** A Slack user id. */
  installedBy: z.string(),
  /** In milliseconds since 1970. */
  installedAt: z.number(),
});

export type SlackInstallation = z.infer<typeof slackInstallationSchema>;

/** Whether Slack does not let the app into a workspace that the installation serves. */
export function isAccessRefused(
  { refusedAt, refusedWorkspaces = [] }: SlackInstallation,
  workspaceId: string,
): boolean {
  return refusedAt !== undefined || refusedWorkspaces.includes(workspaceId);
}

const area = 'slack-installation';
const key = 'installation';
const ownersAtOnce = 500;

export type SlackInstallations = ReturnType<typeof createSlackInstallations>;

/** The installations of the app in Slack, unlike `Store.installation`, the program's own. */
export function createSlackInstallations(context: StoreContext, keyv: KeyedValues) {
  const { db } = context;
  return {
    /** Returns the installation of an enterprise or a workspace itself. */
    async find(ownerId: string): Promise<SlackInstallation | undefined> {
      const value: unknown = await keyv(ownerId, area).get(key);
      return value === undefined ? undefined : slackInstallationSchema.parse(value);
    },

    async save(installation: SlackInstallation): Promise<void> {
      await keyv(installation.ownerId, area).set(key, installation);
    },

    /** Returns the ids of the next owners after one, in order, some hundreds at most; of the first ones without it. */
    async owners(after = ''): Promise<string[]> {
      const rows = await db
        .selectFrom('keyv')
        .select('workspaceId')
        .where('area', '=', area)
        .where('key', '=', key)
        .where('workspaceId', '>', after)
        .orderBy('workspaceId')
        .limit(ownersAtOnce)
        .execute();
      return rows.map(({ workspaceId }) => workspaceId);
    },

    /** Returns the enterprise whose installation a workspace was last seen to belong to. */
    enterpriseOf: (workspaceId: string) => enterpriseOf(db, workspaceId),

    async assign(workspaceId: string, enterpriseId: string): Promise<void> {
      await db
        .insertInto('slackWorkspace')
        .values({ workspaceId, enterpriseId })
        .onConflict((conflict) => conflict.column('workspaceId').doUpdateSet({ enterpriseId }))
        .execute();
    },

    workspacesOf: (enterpriseId: string) => workspacesOf(db, enterpriseId),

    ...createRemovals(context),
    ...createSlackLeases(context),
  };
}

function createRemovals({ db }: StoreContext) {
  return {
    /**
     * Deletes an installation, and marks its workspaces for deletion, in one transaction. Returns those that no other
     * installation serves, including the owner's own id.
     */
    remove: (ownerId: string, now: Date): Promise<string[]> =>
      inTransaction(db, async (transaction) => {
        await transaction
          .deleteFrom('keyv')
          .where('workspaceId', '=', ownerId)
          .where('area', '=', area)
          .execute();
        const unserved: string[] = [];
        for (const workspaceId of await workspacesOf(transaction, ownerId)) {
          if (!(await isInstalled(transaction, workspaceId))) {
            unserved.push(workspaceId);
          }
        }
        const enterpriseId = await enterpriseOf(transaction, ownerId);
        if (enterpriseId === undefined || !(await isInstalled(transaction, enterpriseId))) {
          unserved.push(ownerId);
        }
        for (const workspaceId of unserved) {
          const columns = { ownerId, removedAt: now };
          await transaction
            .insertInto('slackRemoval')
            .values({ workspaceId, ...columns })
            .onConflict((conflict) => conflict.column('workspaceId').doUpdateSet(columns))
            .execute();
        }
        await transaction.deleteFrom('slackWorkspace').where('enterpriseId', '=', ownerId).execute();
        return unserved;
      }),

    /** Returns the workspaces that were removed, of one owner or of all. */
    removals(ownerId?: string): Promise<Row<'slackRemoval'>[]> {
      const all = db.selectFrom('slackRemoval').selectAll().orderBy('workspaceId');
      return (ownerId === undefined ? all : all.where('ownerId', '=', ownerId)).execute();
    },

    /** Called when nothing of a removed workspace can be under way any more. */
    async endRemoval(workspaceId: string): Promise<void> {
      await db.deleteFrom('slackRemoval').where('workspaceId', '=', workspaceId).execute();
    },
  };
}

function createSlackLeases({ db, databaseNow }: StoreContext) {
  return {
    /** Takes or renews the lease of an owner for some milliseconds. Returns false if somebody else holds it. */
    async takeLease(ownerId: string, { holder, ms }: { holder: string; ms: number }): Promise<boolean> {
      const expires = leaseEnd(databaseNow(), ms);
      const isOver = isLeaseOver('slackLease.expires', databaseNow(), ms);
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('slackLease')
        .values({ workspaceId: ownerId, holder, expires })
        .onConflict((conflict) =>
          conflict
            .column('workspaceId')
            .doUpdateSet({ holder, expires })
            .where((eb) => eb.or([isOver, eb('slackLease.holder', '=', holder)])),
        )
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows === 1n;
    },

    /** Returns a lease, unless somebody else has taken it over. */
    async returnLease(ownerId: string, holder: string): Promise<void> {
      await db
        .deleteFrom('slackLease')
        .where('workspaceId', '=', ownerId)
        .where('holder', '=', holder)
        .execute();
    },

    /** Returns whether this is the first call for the state, before it expires. Times are in milliseconds since 1970. */
    async useState(hash: string, { now, expires }: { now: number; expires: number }): Promise<boolean> {
      await db
        .deleteFrom('slackLease')
        .where('workspaceId', 'like', 'state:%')
        .where('expires', '<=', new Date(now))
        .execute();
      const { numInsertedOrUpdatedRows = 0n } = await db
        .insertInto('slackLease')
        .values({ workspaceId: `state:${hash}`, holder: '', expires: new Date(expires) })
        .onConflict((conflict) => conflict.column('workspaceId').doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows > 0n;
    },
  };
}

async function workspacesOf(db: Kysely<Schema>, enterpriseId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('slackWorkspace')
    .select('workspaceId')
    .where('enterpriseId', '=', enterpriseId)
    .orderBy('workspaceId')
    .execute();
  return rows.map(({ workspaceId }) => workspaceId);
}

async function enterpriseOf(db: Kysely<Schema>, workspaceId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('slackWorkspace')
    .select('enterpriseId')
    .where('workspaceId', '=', workspaceId)
    .executeTakeFirst();
  return row?.enterpriseId;
}

async function isInstalled(db: Kysely<Schema>, ownerId: string): Promise<boolean> {
  const row = await db
    .selectFrom('keyv')
    .select('key')
    .where('workspaceId', '=', ownerId)
    .where('area', '=', area)
    .executeTakeFirst();
  return row !== undefined;
}
