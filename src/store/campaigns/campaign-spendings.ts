import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { readCountries, readPause } from './row-mapping.ts';

/** What a campaign that was started shows of its cost and of the balance. Times are milliseconds since 1970. */
export interface CampaignSpending {
  id: string | undefined;
  route: string;
  startedAt: number;
  endedAt?: number | undefined;
  /** Since when it is paused, and the reason of the error that paused it. */
  pausedAt?: number | undefined;
  pauseReason?: string | undefined;
  recipients: number;
  accepted: number;
  unconfirmed: number;
  inFlight: number;
  /** Message pages of all recipients together. */
  pages: number;
  /** Of each country; undefined where they were not counted. */
  countryPages?: Readonly<Record<string, number>> | undefined;
  fewestPages: number;
  mostPages: number;
  /** As the provider wrote it. */
  balance?: { amount: string; at: number } | undefined;
  firstBalance?: string | undefined;
  /** Whether a balance was higher than the one before. */
  balanceRose: boolean;
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
      recipients: row.recipients,
      accepted: row.accepted,
      unconfirmed: row.unconfirmed,
      inFlight: row.in_flight,
      pages: row.pages,
      countryPages: readCountries(row.country_pages) ?? onlyCountry(row.countries, row.pages),
      fewestPages: row.fewest_pages,
      mostPages: row.most_pages,
      balance:
        row.balance === null || row.balance_at === null
          ? undefined
          : { amount: row.balance, at: row.balance_at },
      firstBalance: row.first_balance ?? undefined,
      balanceRose: row.balance_rose === 1,
    };
  });
}

/** Of a campaign that a former version imported: known where all recipients are in one country. */
function onlyCountry(countries: string | null, pages: number): Record<string, number> | undefined {
  const [first, ...others] = Object.keys(readCountries(countries) ?? {});
  return first === undefined || others.length > 0 ? undefined : { [first]: pages };
}
