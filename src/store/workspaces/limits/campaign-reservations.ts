import type { Kysely, Transaction } from 'kysely';
import type { StoreContext } from '../../context.ts';
import { inTransaction } from '../../engine/transaction.ts';
import type { Row, Schema } from '../../schema/schema.ts';
import { type Charge, consume, type FullWindow, giveBackPoints } from './windows.ts';

type Window = Omit<Charge, 'points'>;

export class FullWindowsError extends Error {
  override readonly name = 'FullWindowsError';
  readonly full: readonly FullWindow[];

  constructor(full: readonly FullWindow[]) {
    super('Windows are full');
    this.full = full;
  }
}

/** The states of chunks that were sent, or may have been. */
const takenStates: readonly Row<'campaignChunk'>['state'][] = ['claimed', 'accepted', 'unconfirmed'];

/**
 * The pages that campaigns take of the budget. A campaign takes all that it may still send when it starts or is resumed,
 * so that it never sends beyond the budget; what it did not send is given back when it is paused or over.
 */
export function createCampaignReservations({ db, clock }: Pick<StoreContext, 'db' | 'clock'>) {
  return {
    reserve: (
      transaction: Transaction<Schema>,
      campaign: { workspaceId: string; id: string },
      windows: readonly Window[],
    ) => reserve(transaction, campaign, windows, clock()),

    settle: (workspaceId: string, campaignId: string) => settle(db, workspaceId, campaignId),

    /** Settles what an instance left that ended in between. Several instances may call it at once. */
    async settleLeft(): Promise<void> {
      const rows = await db
        .selectFrom('limitReservation as reservation')
        .leftJoin('campaign', (join) =>
          join
            .onRef('campaign.workspaceId', '=', 'reservation.workspaceId')
            .onRef('campaign.id', '=', 'reservation.campaignId'),
        )
        .select(['reservation.workspaceId', 'reservation.campaignId'])
        .where((eb) =>
          eb.or([
            eb('campaign.id', 'is', null),
            eb.and([eb('campaign.state', '<>', 'running'), eb('campaign.inFlight', '=', 0)]),
          ]),
        )
        .execute();
      for (const row of rows) {
        await settle(db, row.workspaceId, row.campaignId);
      }
    },
  };
}

/** Gives back what a campaign did not send, unless it is running or something of it is in flight. */
async function settle(db: Kysely<Schema>, workspaceId: string, campaignId: string): Promise<void> {
  await inTransaction(db, async (transaction) => {
    // The campaign is locked before what it has reserved, as by `reserve`.
    const campaign = await findCampaign(transaction, workspaceId, campaignId);
    const reservation = await findReservation(transaction, workspaceId, campaignId);
    const mayBeSent = campaign !== undefined && (campaign.state === 'running' || campaign.inFlight > 0);
    if (reservation === undefined || mayBeSent) {
      return;
    }
    // A campaign that is gone, with its chunks, may have sent everything.
    if (campaign !== undefined) {
      await giveBackRest(transaction, reservation, await pagesOf(transaction, campaign, takenStates));
    }
    await transaction
      .deleteFrom('limitReservation')
      .where('workspaceId', '=', workspaceId)
      .where('campaignId', '=', campaignId)
      .execute();
  });
}

/**
 * Takes the pages of everybody who still waits, instead of what the campaign had reserved before. Called in the
 * transaction that moves the campaign, which it locks: pages are taken for each campaign that runs, and for no other.
 * Takes nothing of one that runs already.
 *
 * @param windows whatever their points
 * @throws FullWindowsError where a window is full: the transaction has to be undone
 */
async function reserve(
  transaction: Transaction<Schema>,
  { workspaceId, id }: { workspaceId: string; id: string },
  windows: readonly Window[],
  now: Date,
): Promise<void> {
  const campaign = await findCampaign(transaction, workspaceId, id);
  if (campaign === undefined || campaign.state === 'running') {
    return;
  }
  const before = await findReservation(transaction, workspaceId, id);
  const takenBefore = await pagesOf(transaction, campaign, takenStates);
  if (before !== undefined) {
    await giveBackRest(transaction, before, takenBefore);
  }
  const pages = await pagesOf(transaction, campaign, ['waiting']);
  const charges = windows.map((window) => ({ ...window, points: pages }));
  const consumed = await consume(transaction, workspaceId, charges, now);
  if (consumed.kind === 'full') {
    throw new FullWindowsError(consumed.full);
  }
  const row = { windows: windows.map(({ key }) => key), pages, takenBefore };
  await transaction
    .insertInto('limitReservation')
    .values({ workspaceId, campaignId: id, ...row })
    .onConflict((conflict) => conflict.columns(['workspaceId', 'campaignId']).doUpdateSet(row))
    .execute();
}

/** Gives back what a reservation has beyond the pages that were taken since. */
async function giveBackRest(
  transaction: Transaction<Schema>,
  { workspaceId, windows, pages, takenBefore }: Row<'limitReservation'>,
  taken: number,
): Promise<void> {
  const rest = pages - (taken - takenBefore);
  if (rest <= 0) {
    return;
  }
  await giveBackPoints(
    transaction,
    workspaceId,
    windows.map((key) => ({ key, points: rest })),
  );
}

/** Returns the reservation, locked. */
const findReservation = (db: Kysely<Schema>, workspaceId: string, campaignId: string) =>
  db
    .selectFrom('limitReservation')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('campaignId', '=', campaignId)
    .forUpdate()
    .executeTakeFirst();

/** Returns the campaign, locked. */
const findCampaign = (db: Kysely<Schema>, workspaceId: string, campaignId: string) =>
  db
    .selectFrom('campaign')
    .select(['sequence', 'state', 'inFlight'])
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', campaignId)
    .forUpdate()
    .executeTakeFirst();

async function pagesOf(
  db: Kysely<Schema>,
  { sequence }: { sequence: number },
  states: readonly Row<'campaignChunk'>['state'][],
): Promise<number> {
  const { pages } = await db
    .selectFrom('campaignChunk')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('pages'), eb.val(0)).as('pages'))
    .where('campaign', '=', sequence)
    .where('state', 'in', states)
    .executeTakeFirstOrThrow();
  return pages;
}
