import { type Kysely, sql } from 'kysely';
import type { E164 } from '../../domain/phone/phone-number.ts';
import type { StoreContext } from '../context.ts';
import type { Row, Schema } from '../schema/schema.ts';
import type { Campaign, CampaignState, SendableCampaign } from './campaigns.ts';
import { readReportedCounts } from './delivery-counts.ts';
import { selectSequence } from './recipient-queries.ts';
import { toCampaignWithText } from './row-mapping.ts';

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

/** Which campaigns to list. All conditions apply. */
interface ListedQuery {
  workspaceId: string;
  createdBy?: string | undefined;
  states?: readonly CampaignState[] | undefined;
  /** Whether only messages, see `NewCampaign`. */
  isMessage?: true | undefined;
  /** Only campaigns with unconfirmed recipients. */
  isUnconfirmed?: boolean | undefined;
  /** Only campaigns with undelivered messages. */
  isNotDelivered?: boolean | undefined;
  /** Only campaigns without a sent or scheduled follow-up. */
  isNotFollowedUp?: boolean | undefined;
  /** Ended then or later. */
  endedFrom?: Date | undefined;
  /** Begun then or later. */
  from?: Date | undefined;
  /** Begun earlier. */
  until?: Date | undefined;
}

interface RecentQuery extends ListedQuery {
  /** Only those with this recipient. */
  number?: E164 | undefined;
  limit: number;
  /** The id of the last one seen, of the same user if one is given. */
  before?: string | undefined;
}

/** Reads campaigns. */
export function createCampaignQueries(context: StoreContext) {
  const { db, phoneHashes } = context;

  return {
    async find(workspaceId: string, id: string): Promise<Campaign | undefined> {
      const inWorkspace = db.selectFrom('campaign').selectAll().where('workspaceId', '=', workspaceId);
      const [campaign] = await toCampaigns(context, await inWorkspace.where('id', '=', id).execute());
      return campaign;
    },

    /** Returns the newest first. */
    async recent({ limit, before, number, ...which }: RecentQuery): Promise<Campaign[]> {
      let query = selectListed(db, which).selectAll('campaign');
      if (number !== undefined) {
        const hashes = await phoneHashes.of(which.workspaceId, [number]);
        query = query.where(({ exists, selectFrom }) =>
          exists(
            selectFrom('campaignNumber')
              .select('campaignNumber.hash')
              .whereRef('campaignNumber.campaign', '=', 'campaign.sequence')
              .where('campaignNumber.hash', 'in', hashes),
          ),
        );
        if (which.isNotDelivered) {
          query = query.where(({ exists, selectFrom }) =>
            exists(
              selectFrom('delivery')
                .select('delivery.hash')
                .whereRef('delivery.workspaceId', '=', 'campaign.workspaceId')
                .whereRef('delivery.campaign', '=', 'campaign.sequence')
                .where('delivery.hash', 'in', hashes)
                .where('delivery.state', '=', 'failed'),
            ),
          );
        }
      }
      if (before !== undefined) {
        const seen = selectOwned(db, which).select('sequence').where('id', '=', before);
        query = query.where('sequence', '<', seen);
      }
      return toCampaigns(context, await query.orderBy('sequence', 'desc').limit(limit).execute());
    },

    async count(which: ListedQuery): Promise<number> {
      const counted = selectListed(db, which).select(({ fn }) => fn.countAll<number>().as('campaigns'));
      return Number((await counted.executeTakeFirstOrThrow()).campaigns);
    },

    /** Returns the campaigns of all workspaces that are to be sent, now or at their time, the oldest first. */
    async sendable(): Promise<SendableCampaign[]> {
      const rows = await db
        .selectFrom('campaign')
        .select(['workspaceId', 'id', 'state', 'startAt', 'latestStart'])
        .where('state', 'in', ['scheduled', 'running'])
        .orderBy('sequence')
        .execute();
      return rows.flatMap(({ id, state, ...row }) =>
        id === undefined ? [] : [{ ...row, id, isRunning: state === 'running' }],
      );
    },

    /** Returns the campaigns of all workspaces that repeat, and whose next run starts by then, the oldest first. */
    async dueToRepeat(by: Date): Promise<Campaign[]> {
      const query = db.selectFrom('campaign').selectAll().where('state', '=', 'repeating');
      return toReadableCampaigns(
        context,
        await query.where('startAt', '<=', by).orderBy('sequence').execute(),
      );
    },

    /** Returns the campaigns of all workspaces in these states, the oldest first. */
    async inState(states: readonly CampaignState[]): Promise<Campaign[]> {
      const query = db.selectFrom('campaign').selectAll().where('state', 'in', states);
      return toReadableCampaigns(context, await query.orderBy('sequence').execute());
    },

    /** Returns what the campaigns that were started, and had not ended before a time, show of their costs. */
    async spendings(workspaceId: string, since: Date): Promise<CampaignSpending[]> {
      const rows = await db
        .selectFrom('campaign')
        .selectAll()
        .where('workspaceId', '=', workspaceId)
        .where('startedAt', 'is not', null)
        .where((eb) => eb.or([eb('endedAt', 'is', null), eb('endedAt', '>=', since)]))
        .orderBy('sequence')
        .execute();
      return rows.map(toSpending);
    },
  };
}

function selectOwned(
  db: Kysely<Schema>,
  { workspaceId, createdBy }: Pick<ListedQuery, 'workspaceId' | 'createdBy'>,
) {
  const owned = db.selectFrom('campaign').where('workspaceId', '=', workspaceId);
  return createdBy === undefined ? owned : owned.where('createdBy', '=', createdBy);
}

function selectListed(db: Kysely<Schema>, query: ListedQuery) {
  const { states, isUnconfirmed = false, isNotDelivered = false, isNotFollowedUp = false } = query;
  const { endedFrom, from, until } = query;
  let listed = selectOwned(db, query).where('id', 'is not', null);
  if (query.isMessage) {
    listed = listed.where('isMessage', '=', true);
  }
  if (states !== undefined) {
    listed = listed.where('state', 'in', states);
  }
  if (isUnconfirmed) {
    listed = listed.where('unconfirmed', '>', 0);
  }
  if (isNotDelivered) {
    // An outcome of failed messages begins with their state, see `outcomeOf`.
    listed = listed.where(
      sql<boolean>`exists (
        select 1 from campaign_delivery as outcome
        where outcome.campaign = campaign.sequence and outcome.recipients > 0 and outcome.outcome like 'failed%'
      )`,
    );
  }
  if (isNotFollowedUp) {
    listed = listed.where(
      sql<boolean>`not exists (
        select 1 from campaign as later
        where later.workspace_id = campaign.workspace_id and later.follow_up_of = campaign.id
          and later.state in ('scheduled', 'repeating', 'running', 'paused', 'done')
      )`,
    );
  }
  if (endedFrom !== undefined) {
    listed = listed.where('endedAt', '>=', endedFrom);
  }
  if (from !== undefined) {
    listed = listed.where('createdAt', '>=', from);
  }
  return until === undefined ? listed : listed.where('createdAt', '<', until);
}

/** Where the messages of campaigns in Slack are, and what they show. */
export function createShownCampaigns(context: StoreContext) {
  const { db } = context;

  return {
    async setMessage(
      workspaceId: string,
      id: string,
      { channel, ts }: { channel: string; ts: string },
    ): Promise<void> {
      await db
        .updateTable('campaign')
        .set({ messageChannel: channel, messageTs: ts })
        .where('workspaceId', '=', workspaceId)
        .where('id', '=', id)
        .execute();
    },

    /** Stores that the campaign's message shows it as it is given. */
    async setShown(campaign: Campaign): Promise<void> {
      const { workspaceId, id, reportsVersion } = campaign;
      const messageShown = progressOf(campaign);
      await db
        .updateTable('campaign')
        .set({ messageShown })
        .where('workspaceId', '=', workspaceId)
        .where('id', '=', id)
        .where('messageShown', 'is distinct from', messageShown)
        .execute();
      if (reportsVersion !== undefined) {
        await db
          .updateTable('campaignReport')
          .set({ shown: reportsVersion })
          .where('campaign', '=', selectSequence(db, workspaceId, id))
          .where('shown', '<', reportsVersion)
          .execute();
      }
    },

    /**
     * Returns the active campaigns whose messages are missing or out of date, and all whose messages lack the latest reports.
     */
    async unshown(): Promise<Campaign[]> {
      const active = await db
        .selectFrom('campaign')
        .selectAll()
        .where('state', 'in', ['scheduled', 'repeating', 'running', 'paused'])
        .where('messageShown', 'is distinct from', progressOfRow)
        .orderBy('sequence')
        .execute();
      const known = new Set(active.map(({ sequence }) => sequence));
      const reported = await db
        .selectFrom('campaign')
        .selectAll()
        .where('messageTs', 'is not', null)
        .where('id', 'is not', null)
        .where('sequence', 'in', (eb) =>
          eb
            .selectFrom('campaignReport')
            .select('campaignReport.campaign')
            .whereRef('version', '<>', 'shown'),
        )
        .orderBy('sequence')
        .execute();
      const others = reported.filter(({ sequence }) => !known.has(sequence));
      return toReadableCampaigns(context, [...active, ...others]);
    },
  };
}

async function toCampaigns(
  { db, encryption }: StoreContext,
  rows: readonly Row<'campaign'>[],
  read = (row: Row<'campaign'>) => toCampaignWithText(row, encryption),
): Promise<Campaign[]> {
  const reported = await readReportedCounts(db, rows);
  return rows.flatMap((row) => {
    const campaign = read(row);
    return campaign === undefined ? [] : [{ ...campaign, ...reported.get(row.sequence) }];
  });
}

/** Of all workspaces: what cannot be read of one keeps none of the others waiting. */
const toReadableCampaigns = (context: StoreContext, rows: readonly Row<'campaign'>[]): Promise<Campaign[]> =>
  toCampaigns(context, rows, (row) => {
    try {
      return toCampaignWithText(row, context.encryption);
    } catch (err) {
      const { workspaceId: workspace, id: campaign } = row;
      context.log.error({ err, workspace, campaign }, 'a campaign cannot be read');
      return undefined;
    }
  });

function toSpending(row: Row<'campaign'>): CampaignSpending {
  const { id, route, accepted, unconfirmed, inFlight, balance: amount, balanceAt } = row;
  const isPaused = row.state === 'paused';
  return {
    id,
    route,
    startedAt: (row.startedAt ?? row.createdAt).getTime(),
    endedAt: row.endedAt?.getTime(),
    pausedAt: isPaused ? row.stateChangedAt.getTime() : undefined,
    pauseReason: isPaused ? row.pause?.error?.reason : undefined,
    accepted,
    unconfirmed,
    inFlight,
    balance:
      amount === undefined || balanceAt === undefined ? undefined : { amount, at: balanceAt.getTime() },
  };
}

/**
 * What a campaign's message shows is stored with it, so that any instance can show what an instance did not that ended
 * first. While a campaign is sent, its counts are shown by who sends it.
 */
function progressOf({ state, counts, inFlight, startAt }: Campaign): string {
  const { recipients, accepted, rejected, unconfirmed } = counts;
  return state === 'running'
    ? state
    : [state, recipients, accepted, rejected, unconfirmed, inFlight, startAt?.getTime() ?? 0].join(' ');
}

/** The same, of a row. */
const progressOfRow = sql<string>`case when state = 'running' then state
  else state || ' ' || recipients || ' ' || accepted || ' ' || rejected || ' ' || unconfirmed || ' ' || in_flight || ' '
    || coalesce(start_at, 0) end`;
