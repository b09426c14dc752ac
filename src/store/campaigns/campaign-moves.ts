import { type Expression, type Kysely, sql, type Transaction } from 'kysely';
import type { StoredState } from '../schema/campaigns.ts';
import type { Row, Schema } from '../schema/schema.ts';

interface Move {
  from: readonly StoredState[];
  to: StoredState;
}

/** Every legal move of a campaign, by its verb. What is not listed here does not happen. */
export const campaignMoves = {
  /** All recipients are stored. */
  finishImport: { from: ['reading'], to: 'ready' },
  /** Its import broke off, or nobody started it. */
  discard: { from: ['reading', 'ready'], to: 'discarded' },
  schedule: { from: ['ready', 'missed'], to: 'scheduled' },
  /** Its start is moved to another time. */
  changeTime: { from: ['scheduled'], to: 'scheduled' },
  /** It is a draft again, to be edited or discarded. */
  unschedule: { from: ['scheduled', 'missed'], to: 'ready' },
  /** By a user, or because its time has come. */
  start: { from: ['ready', 'scheduled', 'missed'], to: 'running' },
  /** It could not start by `latestStart`. */
  miss: { from: ['scheduled'], to: 'missed' },
  /** By a user, the provider's response or the program. */
  pause: { from: ['running'], to: 'paused' },
  /** Its creator may no longer start it; or the data was restored or copied. A paused one is held too, as it may have been resumed since the back-up. */
  hold: { from: ['scheduled', 'running', 'paused'], to: 'paused' },
  resume: { from: ['paused'], to: 'running' },
  /** A campaign that was held before its time waits for it again. */
  reschedule: { from: ['paused'], to: 'scheduled' },
  /** Every recipient has an outcome. */
  complete: { from: ['running', 'paused'], to: 'done' },
  /** By a user; or it was paused past the retention time; or it was scheduled, and nobody is left of its recipients. */
  cancel: { from: ['scheduled', 'running', 'paused'], to: 'cancelled' },
  /** Its workspace is deleted. */
  forget: {
    from: ['reading', 'ready', 'scheduled', 'running', 'paused', 'done', 'cancelled', 'missed', 'discarded'],
    to: 'discarded',
  },
} as const satisfies Record<string, Move>;

export type CampaignVerb = keyof typeof campaignMoves;

/** Returns the verbs by which a campaign may move from one state to another: none where it may not. */
export function verbsBetween(from: StoredState, to: StoredState): string[] {
  const moves: Readonly<Record<string, Move>> = campaignMoves;
  return Object.entries(moves).flatMap(([verb, move]) =>
    move.from.includes(from) && move.to === to ? [verb] : [],
  );
}

/** Returns an update of the campaigns that may make a move, and moves them. */
export function moveCampaigns(db: Kysely<Schema>, verb: CampaignVerb) {
  const { from, to }: Move = campaignMoves[verb];
  return db.updateTable('campaign').set({ state: to }).where('state', 'in', from);
}

/** Hides a discarded campaign until it is deleted: it is found nowhere, and its id may be used again. */
export const discardedColumns = { id: null, text: null, columns: null } as const;

/** By how much the recipients in each state become more. */
export interface CounterChange {
  accepted: number;
  rejected: number;
  unconfirmed: number;
  inFlight: number;
}

/** Adds to a campaign's counters, and completes the campaign where nothing is left of it: see `countersUpdate`. */
export function addToCounters(
  transaction: Transaction<Schema>,
  campaign: number,
  change: Partial<CounterChange>,
  now: Date,
): Promise<Row<'campaign'>> {
  const { accepted = 0, rejected = 0, unconfirmed = 0, inFlight = 0 } = change;
  const settled = accepted + rejected + unconfirmed;
  const values = { campaign, accepted, rejected, unconfirmed, inFlight, settled, now, balance: null };
  return countersUpdate(transaction, values).executeTakeFirstOrThrow();
}

const { from, to: completed } = campaignMoves.complete;
const mayComplete = sql`state in (${sql.join(from.map((state) => sql.lit(state)))})`;

/**
 * Adds to a campaign's counters, and ends the campaign where nothing is left of it: a running or paused one is done once
 * every recipient has an outcome; a cancelled one has ended once nothing is in flight.
 */
export function countersUpdate(
  db: Kysely<Schema>,
  values: Record<keyof CounterChange | 'campaign' | 'settled', number | Expression<number>> & {
    now: Date | Expression<number>;
    balance: null | Expression<string | null>;
  },
) {
  const { campaign, accepted, rejected, unconfirmed, inFlight, settled, now, balance } = values;
  const isDone = sql<boolean>`${mayComplete}
    and accepted + rejected + unconfirmed + ${settled} = recipients`;
  const hasEnded = sql<boolean>`(${isDone}) or (state = 'cancelled' and in_flight + ${inFlight} = 0)`;
  return db
    .updateTable('campaign')
    .set((eb) => ({
      accepted: eb('accepted', '+', accepted),
      rejected: eb('rejected', '+', rejected),
      unconfirmed: eb('unconfirmed', '+', unconfirmed),
      inFlight: eb('inFlight', '+', inFlight),
      state: sql`case when ${isDone} then ${sql.lit(completed)} else state end`,
      pause: sql`case when ${isDone} then null else pause end`,
      stateChangedAt: sql`case when ${isDone} then ${now} else state_changed_at end`,
      endedAt: sql`case when ${hasEnded} then coalesce(ended_at, ${now}) else ended_at end`,
      balance: sql`coalesce(${balance}, balance)`,
      balanceAt: sql`case when cast(${balance} as text) is null then balance_at else ${now} end`,
    }))
    .where('sequence', '=', campaign)
    .returningAll();
}
