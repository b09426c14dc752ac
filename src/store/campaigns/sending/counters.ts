import { type Expression, type Kysely, sql, type Transaction } from 'kysely';
import type { Schema } from '../../schema.ts';
import type { CampaignRow } from '../row-mapping.ts';

/** By how much the recipients in each state become more. */
export interface Movement {
  accepted: number;
  rejected: number;
  unconfirmed: number;
  inFlight: number;
}

/** Counts what became of chunks into their campaign: see `counting`. */
export async function addToCounters(
  transaction: Transaction<Schema>,
  campaign: number,
  movement: Movement,
  { now }: { now: number },
): Promise<CampaignRow> {
  const { accepted, rejected, unconfirmed } = movement;
  const settled = accepted + rejected + unconfirmed;
  return counting(transaction, {
    ...movement,
    campaign,
    settled,
    now,
    balance: null,
  }).executeTakeFirstOrThrow();
}

type Value<Type> = Type | Expression<Type>;

/**
 * Counts what became of chunks into their campaign, and ends the campaign where nothing is left of it: running or
 * paused it is done once every recipient has an outcome; cancelled it has ended once nothing is in flight.
 */
export function counting(
  db: Kysely<Schema>,
  values: Record<keyof Movement | 'campaign' | 'settled' | 'now', Value<number>> & {
    balance: Value<string | null>;
  },
) {
  const { campaign, accepted, rejected, unconfirmed, inFlight, settled, now, balance } = values;
  const isDone = sql<boolean>`state in ('running', 'paused')
    and accepted + rejected + unconfirmed + ${settled} = recipients`;
  const hasEnded = sql<boolean>`(${isDone}) or (state = 'cancelled' and in_flight + ${inFlight} = 0)`;
  return db
    .updateTable('campaign')
    .set((eb) => ({
      accepted: eb('accepted', '+', accepted),
      rejected: eb('rejected', '+', rejected),
      unconfirmed: eb('unconfirmed', '+', unconfirmed),
      in_flight: eb('in_flight', '+', inFlight),
      state: sql`case when ${isDone} then 'done' else state end`,
      pause: sql`case when ${isDone} then null else pause end`,
      state_changed_at: sql`case when ${isDone} then ${now} else state_changed_at end`,
      ended_at: sql`case when ${hasEnded} then coalesce(ended_at, ${now}) else ended_at end`,
      balance: sql`coalesce(${balance}, balance)`,
    }))
    .where('sequence', '=', campaign)
    .returningAll();
}
