import type { Kysely, Selectable, Transaction } from 'kysely';
import { z } from 'zod';
import type { Clock } from '../../lib/time/clock.ts';
import type { CampaignRow } from '../campaigns/campaign-tables.ts';
import type { ChunkState } from '../campaigns/campaigns.ts';
import type { Schema } from '../schema.ts';
import { inTransaction } from '../transaction.ts';
import { type Charge, consume, type FullWindow, giveBackPoints } from './windows.ts';

/**
 * The pages that campaigns take of the budget. A campaign takes all that it may still send when it starts or is resumed,
 * so that it never sends beyond the budget; what it did not send is given back when it is paused or over.
 */
export interface CampaignReservations {
  /**
   * Takes the pages of everybody who still waits, instead of what the campaign had reserved before. Called in the
   * transaction that moves the campaign, which it locks: pages are taken for each campaign that runs, and for no other.
   * Takes nothing of one that runs already.
   *
   * @param windows whatever their points
   * @throws FullWindowsError where a window is full: the transaction has to be undone
   */
  reserve(
    transaction: Transaction<Schema>,
    campaign: { workspaceId: string; id: string },
    windows: readonly Window[],
  ): Promise<void>;
  /** Gives back what a campaign did not send, unless it is running or something of it is in flight. */
  settle(workspaceId: string, campaignId: string): Promise<void>;
  /** Settles what an instance left that ended in between. Several instances may call it at once. */
  settleLeft(): Promise<void>;
}

type Window = Omit<Charge, 'points'>;

export class FullWindowsError extends Error {
  override readonly name = 'FullWindowsError';
  readonly full: readonly FullWindow[];

  constructor(full: readonly FullWindow[]) {
    super('Windows are full');
    this.full = full;
  }
}

type ReservationRow = Selectable<Schema['limit_reservation']>;

/** The states of chunks that were sent, or may have been. */
const takenStates: readonly ChunkState[] = ['claimed', 'accepted', 'unconfirmed'];

export function createCampaignReservations({
  db,
  clock,
}: {
  db: Kysely<Schema>;
  clock: Clock;
}): CampaignReservations {
  async function settle(workspaceId: string, campaignId: string): Promise<void> {
    await inTransaction(db, async (transaction) => {
      // The campaign is locked before what it has reserved, as by `reserve`.
      const campaign = await findCampaign(transaction, workspaceId, campaignId);
      const reservation = await findReservation(transaction, workspaceId, campaignId);
      const mayBeSent = campaign !== undefined && (campaign.state === 'running' || campaign.in_flight > 0);
      if (reservation === undefined || mayBeSent) {
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
    async reserve(transaction, { workspaceId, id }, windows) {
      const campaign = await findCampaign(transaction, workspaceId, id);
      if (campaign === undefined || campaign.state === 'running') {
        return;
      }
      const before = await findReservation(transaction, workspaceId, id);
      const taken = await pagesOf(transaction, campaign, takenStates);
      if (before !== undefined) {
        await giveBackRest(transaction, before, taken);
      }
      const pages = await pagesOf(transaction, campaign, ['waiting']);
      const charges = windows.map((window) => ({ ...window, points: pages }));
      const consumed = await consume(transaction, workspaceId, charges, clock);
      const full = consumed.flatMap((each) => (each.fits ? [] : [each.full]));
      if (full.length > 0) {
        throw new FullWindowsError(full);
      }
      const keys = JSON.stringify(windows.map(({ key }) => key));
      const row = { windows: keys, pages, taken_before: taken };
      await transaction
        .insertInto('limit_reservation')
        .values({ workspace_id: workspaceId, campaign_id: id, ...row })
        .onConflict((conflict) => conflict.columns(['workspace_id', 'campaign_id']).doUpdateSet(row))
        .execute();
    },

    settle,

    async settleLeft() {
      const rows = await db
        .selectFrom('limit_reservation as reservation')
        .leftJoin('campaign', (join) =>
          join
            .onRef('campaign.workspace_id', '=', 'reservation.workspace_id')
            .onRef('campaign.id', '=', 'reservation.campaign_id'),
        )
        .select(['reservation.workspace_id', 'reservation.campaign_id'])
        .where((eb) =>
          eb.or([
            eb('campaign.id', 'is', null),
            eb.and([eb('campaign.state', '<>', 'running'), eb('campaign.in_flight', '=', 0)]),
          ]),
        )
        .execute();
      for (const row of rows) {
        await settle(row.workspace_id, row.campaign_id);
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
