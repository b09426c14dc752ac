import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { readPause } from './row-mapping.ts';

/** What a campaign that was started shows of its cost and of the balance. Times are milliseconds since 1970. */
export interface CampaignSpending {
  id: string | undefined;
  route: string;
  startedAt: number;
  endedAt?: number | undefined;
  /** Since when it is paused, and the reason of the error that paused it. */
  pausedAt?: number | undefined;
  pauseReason?: string | undefined;
  accepted: number;
  unconfirmed: number;
  inFlight: number;
  /** As the provider wrote it. */
  balance?: { amount: string; at: number } | undefined;
}

/** Returns the campaigns that were started, and had not ended before a time. */
export async function readCampaignSpendings(
  db: Kysely<Schema>,
  workspaceId: string,
  since: Date,
): Promise<CampaignSpending[]> {
  const rows = await db
    .selectFrom('campaign')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('started_at', 'is not', null)
    .where((eb) => eb.or([eb('ended_at', 'is', null), eb('ended_at', '>=', since.getTime())]))
    .orderBy('sequence')
    .execute();
  return rows.map((row) => {
    const isPaused = row.state === 'paused';
    return {
      id: row.id ?? undefined,
      route: row.route,
      startedAt: row.started_at ?? row.created_at,
      endedAt: row.ended_at ?? undefined,
      pausedAt: isPaused ? row.state_changed_at : undefined,
      pauseReason: isPaused ? readPause(row.pause)?.error?.reason : undefined,
      accepted: row.accepted,
      unconfirmed: row.unconfirmed,
      inFlight: row.in_flight,
      balance:
        row.balance === null || row.balance_at === null
          ? undefined
          : { amount: row.balance, at: row.balance_at },
    };
  });
}
