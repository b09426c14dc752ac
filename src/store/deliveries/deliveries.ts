import type { Kysely } from 'kysely';
import {
  type CampaignDeliveries,
  type ReportedState,
  readReportedStatus,
  reportedProgress,
  summarizeDeliveries,
} from '../../domain/deliveries/delivery-status.ts';
import { quickCountryOf } from '../../domain/limits/number-country.ts';
import type { E164 } from '../../domain/phone/phone-number.ts';
import { coalesce } from '../../lib/coalesce.ts';
import { maskPersonal } from '../../lib/redact.ts';
import type { StoreContext } from '../context.ts';
import type { HashNumber } from '../engine/encryption/phone-hashes.ts';
import type { Schema } from '../schema/schema.ts';
import { type Followed, followDeliveries } from './follow-deliveries.ts';
import {
  type DeliverySource,
  findForeignMessages,
  findOwnMessages,
  hashContent,
  messageName,
  type ReportedRow,
} from './messages.ts';
import { readDeliveries, readDeliveriesOf } from './read-deliveries.ts';
import { readRouteOutcomes } from './route-outcomes.ts';
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

const maxStatusLength = 200;
/** Rows that are deleted in one statement. */
const sliceSize = 1_000;

export type Deliveries = ReturnType<typeof createDeliveries>;

/** What became of messages after the provider had accepted them. */
export function createDeliveries(context: StoreContext) {
  const { db, phoneHashes, clock } = context;
  let waiting: ReportedRow[] = [];
  const flush = coalesce(async () => {
    const rows = waiting;
    waiting = [];
    await writeDeliveries(db, rows);
  });

  return {
    ...createReading(context),

    /**
     * Writes reports, durably once it resolves, in any order and however often: a message's state only moves forward.
     * Concurrent calls share a write. Skips and counts reports of numbers that their message did not go to.
     */
    async record(workspaceId: string, reports: readonly DeliveryReport[]): Promise<number> {
      const receivedAt = clock();
      const hash = await phoneHashes.hasher(workspaceId);
      const rows = reports.map((report) => toRow({ ...report, workspaceId, receivedAt }, hash));
      const foreign = await findForeignMessages(db, workspaceId, rows);
      const matching = rows.filter((row) => !foreign.has(messageName(row)));
      waiting.push(...matching);
      await flush();
      return rows.length - matching.length;
    },

    /** Returns the reports about messages of this workspace, see `findOwnMessages`. */
    async ownReports(workspaceId: string, reports: readonly DeliveryReport[]): Promise<Set<DeliveryReport>> {
      const hash = await phoneHashes.hasher(workspaceId);
      const messages = reports.map((report) => ({ ...report, report, hash: hash(report.number) }));
      const own = await findOwnMessages(db, workspaceId, messages);
      return new Set(own.map(({ report }) => report));
    },

    /**
     * Acts on new reports: finds each message's operation, even if its answer was lost. Reports that have to wait for an
     * answer are left to the next call. Several instances may call it at once.
     */
    follow: (signal: AbortSignal): Promise<Followed> => followDeliveries(context, signal),

    /** See `readRouteOutcomes`. */
    byRoute: (query: Parameters<typeof readRouteOutcomes>[1]) => readRouteOutcomes(db, query),

    /** Deletes reports from before a time. */
    expire: (before: Date): Promise<void> => deleteOld(db, before),
  };
}

/** Reads the state of messages. */
function createReading({ db, phoneHashes }: StoreContext) {
  return {
    /**
     * Returns the known deliveries of these messages of a workspace, for each number. With the message that names an
     * unconfirmed operation come, under its id, the messages to the other numbers of that operation.
     */
    of: (workspaceId: string, providerIds: readonly string[]): Promise<MessageDelivery[]> =>
      readDeliveriesOf(db, workspaceId, providerIds),

    /**
     * Returns a lookup of deliveries by message id and number in E.164; as in `of`, it includes the
     * other messages of an operation with the id that names it.
     */
    async ofRecipients(
      workspaceId: string,
      providerIds: readonly string[],
    ): Promise<(providerId: string, number: E164) => MessageDelivery | undefined> {
      const hash = await phoneHashes.hasher(workspaceId);
      const { named, beside } = await readDeliveries(db, workspaceId, providerIds);
      const byName = new Map([...beside, ...named].map((row) => [messageName(row), row]));
      return (providerId, number) => byName.get(messageName({ providerId, hash: hash(number) }));
    },

    /** Returns the outcomes of a campaign's recipients that were unconfirmed, and how many there are. */
    async ofResolved(workspaceId: string, campaignId: string): Promise<ResolvedDeliveries> {
      const rows = await db
        .selectFrom('messageClaim')
        .innerJoin('campaign', 'campaign.sequence', 'messageClaim.campaign')
        .leftJoin('delivery', (join) =>
          join
            .onRef('delivery.workspaceId', '=', 'messageClaim.workspaceId')
            .onRef('delivery.providerId', '=', 'messageClaim.providerId')
            .onRef('delivery.hash', '=', 'messageClaim.hash'),
        )
        .select((eb) => [
          'delivery.countedAs',
          'messageClaim.source',
          eb.fn.countAll<number>().as('recipients'),
        ])
        .where('campaign.workspaceId', '=', workspaceId)
        .where('campaign.id', '=', campaignId)
        .groupBy(['delivery.countedAs', 'messageClaim.source'])
        .execute();
      const resolved = rows.reduce((sum, { recipients }) => sum + recipients, 0);
      const counts = rows.flatMap(({ countedAs, recipients }) =>
        countedAs ? [[countedAs, recipients] as const] : [],
      );
      const sources = [...new Set(rows.map(({ source }) => source))].sort();
      return { ...summarizeDeliveries(counts, resolved), resolved, sources };
    },

    /** Returns when the newest report of a workspace was received. */
    async lastReceived(workspaceId: string): Promise<Date | undefined> {
      const row = await db
        .selectFrom('delivery')
        .select('receivedAt')
        .where('workspaceId', '=', workspaceId)
        .where('source', '=', 'report')
        .orderBy('receivedAt', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row?.receivedAt;
    },
  };
}

function toRow(
  {
    number,
    sender,
    text,
    status,
    reportedAt,
    cost,
    ...kept
  }: DeliveryReport & Pick<ReportedRow, 'workspaceId' | 'receivedAt'>,
  hash: HashNumber,
): ReportedRow {
  const { state } = readReportedStatus(status);
  return {
    ...kept,
    hash: hash(number),
    contentHash: sender === undefined || text === undefined ? undefined : hashContent(hash, { sender, text }),
    state,
    progress: reportedProgress[state],
    // The cut may be within a character, which PostgreSQL would refuse with all reports of the same write.
    status: maskPersonal(status.slice(0, maxStatusLength)).toWellFormed(),
    reportedAt: reportedAt?.getTime() ?? 0,
    firstReportedAt: reportedAt?.getTime(),
    cost,
    costProgress: cost === undefined ? undefined : reportedProgress[state],
    costAt: cost === undefined ? undefined : (reportedAt?.getTime() ?? 0),
    country: quickCountryOf(number),
    pending: true,
  };
}

/** Workspace by workspace, each found by the primary key. */
async function deleteOld(db: Kysely<Schema>, before: Date): Promise<void> {
  // Campaigns keep their claims as long as their recipients.
  await db
    .deleteFrom('messageClaim')
    .where('operationId', 'is not', null)
    .where('claimedAt', '<', before)
    .execute();
  let after = '';
  for (;;) {
    const next = await db
      .selectFrom('delivery')
      .select('workspaceId')
      .where('workspaceId', '>', after)
      .orderBy('workspaceId')
      .limit(1)
      .executeTakeFirst();
    if (next === undefined) {
      return;
    }
    after = next.workspaceId;
    let deleted: bigint;
    do {
      const { numDeletedRows } = await db
        .deleteFrom('delivery')
        .where('workspaceId', '=', after)
        .where(({ eb, refTuple, selectFrom }) =>
          eb(
            refTuple('providerId', 'hash'),
            'in',
            selectFrom('delivery as old')
              .select(['old.providerId', 'old.hash'])
              .where('old.workspaceId', '=', after)
              .where('old.receivedAt', '<', before)
              // Counted rows stay as long as their campaign's recipients: a repeated report would count twice.
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
              .$asTuple('providerId', 'hash'),
          ),
        )
        .executeTakeFirst();
      deleted = numDeletedRows;
    } while (deleted >= sliceSize);
  }
}
