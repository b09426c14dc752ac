import type { Kysely, Selectable, Transaction } from 'kysely';
import { z } from 'zod';
import type { Clock } from '../../lib/time/clock.ts';
import type { CampaignRow } from '../campaigns/campaign-tables.ts';
import type { ChunkState } from '../campaigns/campaigns.ts';
import type { Schema } from '../schema.ts';
import { inTransaction } from '../transaction.ts';
import type { LimitTables } from './limit-tables.ts';
import { orRollBack } from './roll-back.ts';
import { type Charge, consume, type FullWindow, giveBackPoints } from './windows.ts';

/**
 * The pages that campaigns take of the budget. A campaign takes all that it may still send when it starts or is resumed,
 * so that it never sends beyond the budget; what it did not send is given back when it is paused or over.
 */
export interface CampaignReservations {
  /**
   * Takes the pages of everybody who still waits, instead of what the campaign had reserved before. Returns the windows
   * that are full: then nothing has changed.
   *
   * @param charges the windows, whatever their points
   * @returns the pages, and how many are in each window afterwards
   */
  reserve(
    workspaceId: string,
    campaignId: string,
    charges: readonly Omit<Charge, 'points'>[],
  ): Promise<Reserved>;
  /**
   * Gives back what a campaign did not send, unless it is running or something of it is in flight. Gives back nothing
   * between `reserve` and the first call with `begun`, as the campaign has not been moved yet.
   */
  settle(workspaceId: string, campaignId: string, options?: { begun?: boolean | undefined }): Promise<void>;
  /** Settles every campaign, at the start of the program: nothing is being started. */
  settleAll(): Promise<void>;
}

export type Reserved =
  | { kind: 'reserved'; pages: number; used: readonly number[] }
  | { kind: 'full'; full: readonly FullWindow[] };

type ReservationRow = Selectable<LimitTables['limit_reservation']>;

/** The states of chunks that were sent, or may have been. */
const takenStates: readonly ChunkState[] = ['claimed', 'accepted', 'unconfirmed'];

export function createCampaignReservations({
  db,
  clock,
}: {
  db: Kysely<Schema>;
  clock: Clock;
}): CampaignReservations {
  async function reserve(
    transaction: Transaction<Schema>,
    campaign: CampaignRow,
    campaignId: string,
    windows: readonly Omit<Charge, 'points'>[],
  ): Promise<Reserved> {
    const workspaceId = campaign.workspace_id;
    const before = await findReservation(transaction, workspaceId, campaignId);
    const taken = await pagesOf(transaction, campaign, takenStates);
    if (before !== undefined) {
      await giveBackRest(transaction, before, taken);
    }
    const pages = await pagesOf(transaction, campaign, ['waiting']);
    const used: number[] = [];
    const full: FullWindow[] = [];
    const charges = windows.map((window) => ({ ...window, points: pages }));
    for (const consumed of await consume(transaction, workspaceId, charges, clock)) {
      if (consumed.fits) {
        used.push(consumed.used);
      } else {
        full.push(consumed.full);
      }
    }
    if (full.length > 0) {
      return { kind: 'full', full };
    }
    const row = {
      windows: JSON.stringify(windows.map(({ key }) => key)),
      pages,
      taken_before: taken,
      begun: 0 as const,
    };
    await transaction
      .insertInto('limit_reservation')
      .values({ workspace_id: workspaceId, campaign_id: campaignId, ...row })
      .onConflict((conflict) => conflict.columns(['workspace_id', 'campaign_id']).doUpdateSet(row))
      .execute();
    return { kind: 'reserved', pages, used };
  }

  async function settle(workspaceId: string, campaignId: string, begun: boolean): Promise<void> {
    await inTransaction(db, async (transaction) => {
      // The campaign is locked before what it has reserved, as by `reserve`.
      const campaign = await findCampaign(transaction, workspaceId, campaignId);
      const reservation = await findReservation(transaction, workspaceId, campaignId);
      if (reservation === undefined || (reservation.begun === 0 && !begun)) {
        return;
      }
      if (campaign !== undefined && (campaign.state === 'running' || campaign.in_flight > 0)) {
        await transaction
          .updateTable('limit_reservation')
          .set({ begun: 1 })
          .where('workspace_id', '=', workspaceId)
          .where('campaign_id', '=', campaignId)
          .execute();
        return;
      }
      // A campaign that is gone, with its chunks, may have sent everything.
      if (campaign !== undefined) {
        await giveBackRest(transaction, reservation, await pagesOf(transaction, campaign, takenStates));
      }
      await transaction
        .deleteFrom('limit_reservation')
        .where('workspace_id', '=', workspaceId)
        .where('campaign_id', '=', campaignId)
        .execute();
    });
  }

  return {
    reserve: (workspaceId, campaignId, charges) =>
      orRollBack(
        db,
        async (transaction): Promise<Reserved> => {
          const campaign = await findCampaign(transaction, workspaceId, campaignId);
          return campaign === undefined
            ? { kind: 'reserved', pages: 0, used: charges.map(() => 0) }
            : reserve(transaction, campaign, campaignId, charges);
        },
        ({ kind }) => kind === 'reserved',
      ),

    settle: (workspaceId, campaignId, { begun = false } = {}) => settle(workspaceId, campaignId, begun),

    async settleAll() {
      const rows = await db.selectFrom('limit_reservation').select(['workspace_id', 'campaign_id']).execute();
      for (const row of rows) {
        await settle(row.workspace_id, row.campaign_id, true);
      }
    },
  };
}

const keysSchema = z.array(z.string());

/** Gives back what a reservation has beyond the pages that were taken since. */
async function giveBackRest(
  transaction: Transaction<Schema>,
  { workspace_id: workspaceId, windows, pages, taken_before }: ReservationRow,
  taken: number,
): Promise<void> {
  const rest = Number(pages) - (taken - Number(taken_before));
  if (rest <= 0) {
    return;
  }
  for (const key of keysSchema.parse(JSON.parse(windows)).sort()) {
    await giveBackPoints(transaction, workspaceId, { key, points: rest });
  }
}

/** Returns the reservation, locked. */
function findReservation(
  db: Kysely<Schema>,
  workspaceId: string,
  campaignId: string,
): Promise<ReservationRow | undefined> {
  return db
    .selectFrom('limit_reservation')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('campaign_id', '=', campaignId)
    .forUpdate()
    .executeTakeFirst();
}

/** Returns the campaign, locked. */
function findCampaign(
  db: Kysely<Schema>,
  workspaceId: string,
  campaignId: string,
): Promise<CampaignRow | undefined> {
  return db
    .selectFrom('campaign')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', campaignId)
    .forUpdate()
    .executeTakeFirst();
}

async function pagesOf(
  db: Kysely<Schema>,
  { sequence }: Pick<CampaignRow, 'sequence'>,
  states: readonly ChunkState[],
): Promise<number> {
  const { pages } = await db
    .selectFrom('campaign_chunk')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('pages'), eb.val(0)).as('pages'))
    .where('campaign', '=', sequence)
    .where('state', 'in', states)
    .executeTakeFirstOrThrow();
  return Number(pages);
}
