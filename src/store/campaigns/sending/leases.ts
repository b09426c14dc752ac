import type { ExpressionBuilder } from 'kysely';
import type { StoreContext } from '../../context.ts';
import { isLeaseOver, leaseEnd } from '../../engine/instances/database-now.ts';
import { isOfDead } from '../../engine/instances/instances.ts';
import type { Schema } from '../../schema/schema.ts';
import type { CampaignState } from '../campaigns.ts';

/** That one worker sends a campaign: nothing is claimed by a run with an earlier epoch. */
export interface Lease {
  run: string;
  epoch: number;
}

/**
 * How long a lease is valid after its last renewal, and how long claimed chunks may wait for their request to start. In
 * milliseconds; others may take the campaign afterwards.
 */
export const leaseMs = 5_000;

/** A campaign to send, now or at its time. */
export interface CampaignToSend {
  workspaceId: string;
  id: string;
}

const toSend = ['scheduled', 'running'] as const satisfies readonly CampaignState[];

/** Of a workspace that has sent nothing yet: the first turn brings it down to the configured rate. */
const anyPace = { rate: 1e9, tokens: 1e9, refilledAt: 0, backOffUntil: 0, backOffs: 0 };

const none = { worker: null, leaseUntil: null };

/**
 * Who sends which campaign. Leases only keep the pace; claims are what prevents sending twice. If this instance is alone, it
 * also takes the leases of dead runs.
 */
export function createCampaignLeases(context: StoreContext) {
  const { db, instances } = context;
  const { run, isAlone } = instances;
  const ownLeases = () => db.updateTable('campaign').where('worker', '=', run());

  return {
    /** Returns running or scheduled campaigns that this instance may take. */
    async free(): Promise<CampaignToSend[]> {
      const rows = await db
        .selectFrom('campaign')
        .select(['workspaceId', 'id'])
        .where('state', 'in', toSend)
        .where(isFree(context))
        .orderBy('sequence')
        .execute();
      return rows.flatMap(({ workspaceId, id }) => (id === undefined ? [] : { workspaceId, id }));
    },

    /**
     * Takes or keeps the lease of a campaign. Resolves with undefined if another instance holds it or nothing
     * is left to send.
     */
    async take({ workspaceId, id }: CampaignToSend): Promise<Lease | undefined> {
      await db
        .insertInto('pace')
        .values({ workspaceId, ...anyPace })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const worker = run();
      const taken = await db
        .updateTable('campaign')
        .set((eb) => ({ worker, leaseEpoch: eb('leaseEpoch', '+', 1), leaseUntil: endOfLease(context) }))
        .where('workspaceId', '=', workspaceId)
        .where('id', '=', id)
        .where('state', 'in', toSend)
        .where(isFree(context))
        .returning('leaseEpoch')
        .executeTakeFirst();
      return taken && { run: worker, epoch: taken.leaseEpoch };
    },

    /** Has the leases of this run last. */
    async renew(): Promise<void> {
      if (!isAlone) {
        await ownLeases()
          .set({ leaseUntil: endOfLease(context) })
          .where('state', 'in', toSend)
          .execute();
      }
    },

    /** Ends a lease, unless it is lost already. */
    async release({ workspaceId, id }: CampaignToSend, lease: Lease): Promise<void> {
      if (!isAlone) {
        await db
          .updateTable('campaign')
          .set(none)
          .where('workspaceId', '=', workspaceId)
          .where('id', '=', id)
          .where('worker', '=', lease.run)
          .where('leaseEpoch', '=', lease.epoch)
          .execute();
      }
    },

    /** Ends all leases of this run, as it stops. */
    async releaseAll(): Promise<void> {
      if (!isAlone) {
        await ownLeases().set(none).execute();
      }
    },
  };
}

/** An instance that is alone has its leases for as long as it lives. */
const endOfLease = ({ instances, databaseNow }: StoreContext) =>
  instances.isAlone ? null : leaseEnd(databaseNow(), leaseMs);

const isFree =
  ({ instances, databaseNow }: StoreContext) =>
  (eb: ExpressionBuilder<Schema, 'campaign'>) =>
    eb.or([
      eb('worker', 'is', null),
      eb('worker', '=', instances.run()),
      isLeaseOver('leaseUntil', databaseNow(), leaseMs),
      isOfDead('worker'),
    ]);
