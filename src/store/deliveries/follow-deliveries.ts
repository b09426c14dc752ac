import { sql, type Transaction } from 'kysely';
import { readReportedStatus } from '../../domain/deliveries/delivery-status.ts';
import type { StoreContext } from '../context.ts';
import { isOneOf } from '../engine/dialect.ts';
import { inTransaction } from '../engine/transaction.ts';
import { messageKinds, noticeOf } from '../operations/operation.ts';
import { addNotices } from '../outbox/notices.ts';
import { isFree } from '../outbox/outbox.ts';
import type { Schema } from '../schema/schema.ts';
import { isAnswerUnderway, numbersOfCampaigns, type RecipientCandidate, type Search } from './candidates.ts';
import { claimOperation } from './claim-operation.ts';
import {
  type CountedMessage,
  claimRecipients,
  countDeliveries,
  type RecipientClaim,
} from './claim-recipients.ts';
import { type DeliveryRow, findKnownMessages, identify, messageName } from './messages.ts';
import { readDeliveriesOf } from './read-deliveries.ts';
import { findSoleCandidate } from './sole-candidate.ts';

/** What came of reports. */
export interface Followed {
  /** Operations that were unconfirmed and are resolved now. */
  resolved: number;
  /** Recipients of campaigns that were unconfirmed and are resolved now. */
  recipients: number;
  /** Campaigns whose counts have changed; one may count several times. */
  campaigns: number;
  /** Notices that are to be delivered. */
  notices: number;
  /** Campaigns that are to be sent, and lost recipients who turned out to be accepted before. */
  reduced: { workspaceId: string; id: string }[];
}

const pageSize = 200;

/** Looks at each pending delivery once. It stays pending while it has to wait for an answer, or if its workspace fails. */
export async function followDeliveries(context: StoreContext, signal: AbortSignal): Promise<Followed> {
  const sum: Followed = { resolved: 0, recipients: 0, campaigns: 0, notices: 0, reduced: [] };
  let last: DeliveryRow | undefined;
  while (!signal.aborted) {
    let pending = context.db.selectFrom('delivery').selectAll().where('pending', '=', true);
    if (last !== undefined) {
      const { receivedAt, workspaceId, providerId, hash } = last;
      pending = pending.where(
        sql<boolean>`(received_at, workspace_id, provider_id, hash) >
          (${receivedAt}, ${workspaceId}, ${providerId}, ${hash})`,
      );
    }
    const page: DeliveryRow[] = await pending
      .orderBy('receivedAt')
      .orderBy('workspaceId')
      .orderBy('providerId')
      .orderBy('hash')
      .limit(pageSize)
      .execute();
    last = page.at(-1);
    if (last === undefined) {
      break;
    }
    for (const [workspaceId, rows] of Map.groupBy(page, (row) => row.workspaceId)) {
      try {
        const more = await followRows(context, workspaceId, rows);
        sum.resolved += more.resolved;
        sum.recipients += more.recipients;
        sum.campaigns += more.campaigns;
        sum.notices += more.notices;
        sum.reduced.push(...more.reduced);
      } catch (error) {
        context.log.error({ err: error, workspace: workspaceId }, 'reports could not be applied yet');
      }
    }
  }
  return sum;
}

async function followRows(
  context: StoreContext,
  workspaceId: string,
  rows: readonly DeliveryRow[],
): Promise<Followed> {
  const { db } = context;
  const hashes = [...new Set(rows.map(({ hash }) => hash))];
  // In this order: a request that has ended meanwhile is then found below.
  const ofCampaigns = await numbersOfCampaigns(db, workspaceId, hashes);
  const ofOperations = await db
    .selectFrom('operationNumber')
    .select('hash')
    .distinct()
    .where('hash', 'in', hashes)
    .execute();
  const sentTo = ofCampaigns.union(new Set(ofOperations.map(({ hash }) => hash)));
  const known = await findKnownMessages(db, workspaceId, rows);
  const search = { ...context, hash: await context.phoneHashes.hasher(workspaceId) };
  const done: DeliveryRow[] = [];
  const counted: CountedMessage[] = [];
  const claims: RecipientClaim[] = [];
  let resolved = 0;
  for (const row of rows) {
    const ofRow = known.get(messageName(row));
    const result =
      ofRow === undefined && sentTo.has(row.hash)
        ? await resolveMessage(search, row)
        : { kind: 'settled' as const, campaign: ofRow?.campaign };
    if (result.kind === 'recipient') {
      claims.push({ row, recipient: result.recipient });
    } else if (result.kind !== 'waits') {
      done.push(row);
      resolved += result.kind === 'resolved' ? 1 : 0;
    }
    if (result.kind === 'settled' && result.campaign !== undefined) {
      counted.push({ ...row, campaign: result.campaign });
    }
  }
  const { messages: claimed, reduced } = await claimRecipients(context, workspaceId, claims);
  // One that another instance has claimed meanwhile stays pending: that one may end before it has counted it.
  for (const { row, recipient } of claims.filter((claim) => claimed.has(messageName(claim.row)))) {
    counted.push({ ...row, campaign: recipient.campaign });
    done.push(row);
  }
  const campaigns = await countDeliveries(db, workspaceId, counted);
  const changed = await endPending(context, workspaceId, done);
  return {
    resolved,
    recipients: claimed.size,
    campaigns,
    notices: resolved + changed,
    reduced: [...new Set(reduced)].map((id) => ({ workspaceId, id })),
  };
}

type Resolution =
  /** The message is known and counted in this campaign, or can't be matched. */
  | { kind: 'settled'; campaign?: number | undefined }
  /** It confirms an operation whose answer was lost. */
  | { kind: 'resolved' }
  /** It belongs to an unconfirmed recipient of a campaign. */
  | { kind: 'recipient'; recipient: RecipientCandidate }
  /** An answer under way may name it, maybe in another workspace. */
  | { kind: 'waits' };

async function resolveMessage(search: Search, row: DeliveryRow): Promise<Resolution> {
  // In this order: an answer that comes in between is known below.
  if (await isAnswerUnderway(search.db, row)) {
    return { kind: 'waits' };
  }
  const known = (await findKnownMessages(search.db, row.workspaceId, [row])).get(messageName(row));
  const message = identify(row);
  if (known !== undefined || message === undefined) {
    return { kind: 'settled', campaign: known?.campaign };
  }
  const candidate = await findSoleCandidate(search, message);
  if (candidate === 'waits') {
    return { kind: 'waits' };
  }
  if (candidate?.kind === 'operation') {
    return { kind: await claimOperation(search, candidate, message) };
  }
  return candidate === undefined ? { kind: 'settled' } : { kind: 'recipient', recipient: candidate };
}

/**
 * Marks these rows as done, and queues the Slack messages that show their operations for an update. Returns how many messages.
 * A row stays pending if a newer report came meanwhile, or if its outcome is being posted now: that post may show older data.
 */
function endPending(
  { db, databaseNow, clock }: StoreContext,
  workspaceId: string,
  rows: readonly DeliveryRow[],
): Promise<number> {
  if (rows.length === 0) {
    return Promise.resolve(0);
  }
  const providerIds = [...new Set(rows.map((row) => row.providerId))];
  return inTransaction(db, async (transaction) => {
    // Claims of operations with several numbers that include one of these messages.
    const claims = await transaction
      .selectFrom('messageClaim')
      .select('operationId')
      .distinct()
      .where('workspaceId', '=', workspaceId)
      .where('providerId', 'in', providerIds)
      .execute();
    const claimedBy = claims.flatMap(({ operationId }) => operationId ?? []);
    const operations = transaction
      .selectFrom('operation')
      .select(['id', 'workspaceId', 'userId', 'channelId', 'providerId', 'notDeliveredAt'])
      .where('workspaceId', '=', workspaceId)
      .where('kind', 'in', messageKinds)
      .where((eb) =>
        claimedBy.length === 0
          ? eb('providerId', 'in', providerIds)
          : eb.or([eb('providerId', 'in', providerIds), eb('id', 'in', claimedBy)]),
      );
    // Locked before their deliveries are read, so that an older state never overwrites a newer one.
    const found = await operations.orderBy('id').forUpdate().execute();
    const { busy, untold } = await noticesOf(transaction, found, databaseNow);
    const busyMessages = new Set(
      found.flatMap(({ id, providerId }) => (busy.has(id) ? (providerId ?? []) : [])),
    );
    const done = rows.filter((row) => !busyMessages.has(row.providerId));
    // Done before reading which operations are shown: one shown later sets its rows pending again.
    if (done.length > 0) {
      const columns = [
        sql.ref('providerId'),
        sql.ref('hash'),
        sql.ref('status'),
        sql.ref('reportedAt'),
        sql`coalesce(first_reported_at, 0)`,
        sql`coalesce(content_hash, '')`,
        sql`coalesce(cost, '')`,
      ];
      const seen = done.map((row) => [
        row.providerId,
        row.hash,
        row.status,
        row.reportedAt,
        row.firstReportedAt ?? 0,
        row.contentHash ?? '',
        row.cost ?? '',
      ]);
      await transaction
        .updateTable('delivery')
        .set({ pending: false })
        .where('workspaceId', '=', workspaceId)
        .where(isOneOf(transaction, columns, seen))
        .execute();
    }
    await noteNotDelivered(transaction, workspaceId, found);
    // Operations whose message in Slack can be updated, or whose user must be told.
    const failed = new Set(
      done.flatMap((row) => (readReportedStatus(row.status).state === 'failed' ? row.providerId : [])),
    );
    const isTold = operations
      .select(['messageTs', 'resolvedTs'])
      .where((eb) =>
        eb.or([
          eb('messageTs', 'is not', null),
          eb('resolvedTs', 'is not', null),
          ...(failed.size === 0 ? [] : [eb('providerId', 'in', [...failed])]),
        ]),
      );
    // An outcome that is still to be shown says it too.
    const toUpdate = (await isTold.execute()).filter(
      ({ id, messageTs, resolvedTs }) =>
        !busy.has(id) && !(untold.has(id) && (messageTs ?? resolvedTs) === undefined),
    );
    const notices = toUpdate.map((row) => ({ ...noticeOf(row), subject: 'delivery' as const }));
    await addNotices(transaction, notices, clock());
    return notices.length;
  });
}

/** Stores in these locked operations when a message was last reported as not delivered. */
async function noteNotDelivered(
  transaction: Transaction<Schema>,
  workspaceId: string,
  operations: readonly { id: string; providerId?: string | undefined; notDeliveredAt?: Date | undefined }[],
): Promise<void> {
  const providerIds = operations.flatMap(({ providerId }) => providerId ?? []);
  const deliveries = await readDeliveriesOf(transaction, workspaceId, providerIds);
  const failed = Map.groupBy(
    deliveries.filter(({ state }) => state === 'failed'),
    ({ providerId }) => providerId,
  );
  for (const { id, providerId = '', notDeliveredAt } of operations) {
    const times = failed.get(providerId)?.map(({ receivedAt }) => receivedAt.getTime());
    const latest = times && Math.max(...times);
    if (latest !== notDeliveredAt?.getTime()) {
      await transaction
        .updateTable('operation')
        .set({ notDeliveredAt: latest === undefined ? null : new Date(latest) })
        .where('id', '=', id)
        .execute();
    }
  }
}

/** Returns the operations whose outcome is being posted in Slack, and those whose outcome is still to be posted. */
async function noticesOf(
  transaction: Transaction<Schema>,
  operations: readonly { id: string; workspaceId: string }[],
  databaseNow: StoreContext['databaseNow'],
): Promise<Record<'busy' | 'untold', Set<string>>> {
  const [first] = operations;
  if (first === undefined) {
    return { busy: new Set(), untold: new Set() };
  }
  const waiting = transaction
    .selectFrom('outbox')
    .select(['subject', 'subjectId'])
    .where('workspaceId', '=', first.workspaceId)
    .where('subject', 'in', ['delivery', 'operation'])
    .where(
      'subjectId',
      'in',
      operations.map(({ id }) => id),
    );
  const locked = await waiting.forUpdate().execute();
  const free = await waiting.where(isFree(databaseNow())).execute();
  const idsOf = (rows: typeof locked, of: string) =>
    new Set(rows.flatMap(({ subject, subjectId }) => (subject === of ? subjectId : [])));
  const untold = idsOf(free, 'operation');
  const changing = idsOf(locked, 'delivery').difference(idsOf(free, 'delivery'));
  return { busy: changing.union(idsOf(locked, 'operation').difference(untold)), untold };
}
