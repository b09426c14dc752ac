import type { Kysely } from 'kysely';
import {
  type CampaignDeliveries,
  type ReportedState,
  readReportedStatus,
  reportedProgress,
  summarizeDeliveries,
} from '../../domain/deliveries/delivery-status.ts';
import { quickCountryOf } from '../../domain/limits/number-country.ts';
import { coalesce } from '../../lib/coalesce.ts';
import { maskPersonal } from '../../lib/redact.ts';
import type { HashNumber } from '../encryption/phone-hashes.ts';
import type { Schema } from '../schema.ts';
import type { DeliveryRow, DeliverySource, ReportedRow } from './delivery-rows.ts';
import { type Followed, type FollowOptions, followDeliveries } from './follow-deliveries.ts';
import { hashContent } from './hash-content.ts';
import { findForeignMessages, messageName } from './known-messages.ts';
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

/** What became of recipients of a campaign that were unconfirmed. */
export interface ResolvedDeliveries extends CampaignDeliveries {
  /** How many are not unconfirmed any more. */
  resolved: number;
  /** What that is known from. */
  sources: readonly DeliverySource[];
}

/** What became of messages after the provider had accepted them. */
export interface DeliveryRepository {
  /**
   * Writes down what was reported, durably once it resolves. In any order and however often: what is known of a message
   * only moves forward. Concurrent calls share a write. Leaves aside, and resolves with the number of, reports of a number that
   * their message, sent by an operation of the workspace, did not go to.
   */
  record(workspaceId: string, reports: readonly DeliveryReport[]): Promise<number>;

  /**
   * Returns what is known of these messages of a workspace, of each number they went to. With the message that names an
   * unconfirmed operation come, under its id, the messages to the other numbers of that operation.
   */
  of(workspaceId: string, providerIds: readonly string[]): Promise<MessageDelivery[]>;

  /**
   * Returns what is known of messages, by which one can be asked for with its id and its number in E.164; as in `of`, the
   * other messages of an operation with the id that names it.
   */
  ofRecipients(
    workspaceId: string,
    providerIds: readonly string[],
  ): Promise<(providerId: string, number: string) => MessageDelivery | undefined>;

  /** Returns what became of the recipients of a campaign that were unconfirmed, and how many those are. */
  ofResolved(workspaceId: string, campaignId: string): Promise<ResolvedDeliveries>;

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
  let waiting: ReportedRow[] = [];
  const flush = coalesce(async () => {
    const rows = waiting;
    waiting = [];
    await writeDeliveries(db, rows);
  });

  return {
    async record(workspaceId, reports) {
      const receivedAt = clock().getTime();
      const hash = await phoneHashes.hasher(workspaceId);
      const rows = reports.map((report) => toRow({ ...report, workspaceId, receivedAt }, hash));
      const foreign = await findForeignMessages(db, workspaceId, rows);
      const own = rows.filter((row) => !foreign.has(messageName(row)));
      waiting.push(...own);
      await flush();
      return rows.length - own.length;
    },

    async of(workspaceId, providerIds) {
      if (providerIds.length === 0) {
        return [];
      }
      const rows = await selectDeliveries(db, workspaceId, providerIds).execute();
      // A report may have come before the answer that names its message.
      const foreign = await findForeignMessages(db, workspaceId, rows);
      const others = await messagesBeside(db, workspaceId, providerIds);
      return [...rows.filter((row) => !foreign.has(messageName(row))), ...others].map(toMessageDelivery);
    },

    async ofRecipients(workspaceId, providerIds) {
      const hash = await phoneHashes.hasher(workspaceId);
      const rows =
        providerIds.length === 0
          ? []
          : [
              ...(await messagesBeside(db, workspaceId, providerIds)),
              ...(await selectDeliveries(db, workspaceId, providerIds).execute()),
            ];
      const byName = new Map(rows.map((row) => [messageName(row), row]));
      return (providerId, number) => {
        const row = byName.get(messageName({ provider_id: providerId, hash: hash(number) }));
        return row && toMessageDelivery(row);
      };
    },

    async ofResolved(workspaceId, campaignId) {
      const rows = await db
        .selectFrom('message_claim')
        .innerJoin('campaign', 'campaign.sequence', 'message_claim.campaign')
        .leftJoin('delivery', (join) =>
          join
            .onRef('delivery.workspace_id', '=', 'message_claim.workspace_id')
            .onRef('delivery.provider_id', '=', 'message_claim.provider_id')
            .onRef('delivery.hash', '=', 'message_claim.hash'),
        )
        .select((eb) => [
          'delivery.counted_as',
          'message_claim.source',
          eb.fn.countAll<number>().as('recipients'),
        ])
        .where('campaign.workspace_id', '=', workspaceId)
        .where('campaign.id', '=', campaignId)
        .groupBy(['delivery.counted_as', 'message_claim.source'])
        .execute();
      const resolved = rows.reduce((sum, { recipients }) => sum + Number(recipients), 0);
      const counts = rows.flatMap(({ counted_as, recipients }) =>
        counted_as === null ? [] : [[counted_as, Number(recipients)] as const],
      );
      const sources = [...new Set(rows.map(({ source }) => source))].sort();
      return { ...summarizeDeliveries(counts, resolved), resolved, sources };
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

function selectDeliveries(db: Kysely<Schema>, workspaceId: string, providerIds: readonly string[]) {
  return db
    .selectFrom('delivery')
    .select(['provider_id', 'hash', 'state', 'status', 'received_at', 'cost', 'source'])
    .where('workspace_id', '=', workspaceId)
    .where('provider_id', 'in', [...providerIds]);
}

type FoundDelivery = Pick<
  DeliveryRow,
  'provider_id' | 'hash' | 'state' | 'status' | 'received_at' | 'cost' | 'source'
>;

function toMessageDelivery({
  provider_id,
  state,
  status,
  received_at,
  cost,
  source,
}: FoundDelivery): MessageDelivery {
  return {
    providerId: provider_id,
    state,
    status,
    receivedAt: new Date(received_at),
    cost: cost ?? undefined,
    source,
  };
}

/** Returns the messages with other ids that operations named by these have, each under the id of its operation. */
async function messagesBeside(
  db: Kysely<Schema>,
  workspaceId: string,
  providerIds: readonly string[],
): Promise<FoundDelivery[]> {
  return db
    .selectFrom('delivery_claim')
    .innerJoin('message_claim', 'message_claim.operation_id', 'delivery_claim.operation_id')
    .innerJoin('delivery', (join) =>
      join
        .onRef('delivery.workspace_id', '=', 'message_claim.workspace_id')
        .onRef('delivery.provider_id', '=', 'message_claim.provider_id')
        .onRef('delivery.hash', '=', 'message_claim.hash'),
    )
    .select([
      'delivery_claim.provider_id',
      'delivery.hash',
      'delivery.state',
      'delivery.status',
      'delivery.received_at',
      'delivery.cost',
      'delivery.source',
    ])
    .where('delivery_claim.workspace_id', '=', workspaceId)
    .where('delivery_claim.provider_id', 'in', [...providerIds])
    .whereRef('message_claim.provider_id', '<>', 'delivery_claim.provider_id')
    .execute();
}

function toRow(
  report: DeliveryReport & { workspaceId: string; receivedAt: number },
  hash: HashNumber,
): ReportedRow {
  const { workspaceId, providerId, number, sender, text, status, reportedAt, cost, source } = report;
  const { state } = readReportedStatus(status);
  return {
    workspace_id: workspaceId,
    provider_id: providerId,
    hash: hash(number),
    content_hash: sender === undefined || text === undefined ? null : hashContent(hash, { sender, text }),
    state,
    progress: reportedProgress[state],
    // The cut may be within a character, which PostgreSQL would refuse with all reports of the same write.
    status: maskPersonal(status.slice(0, maxStatusLength)).toWellFormed(),
    reported_at: reportedAt?.getTime() ?? 0,
    first_reported_at: reportedAt?.getTime() ?? null,
    cost: cost ?? null,
    cost_progress: cost === undefined ? null : reportedProgress[state],
    cost_at: cost === undefined ? null : (reportedAt?.getTime() ?? 0),
    country: quickCountryOf(number),
    received_at: report.receivedAt,
    source,
    pending: 1,
  };
}

/** Workspace by workspace, each found by the primary key. */
async function deleteOld(db: Kysely<Schema>, before: Date): Promise<void> {
  // Those of campaigns stay as long as their recipients.
  await db
    .deleteFrom('message_claim')
    .where('operation_id', 'is not', null)
    .where('claimed_at', '<', before.getTime())
    .execute();
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
            // What is counted stays as long as the recipients of its campaign: reported once more, it would count twice.
            .where((old) =>
              old.not(
                old.exists(
                  old
                    .selectFrom('campaign')
                    .select('campaign.sequence')
                    .whereRef('campaign.sequence', '=', 'old.campaign')
                    .where('campaign.text', 'is not', null),
                ),
              ),
            )
            .limit(sliceSize)
            .$asTuple('provider_id', 'hash'),
        ),
      )
      .executeTakeFirst();
    deleted = numDeletedRows;
  } while (deleted >= sliceSize);
}
