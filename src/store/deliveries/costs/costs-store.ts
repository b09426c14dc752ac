import { type Kysely, sql } from 'kysely';
import type { StoreContext } from '../../context.ts';
import type { CostSubject, KeptEstimate } from '../../schema/deliveries.ts';
import type { Schema } from '../../schema/schema.ts';
import { boundsOf, monthOf } from './cost-sums.ts';
import { type CurrencyAt, countCosts } from './count-costs.ts';

/** What the provider charged for the messages of a subject to a country. */
export interface CountryCost {
  /** Empty where it is not known. */
  country: string;
  /** A decimal. */
  amount: string;
  /** Messages whose cost is known; `free` counts those that cost nothing. */
  messages: number;
  free: number;
  /** Pages without free messages. */
  pages: number;
}

/** What was estimated for a subject, and what the provider charged. */
export interface SubjectCost {
  estimate?: KeptEstimate | undefined;
  charged: CountryCost[];
}

/** What a user's messages from a sender cost in a month. */
export interface MonthCost {
  userId: string;
  /** See `noSenderId`. */
  senderId: string;
  /** ISO 4217; empty where it was not known. */
  currency: string;
  amount: string;
  messages: number;
}

/** Ids of one statement. */
const batchSize = 500;
/** In milliseconds: how far back unsent messages are searched among the estimates. */
const unsentWindowMs = 7 * 24 * 60 * 60_000;

interface CostSubjectKey {
  workspaceId: string;
  subject: CostSubject;
  id: string;
}

/** What messages cost, as the provider reported it, in sums that are kept. */
export function createCostStore(context: StoreContext) {
  const { db, clock } = context;
  return {
    /** Stores the estimate shown before sending, replacing the previous one. */
    async keepEstimate(
      { workspaceId, subject, id }: CostSubjectKey,
      { total, perPage, pages, unknownPages }: KeptEstimate,
    ): Promise<void> {
      const kept = { estimate: { total, perPage, pages, unknownPages }, madeAt: clock() };
      await db
        .insertInto('costEstimate')
        .values({ workspaceId, subject, subjectId: id, ...kept })
        .onConflict((conflict) => conflict.columns(['workspaceId', 'subject', 'subjectId']).doUpdateSet(kept))
        .execute();
    },

    /** Deletes the estimate shown before sending. */
    async dropEstimate({ workspaceId, subject, id }: CostSubjectKey): Promise<void> {
      await db
        .deleteFrom('costEstimate')
        .where('workspaceId', '=', workspaceId)
        .where('subject', '=', subject)
        .where('subjectId', '=', id)
        .execute();
    },

    ...createMonths(context),

    /** See `countCosts`. */
    count: (currencyOf: (workspaceId: string) => Promise<CurrencyAt>, signal: AbortSignal): Promise<number> =>
      countCosts(db, { now: clock().getTime(), currencyOf }, signal),

    /** Returns the known costs of subjects, by their ids. */
    async of(
      workspaceId: string,
      subject: CostSubject,
      ids: readonly string[],
    ): Promise<Map<string, SubjectCost>> {
      const found = new Map<string, SubjectCost>();
      for (let start = 0; start < ids.length; start += batchSize) {
        const batch = ids.slice(start, start + batchSize);
        for (const [id, cost] of await readSubjects(db, { workspaceId, subject, ids: batch })) {
          found.set(id, cost);
        }
      }
      return found;
    },

    /** Deletes sums and estimates from before a time; estimates of unsent messages, from before `unsentBefore`. */
    async expire(before: Date, unsentBefore: Date): Promise<void> {
      await db.deleteFrom('messageCost').where('begunAt', '<', before).execute();
      await db.deleteFrom('costEstimate').where('madeAt', '<', before).execute();
      await db.deleteFrom('monthCost').where('month', '<', monthOf(before)).execute();
      // Estimates of messages that were reviewed but never sent, and of discarded campaigns.
      await db
        .deleteFrom('costEstimate')
        .where('madeAt', '<', unsentBefore)
        .where('madeAt', '>=', new Date(unsentBefore.getTime() - unsentWindowMs))
        .where(
          sql<boolean>`not exists (select 1 from operation where operation.workspace_id = cost_estimate.workspace_id
            and operation.key = cost_estimate.subject_id and cost_estimate.subject = 'operation')`,
        )
        .where(
          sql<boolean>`not exists (select 1 from campaign where campaign.workspace_id = cost_estimate.workspace_id
            and campaign.id = cost_estimate.subject_id and cost_estimate.subject = 'campaign')`,
        )
        .execute();
    },
  };
}

function createMonths({ db }: StoreContext) {
  function costsOf(workspaceId: string, userId: string | undefined) {
    const costs = db.selectFrom('monthCost').where('workspaceId', '=', workspaceId);
    return userId === undefined ? costs : costs.where('userId', '=', userId);
  }

  return {
    /** Returns the months that have costs, the newest first; with a user, those in which the user has. */
    async months(workspaceId: string, userId?: string): Promise<string[]> {
      const months = costsOf(workspaceId, userId).select('month').distinct().orderBy('month', 'desc');
      return (await months.execute()).map(({ month }) => month);
    },

    /** Returns the costs of a month, of all users or one. */
    month: (workspaceId: string, month: string, userId?: string): Promise<MonthCost[]> =>
      costsOf(workspaceId, userId)
        .select(['userId', 'senderId', 'currency', 'amount', 'messages'])
        .where('month', '=', month)
        .execute(),

    /** Returns when the first subject counted in a month began. */
    async begunIn(workspaceId: string, month: string): Promise<Date | undefined> {
      const { from, until } = boundsOf(month);
      const row = await db
        .selectFrom('messageCost')
        .select((eb) => eb.fn.min('begunAt').as('begunAt'))
        .where('workspaceId', '=', workspaceId)
        .where('begunAt', '>=', from)
        .where('begunAt', '<', until)
        .executeTakeFirst();
      return row?.begunAt;
    },
  };
}

/** Returns the known costs of as many subjects as a statement takes. */
async function readSubjects(
  db: Kysely<Schema>,
  { workspaceId, subject, ids }: { workspaceId: string; subject: CostSubject; ids: readonly string[] },
): Promise<[string, SubjectCost][]> {
  const [estimates, charged] = await Promise.all([
    db
      .selectFrom('costEstimate')
      .select(['subjectId', 'estimate'])
      .where('workspaceId', '=', workspaceId)
      .where('subject', '=', subject)
      .where('subjectId', 'in', ids)
      .execute(),
    db
      .selectFrom('messageCost')
      .select(['subjectId', 'country', 'amount', 'messages', 'free', 'pages'])
      .where('workspaceId', '=', workspaceId)
      .where('subject', '=', subject)
      .where('subjectId', 'in', ids)
      .orderBy('country')
      .execute(),
  ]);
  const estimateOf = new Map(estimates.map((row) => [row.subjectId, row.estimate]));
  const chargedOf = Map.groupBy(charged, (row) => row.subjectId);
  return ids.flatMap((id) => {
    const estimate = estimateOf.get(id);
    const rows = chargedOf.get(id);
    const cost = { estimate, charged: (rows ?? []).map(({ subjectId: _, ...row }) => row) };
    return estimate === undefined && rows === undefined ? [] : [[id, cost] satisfies [string, SubjectCost]];
  });
}
