import { type Kysely, sql } from 'kysely';
import type { StoreContext } from '../context.ts';
import type { Schema } from '../schema/schema.ts';
import { findSoleCandidate, isAnswerUnderway, type Search } from './candidates.ts';
import { claimOperation } from './claim-operation.ts';
import { claimRecipients, type RecipientClaim } from './claim-recipients.ts';
import { type CountedMessage, countDeliveries } from './count-deliveries.ts';
import { type DeliveryRow, identify } from './delivery-rows.ts';
import { endPending } from './end-pending.ts';
import { findKnownMessages, messageName } from './known-messages.ts';
import { numbersOfCampaigns, type RecipientCandidate } from './recipient-candidates.ts';

/** What came of reports. */
export interface Followed {
  /** Operations that were unconfirmed, and are not any more. */
  resolved: number;
  /** Recipients of campaigns that were unconfirmed, and are not any more. */
  recipients: number;
  /** Campaigns whose counts have changed; one may count several times. */
  campaigns: number;
  /** Notices that are to be delivered. */
  notices: number;
  /** Campaigns that are to be sent, and lost recipients who turned out to be accepted before. */
  reduced: { workspaceId: string; id: string }[];
}

const pageSize = 200;

/**
 * Looks at each delivery that is pending, once. One that has to wait for an answer stays pending, and so do those of a
 * workspace that fails: no other workspace waits for it.
 */
export async function followDeliveries(options: StoreContext, signal: AbortSignal): Promise<Followed> {
  const sum: Followed = { resolved: 0, recipients: 0, campaigns: 0, notices: 0, reduced: [] };
  let last: DeliveryRow | undefined;
  while (!signal.aborted) {
    const page = await readPending(options.db, last);
    last = page.at(-1);
    if (last === undefined) {
      break;
    }
    for (const [workspaceId, rows] of Map.groupBy(page, (row) => row.workspaceId)) {
      try {
        const more = await followRows(options, workspaceId, rows);
        sum.resolved += more.resolved;
        sum.recipients += more.recipients;
        sum.campaigns += more.campaigns;
        sum.notices += more.notices;
        sum.reduced.push(...more.reduced);
      } catch (error) {
        options.log.error({ err: error, workspace: workspaceId }, 'what follows from reports is done later');
      }
    }
  }
  return sum;
}

/** In the order of what they are read by, after the last one of the page before. */
function readPending(db: Kysely<Schema>, last: DeliveryRow | undefined): Promise<DeliveryRow[]> {
  let rows = db.selectFrom('delivery').selectAll().where('pending', '=', true);
  if (last !== undefined) {
    const { receivedAt, workspaceId, providerId, hash } = last;
    rows = rows.where(
      sql<boolean>`(received_at, workspace_id, provider_id, hash) >
        (${receivedAt}, ${workspaceId}, ${providerId}, ${hash})`,
    );
  }
  return rows
    .orderBy('receivedAt')
    .orderBy('workspaceId')
    .orderBy('providerId')
    .orderBy('hash')
    .limit(pageSize)
    .execute();
}

async function followRows(
  options: StoreContext,
  workspaceId: string,
  rows: readonly DeliveryRow[],
): Promise<Followed> {
  const { db, encryption, phoneHashes, restoredAt, log } = options;
  const hashes = [...new Set(rows.map(({ hash }) => hash))];
  // In this order: what is not under way any more is known below.
  const sentTo = (await numbersOfCampaigns(db, workspaceId, hashes)).union(
    await hashesOfOperations(db, hashes),
  );
  const known = await findKnownMessages(db, workspaceId, rows);
  const hash = await phoneHashes.hasher(workspaceId);
  const search = { db, encryption, phoneHashes, hash, restoredAt, log };
  const done: DeliveryRow[] = [];
  const counted: CountedMessage[] = [];
  const claims: RecipientClaim[] = [];
  let resolved = 0;
  for (const row of rows) {
    const ofRow = known.get(messageName(row));
    const result =
      ofRow === undefined && sentTo.has(row.hash)
        ? await resolveMessage(options, search, row)
        : { kind: 'settled' as const, campaign: ofRow?.campaign };
    if (result.kind === 'recipient') {
      claims.push({ row, recipient: result.recipient });
    }
    if (result.kind === 'settled' && result.campaign !== undefined) {
      counted.push({ ...row, campaign: result.campaign });
    }
    resolved += result.kind === 'resolved' ? 1 : 0;
    if (result.kind !== 'waits' && result.kind !== 'recipient') {
      done.push(row);
    }
  }
  const { messages: claimed, reduced } = await claimRecipients(options, workspaceId, claims);
  // One that another instance has claimed meanwhile stays pending: that one may end before it has counted it.
  for (const { row, recipient } of claims.filter((claim) => claimed.has(messageName(claim.row)))) {
    counted.push({ ...row, campaign: recipient.campaign });
    done.push(row);
  }
  const campaigns = await countDeliveries(db, workspaceId, counted);
  const changed = await endPending(options, workspaceId, done);
  return {
    resolved,
    recipients: claimed.size,
    campaigns,
    notices: resolved + changed,
    reduced: [...new Set(reduced)].map((id) => ({ workspaceId, id })),
  };
}

type Resolution =
  /** It is of a message that is known, counted in this campaign, or it cannot be told of what. */
  | { kind: 'settled'; campaign?: number | undefined }
  /** It is that of an operation whose answer was lost. */
  | { kind: 'resolved' }
  /** It is that of a recipient of a campaign, who is unconfirmed. */
  | { kind: 'recipient'; recipient: RecipientCandidate }
  /** An answer that is under way may name it, also one to another workspace. */
  | { kind: 'waits' };

async function resolveMessage(options: StoreContext, search: Search, row: DeliveryRow): Promise<Resolution> {
  // In this order: an answer that comes in between is known below.
  if (await isAnswerUnderway(options.db, row)) {
    return { kind: 'waits' };
  }
  const known = (await findKnownMessages(options.db, row.workspaceId, [row])).get(messageName(row));
  const message = identify(row);
  if (known !== undefined || message === undefined) {
    return { kind: 'settled', campaign: known?.campaign };
  }
  const candidate = await findSoleCandidate(search, message);
  if (candidate === 'waits') {
    return { kind: 'waits' };
  }
  if (candidate?.kind === 'operation') {
    return { kind: await claimOperation(options, search, candidate, message) };
  }
  return candidate === undefined ? { kind: 'settled' } : { kind: 'recipient', recipient: candidate };
}

async function hashesOfOperations(db: Kysely<Schema>, hashes: readonly string[]): Promise<Set<string>> {
  if (hashes.length === 0) {
    return new Set();
  }
  const rows = await db
    .selectFrom('operationNumber')
    .select('hash')
    .distinct()
    .where('hash', 'in', hashes)
    .execute();
  return new Set(rows.map(({ hash }) => hash));
}
