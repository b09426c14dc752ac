import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { Clock } from '../../lib/time/clock.ts';
import type { CostSubject } from '../schema/deliveries.ts';
import type { Schema } from '../schema.ts';
import { boundsOf, monthOf } from './cost-sums.ts';
import { type CurrencyAt, countCosts } from './count-costs.ts';

/** What was shown before sending. Amounts are decimals, followed by a space and the currency's code where it is known. */
export interface KeptEstimate {
  /** Of the pages whose price was known. */
  total: string;
  /** Where all pages had one price. */
  perPage?: string | undefined;
  pages: number;
  /** Pages whose price was not known. */
  unknownPages: number;
}

/** What the provider charged for the messages of a subject to a country. */
export interface CountryCost {
  /** Empty where it is not known. */
  country: string;
  /** A decimal. */
  amount: string;
  /** Messages whose cost is known, and those of them that cost nothing. */
  messages: number;
  free: number;
  /** Pages of those that cost something. */
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

/** What messages cost, as the provider reported it, in sums that are kept. */
export interface CostStore {
  /** See `countCosts`. */
  count(currencyOf: (workspaceId: string) => Promise<CurrencyAt>, signal: AbortSignal): Promise<number>;
  /** Stores what is shown before sending, in place of what was shown earlier. */
  keepEstimate(
    subject: { workspaceId: string; subject: CostSubject; id: string },
    estimate: KeptEstimate,
  ): Promise<void>;
  /** Drops what was shown earlier. */
  dropEstimate(subject: { workspaceId: string; subject: CostSubject; id: string }): Promise<void>;
  /** Returns what is known of the costs of subjects, by their ids. */
  of(workspaceId: string, subject: CostSubject, ids: readonly string[]): Promise<Map<string, SubjectCost>>;
  /** Returns the months that have costs, the newest first; with a user, those in which the user has. */
  months(workspaceId: string, userId?: string): Promise<string[]>;
  /** Returns the costs of a month, of all users or one. */
  month(workspaceId: string, month: string, userId?: string): Promise<MonthCost[]>;
  /** Returns when the first began of what is counted in a month, in milliseconds since 1970. */
  begunIn(workspaceId: string, month: string): Promise<number | undefined>;
  /**
   * Deletes the sums of what began before a time, and the estimates. Those of what was never sent are deleted sooner.
   */
  expire(before: Date, unsentBefore: Date): Promise<void>;
}

const estimateSchema: z.ZodType<KeptEstimate> = z.object({
  total: z.string(),
  perPage: z.string().optional(),
  pages: z.number(),
  unknownPages: z.number(),
});

/** Ids of one statement. */
const batchSize = 500;
/** In milliseconds: what was never sent is looked for among the estimates of this time alone. */
const unsentWindowMs = 7 * 24 * 60 * 60_000;

export function createCostStore(db: Kysely<Schema>, clock: Clock): CostStore {
  async function read(
    workspaceId: string,
    subject: CostSubject,
    ids: readonly string[],
  ): Promise<[string, SubjectCost][]> {
    const [estimates, charged] = await Promise.all([
      db
        .selectFrom('cost_estimate')
        .select(['subject_id', 'estimate'])
        .where('workspace_id', '=', workspaceId)
        .where('subject', '=', subject)
        .where('subject_id', 'in', ids)
        .execute(),
      db
        .selectFrom('message_cost')
        .select(['subject_id', 'country', 'amount', 'messages', 'free', 'pages'])
        .where('workspace_id', '=', workspaceId)
        .where('subject', '=', subject)
        .where('subject_id', 'in', ids)
        .orderBy('country')
        .execute(),
    ]);
    const estimateOf = new Map(
      estimates.map((row) => [row.subject_id, estimateSchema.parse(JSON.parse(row.estimate))]),
    );
    const chargedOf = Map.groupBy(charged, (row) => row.subject_id);
    return ids.flatMap((id) => {
      const estimate = estimateOf.get(id);
      const rows = chargedOf.get(id);
      const cost = { estimate, charged: (rows ?? []).map(({ subject_id: _, ...row }) => row) };
      return estimate === undefined && rows === undefined ? [] : [[id, cost] satisfies [string, SubjectCost]];
    });
  }

  return {
    count: (currencyOf, signal) => countCosts(db, { now: clock().getTime(), currencyOf }, signal),

    async keepEstimate({ workspaceId, subject, id }, { total, perPage, pages, unknownPages }) {
      const kept = {
        estimate: JSON.stringify({ total, perPage, pages, unknownPages }),
        made_at: clock().getTime(),
      };
      await db
        .insertInto('cost_estimate')
        .values({ workspace_id: workspaceId, subject, subject_id: id, ...kept })
        .onConflict((conflict) =>
          conflict.columns(['workspace_id', 'subject', 'subject_id']).doUpdateSet(kept),
        )
        .execute();
    },

    async dropEstimate({ workspaceId, subject, id }) {
      await db
        .deleteFrom('cost_estimate')
        .where('workspace_id', '=', workspaceId)
        .where('subject', '=', subject)
        .where('subject_id', '=', id)
        .execute();
    },

    async of(workspaceId, subject, ids) {
      const found = new Map<string, SubjectCost>();
      for (let start = 0; start < ids.length; start += batchSize) {
        for (const [id, cost] of await read(workspaceId, subject, ids.slice(start, start + batchSize))) {
          found.set(id, cost);
        }
      }
      return found;
    },

    async months(workspaceId, userId) {
      let query = db
        .selectFrom('month_cost')
        .select('month')
        .distinct()
        .where('workspace_id', '=', workspaceId);
      if (userId !== undefined) {
        query = query.where('user_id', '=', userId);
      }
      return (await query.orderBy('month', 'desc').execute()).map(({ month }) => month);
    },

    async month(workspaceId, month, userId) {
      let query = db
        .selectFrom('month_cost')
        .select(['user_id', 'sender_id', 'currency', 'amount', 'messages'])
        .where('workspace_id', '=', workspaceId)
        .where('month', '=', month);
      if (userId !== undefined) {
        query = query.where('user_id', '=', userId);
      }
      return (await query.execute()).map(({ user_id, sender_id, ...row }) => ({
        ...row,
        userId: user_id,
        senderId: sender_id,
      }));
    },

    async begunIn(workspaceId, month) {
      const { from, until } = boundsOf(month);
      const row = await db
        .selectFrom('message_cost')
        .select((eb) => eb.fn.min('begun_at').as('begun_at'))
        .where('workspace_id', '=', workspaceId)
        .where('begun_at', '>=', from)
        .where('begun_at', '<', until)
        .executeTakeFirst();
      return row?.begun_at ?? undefined;
    },

    async expire(before, unsentBefore) {
      const at = before.getTime();
      await db.deleteFrom('message_cost').where('begun_at', '<', at).execute();
      await db.deleteFrom('cost_estimate').where('made_at', '<', at).execute();
      await db.deleteFrom('month_cost').where('month', '<', monthOf(at)).execute();
      await deleteUnsent(db, unsentBefore.getTime());
    },
  };
}

/** Deletes the estimates of messages that were reviewed and never sent, and of campaigns that are discarded. */
async function deleteUnsent(db: Kysely<Schema>, before: number): Promise<void> {
  await db
    .deleteFrom('cost_estimate')
    .where('made_at', '<', before)
    .where('made_at', '>=', before - unsentWindowMs)
    .where(
      sql<boolean>`not exists (select 1 from operation where operation.workspace_id = cost_estimate.workspace_id
        and operation.key = cost_estimate.subject_id and cost_estimate.subject = 'operation')`,
    )
    .where(
      sql<boolean>`not exists (select 1 from campaign where campaign.workspace_id = cost_estimate.workspace_id
        and campaign.id = cost_estimate.subject_id and cost_estimate.subject = 'campaign')`,
    )
    .execute();
}
