import { type Expression, type ExpressionBuilder, type Kysely, sql } from 'kysely';
import { type Instances, isOfDead } from '../../instances/instances.ts';
import type { Schema } from '../../schema.ts';
import type { CampaignState } from '../campaigns.ts';

/** That one worker sends a campaign: nothing is claimed by the run with a former epoch. */
export interface Lease {
  run: string;
  epoch: number;
}

/**
 * How long a lease is good, in milliseconds, from its last renewal, and how long what was claimed under it may wait for
 * its request to start. Others may take the campaign after it.
 */
export const leaseMs = 5_000;

/** A campaign to send, now or at its time. */
interface CampaignToSend {
  workspaceId: string;
  id: string;
}

/**
 * Who sends which campaign. It is for the pace: what is sent, and once, is for the claims. Where this instance is alone
 * nobody else waits for a lease, and those of dead runs are free.
 */
export interface CampaignLeases {
  /** Returns the campaigns that are running or scheduled and that this run may take. */
  free(): Promise<CampaignToSend[]>;
  /**
   * Takes the lease of a campaign that is free, or that this run has. Resolves with undefined where another has it, or there is
   * nothing to send.
   */
  take(campaign: CampaignToSend): Promise<Lease | undefined>;
  /** Has the leases of this run last. */
  renew(): Promise<void>;
  /** Ends a lease, unless it is lost already. */
  release(campaign: CampaignToSend, lease: Lease): Promise<void>;
  /** Ends all leases of this run, as it stops. */
  releaseAll(): Promise<void>;
}

const toSend = ['scheduled', 'running'] as const satisfies readonly CampaignState[];

/** Of a workspace that has sent nothing yet: the first turn brings it down to the configured rate. */
const anyPace = { rate: 1e9, tokens: 1e9, refilled_at: 0, back_off_until: 0, back_offs: 0 };

const none = { worker: null, lease_until: null };

export function createCampaignLeases({
  db,
  instances,
  now,
}: {
  db: Kysely<Schema>;
  instances: Instances;
  /** See `InstancesOptions`. */
  now: () => Expression<number>;
}): CampaignLeases {
  const { run, isAlone } = instances;
  /** An instance that is alone has its leases for as long as it lives. */
  const leaseEnd = () => (isAlone ? null : sql<number>`${now()} + ${sql.lit(leaseMs)}`);

  const isFree = (eb: ExpressionBuilder<Schema, 'campaign'>) =>
    eb.or([
      eb('worker', 'is', null),
      eb('worker', '=', run()),
      eb('lease_until', '<=', now()),
      isOfDead('worker'),
    ]);

  return {
    async free() {
      const rows = await db
        .selectFrom('campaign')
        .select(['workspace_id', 'id'])
        .where('state', 'in', toSend)
        .where(isFree)
        .orderBy('sequence')
        .execute();
      return rows.flatMap(({ workspace_id, id }) => (id === null ? [] : { workspaceId: workspace_id, id }));
    },

    async take({ workspaceId, id }) {
      await db
        .insertInto('pace')
        .values({ workspace_id: workspaceId, ...anyPace })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const taken = await db
        .updateTable('campaign')
        .set((eb) => ({ worker: run(), lease_epoch: eb('lease_epoch', '+', 1), lease_until: leaseEnd() }))
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .where('state', 'in', toSend)
        .where(isFree)
        .returning(['worker', 'lease_epoch'])
        .executeTakeFirst();
      return taken && { run: taken.worker ?? '', epoch: taken.lease_epoch };
    },

    async renew() {
      if (!isAlone) {
        await db
          .updateTable('campaign')
          .set({ lease_until: leaseEnd() })
          .where('worker', '=', run())
          .where('state', 'in', toSend)
          .execute();
      }
    },

    async release({ workspaceId, id }, lease) {
      if (!isAlone) {
        await db
          .updateTable('campaign')
          .set(none)
          .where('workspace_id', '=', workspaceId)
          .where('id', '=', id)
          .where('worker', '=', lease.run)
          .where('lease_epoch', '=', lease.epoch)
          .execute();
      }
    },

    async releaseAll() {
      if (!isAlone) {
        await db.updateTable('campaign').set(none).where('worker', '=', run()).execute();
      }
    },
  };
}
