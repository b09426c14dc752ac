import type { Kysely } from 'kysely';
import { quickCountryOf } from '../../domain/limits/number-country.ts';
import {
  type ReportedState,
  readReportedStatus,
  reportedProgress,
} from '../../domain/messages/delivery-status.ts';
import { coalesce } from '../../lib/coalesce.ts';
import { maskPersonal } from '../../lib/redact.ts';
import type { HashNumber } from '../encryption/phone-hashes.ts';
import type { Schema } from '../schema.ts';
import type { DeliveryRow, DeliverySource } from './delivery-rows.ts';
import { type Followed, type FollowOptions, followDeliveries } from './follow-deliveries.ts';
import { hashContent } from './hash-content.ts';
import { writeDeliveries } from './write-deliveries.ts';

/** What the provider says of one message to one number. */
export interface DeliveryReport {
  /** The provider’s id of the message, in visible ASCII. */
  providerId: string;
  /** `+` and digits. */
  number: string;
  sender?: string | undefined;
  text?: string | undefined;
  /** In the provider’s words. */
  status: string;
  /** By the provider’s clock. */
  reportedAt?: Date | undefined;
  /** A plain decimal, as the provider wrote it. */
  cost?: string | undefined;
  source: DeliverySource;
}

/** What is known of one message to one number. */
export interface MessageDelivery {
  providerId: string;
  state: ReportedState;
  /** In the provider’s words, without numbers. */
  status: string;
  /** When this state was learned. */
  receivedAt: Date;
  cost?: string | undefined;
  source: DeliverySource;
}

/** What became of messages after the provider had accepted them. */
export interface DeliveryRepository {
  /**
   * Writes down what was reported, durably once it resolves. In any order and however often: what is known of a message
   * only moves forward. Concurrent calls share a write.
   */
  record(workspaceId: string, reports: readonly DeliveryReport[]): Promise<void>;

  /** Returns what is known of these messages of a workspace, of each number they went to. */
  of(workspaceId: string, providerIds: readonly string[]): Promise<MessageDelivery[]>;

  /** Returns when the newest report of a workspace was received. */
  lastReceived(workspaceId: string): Promise<Date | undefined>;

  /**
   * Does what follows from reports that are new: finds the operation that a message is of, also one whose answer was lost.
   * What has to wait for an answer that is still under way is left to the next call. May be called at any time, by several
   * instances at once.
   */
  follow(signal: AbortSignal): Promise<Followed>;

  /** Deletes what was received before a time. */
  expire(before: Date): Promise<void>;
}

const maxStatusLength = 200;
/** Rows that are deleted in one statement. */
const sliceSize = 1_000;

export function createDeliveries(options: FollowOptions): DeliveryRepository {
  const { db, phoneHashes, clock } = options;
  let waiting: DeliveryRow[] = [];
  const flush = coalesce(async () => {
    const rows = waiting;
    waiting = [];
    await writeDeliveries(db.$pickTables<'delivery' | 'delivery_claim'>(), rows);
  });

  return {
    async record(workspaceId, reports) {
      const receivedAt = clock().getTime();
      const hash = await phoneHashes.hasher(workspaceId);
      waiting.push(...reports.map((report) => toRow({ ...report, workspaceId, receivedAt }, hash)));
      await flush();
    },

    async of(workspaceId, providerIds) {
      if (providerIds.length === 0) {
        return [];
      }
      const rows = await db
        .selectFrom('delivery')
        .select(['provider_id', 'state', 'status', 'received_at', 'cost', 'source'])
        .where('workspace_id', '=', workspaceId)
        .where('provider_id', 'in', [...providerIds])
        .execute();
      return rows.map(({ provider_id, received_at, cost, ...row }) => ({
        ...row,
        providerId: provider_id,
        receivedAt: new Date(received_at),
        cost: cost ?? undefined,
      }));
    },

    async lastReceived(workspaceId) {
      const row = await db
        .selectFrom('delivery')
        .select('received_at')
        .where('workspace_id', '=', workspaceId)
        .where('source', '=', 'report')
        .orderBy('received_at', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row && new Date(row.received_at);
    },

    follow: (signal) => followDeliveries(options, signal),

    expire: (before) => deleteOld(db, before),
  };
}

function toRow(
  report: DeliveryReport & { workspaceId: string; receivedAt: number },
  hash: HashNumber,
): DeliveryRow {
  const { workspaceId, providerId, number, sender, text, status, reportedAt, cost, source } = report;
  const { state } = readReportedStatus(status);
  return {
    workspace_id: workspaceId,
    provider_id: providerId,
    hash: hash(number),
    content: sender === undefined || text === undefined ? null : hashContent(hash, { sender, text }),
    state,
    progress: reportedProgress[state],
    status: maskPersonal(status.slice(0, maxStatusLength)),
    reported_at: reportedAt?.getTime() ?? 0,
    cost: cost ?? null,
    cost_progress: cost === undefined ? null : reportedProgress[state],
    cost_at: cost === undefined ? null : (reportedAt?.getTime() ?? 0),
    country: quickCountryOf(number),
    counted: null,
    count_after: 0,
    received_at: report.receivedAt,
    source,
    pending: 1,
  };
}

/** Workspace by workspace, each found by the primary key. */
async function deleteOld(db: Kysely<Schema>, before: Date): Promise<void> {
  let after = '';
  for (;;) {
    const next = await db
      .selectFrom('delivery')
      .select('workspace_id')
      .where('workspace_id', '>', after)
      .orderBy('workspace_id')
      .limit(1)
      .executeTakeFirst();
    if (next === undefined) {
      return;
    }
    after = next.workspace_id;
    await deleteOldOf(db, after, before);
  }
}

async function deleteOldOf(db: Kysely<Schema>, workspaceId: string, before: Date): Promise<void> {
  let deleted: bigint;
  do {
    const { numDeletedRows } = await db
      .deleteFrom('delivery')
      .where('workspace_id', '=', workspaceId)
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple('provider_id', 'hash'),
          'in',
          selectFrom('delivery as old')
            .select(['old.provider_id', 'old.hash'])
            .where('old.workspace_id', '=', workspaceId)
            .where('old.received_at', '<', before.getTime())
            .limit(sliceSize)
            .$asTuple('provider_id', 'hash'),
        ),
      )
      .executeTakeFirst();
    deleted = numDeletedRows;
  } while (deleted >= sliceSize);
}
