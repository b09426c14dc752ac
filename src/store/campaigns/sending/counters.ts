import { type Expression, type Kysely, sql, type Transaction } from 'kysely';
import type { Schema } from '../../schema.ts';
import { campaignMoves } from '../campaign-moves.ts';
import type { CampaignRow } from '../campaign-tables.ts';

/** By how much the recipients in each state become more. */
export interface CounterChange {
  accepted: number;
  rejected: number;
  unconfirmed: number;
  inFlight: number;
}

/** Adds to a campaign's counters, and completes the campaign where nothing is left of it: see `countersUpdate`. */
export async function addToCounters(
  transaction: Transaction<Schema>,
  campaign: number,
  change: CounterChange,
  { now }: { now: number },
): Promise<CampaignRow> {
  const { accepted, rejected, unconfirmed } = change;
  const settled = accepted + rejected + unconfirmed;
  return countersUpdate(transaction, {
    ...change,
    campaign,
    settled,
    now,
    balance: null,
  }).executeTakeFirstOrThrow();
}

type Value<Type> = Type | Expression<Type>;

const { from, to: completed } = campaignMoves.complete;
const mayComplete = sql`state in (${sql.join(from.map((state) => sql.lit(state)))})`;

/**
 * Adds to a campaign's counters, and ends the campaign where nothing is left of it: a running or paused one is done once
 * every recipient has an outcome; a cancelled one has ended once nothing is in flight.
 */
export function countersUpdate(
  db: Kysely<Schema>,
  values: Record<keyof CounterChange | 'campaign' | 'settled' | 'now', Value<number>> & {
    balance: Value<string | null>;
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
      in_flight: eb('in_flight', '+', inFlight),
      state: sql`case when ${isDone} then ${sql.lit(completed)} else state end`,
      pause: sql`case when ${isDone} then null else pause end`,
      state_changed_at: sql`case when ${isDone} then ${now} else state_changed_at end`,
      ended_at: sql`case when ${hasEnded} then coalesce(ended_at, ${now}) else ended_at end`,
      balance: sql`coalesce(${balance}, balance)`,
      balance_at: sql`case when cast(${balance} as text) is null then balance_at else ${now} end`,
    }))
    .where('sequence', '=', campaign)
    .returningAll();
}
