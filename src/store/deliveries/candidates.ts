import type { Kysely } from 'kysely';
import { earliestRequestOf, mayBeOfRequest } from '../../domain/deliveries/reported-time.ts';
import type { Log } from '../../lib/log.ts';
import type { Encryption } from '../encryption/cipher.ts';
import type { HashNumber, PhoneHashes } from '../encryption/phone-hashes.ts';
import type { Schema } from '../schema/schema.ts';
import { type IdentifiableMessage, type NumberOfWorkspace, sentAtOf } from './delivery-rows.ts';
import { findKnownMessages, messageName } from './known-messages.ts';
import { findOperations, isOperationUnderway, type OperationCandidate } from './operation-candidates.ts';
import { askOtherWorkspaces } from './other-workspaces.ts';
import { findRecipients, isChunkUnderway, type RecipientCandidate } from './recipient-candidates.ts';

export type Candidate = OperationCandidate | RecipientCandidate;

export interface Search {
  db: Kysely<Schema>;
  encryption: Encryption;
  phoneHashes: Pick<PhoneHashes, 'hasher'>;
  /** Of the workspace that is searched. */
  hash: HashNumber;
  /** See `InstallationState`. */
  restoredAt: Date | undefined;
  log: Pick<Log, 'error'>;
}

/** Whether an answer is under way that may name a message to this number. */
export async function isAnswerUnderway(db: Kysely<Schema>, number: NumberOfWorkspace): Promise<boolean> {
  return (await isOperationUnderway(db, number)) || isChunkUnderway(db, number);
}

/**
 * Returns the one unconfirmed operation, or recipient of a campaign, that a message can be of: the same number, sender and
 * text, about the same time. Undefined where two may have sent it, also of two workspaces, or the provider has two such
 * messages. A request that the data has forgotten since it was restored may have sent it too, wherever one may that began
 * before then. `waits` while it may be that of another workspace whose answer is under way.
 */
export async function findSoleCandidate(
  search: Search,
  message: IdentifiableMessage,
): Promise<Candidate | 'waits' | undefined> {
  const { restoredAt } = search;
  if (restoredAt !== undefined && earliestRequestOf(message.sentAt) < restoredAt) {
    return undefined;
  }
  const [candidate, ...others] = await findCandidates(search, message);
  if (
    candidate === undefined ||
    others.length > 0 ||
    candidate.content === undefined ||
    !candidate.isUnconfirmed ||
    (await hasOtherReceipt(search.db, message, candidate)) ||
    (await hasOtherMessage(search.db, message, candidate.beganAt))
  ) {
    return undefined;
  }
  const { content, beganAt } = candidate;
  const elsewhere = await askOtherWorkspaces(search, message, { ...candidate, content }, async (own) => {
    if (await isAnswerUnderway(search.db, own.message)) {
      return 'waits';
    }
    // In this order: an answer that came in between has named its message.
    const isKnown = (await findKnownMessages(search.db, message.workspaceId, [message])).size > 0;
    const mayBe =
      isKnown ||
      (await findCandidates(own.search, own.message)).length > 0 ||
      (await hasOtherMessage(search.db, own.message, beganAt));
    return mayBe ? 'may_be' : 'is_not';
  });
  return elsewhere === 'is_not' ? candidate : elsewhere === 'waits' ? 'waits' : undefined;
}

async function findCandidates(search: Search, message: IdentifiableMessage): Promise<Candidate[]> {
  return [...(await findOperations(search, message)), ...(await findRecipients(search, message))];
}

/** Whether an unclear answer names the message, but of another request, or of this one names another message. */
async function hasOtherReceipt(
  db: Kysely<Schema>,
  { providerId }: IdentifiableMessage,
  candidate: Candidate,
): Promise<boolean> {
  const { recipients, receiptId } = candidate;
  // To several numbers the provider may have a message each.
  if (recipients === 1 && receiptId !== undefined && receiptId !== providerId) {
    return true;
  }
  const operations = await db
    .selectFrom('operation')
    .select('id')
    .where('receiptId', '=', providerId)
    .execute();
  const chunks = await db
    .selectFrom('campaignChunk')
    .select(['campaign', 'number'])
    .where('receiptId', '=', providerId)
    .execute();
  if (candidate.kind === 'recipient') {
    const { campaign, chunk } = candidate;
    const isOther = chunks.some((named) => named.campaign !== campaign || named.number !== chunk);
    return operations.length > 0 || isOther;
  }
  const { operation } = candidate;
  return chunks.length > 0 || operations.some(({ id }) => id !== operation.id);
}

/** Whether the provider has another message that may be of the same request. */
async function hasOtherMessage(
  db: Kysely<Schema>,
  row: IdentifiableMessage,
  beganAt: Date,
): Promise<boolean> {
  const rows = await db
    .selectFrom('delivery')
    .select(['providerId', 'hash', 'reportedAt', 'firstReportedAt'])
    .where('workspaceId', '=', row.workspaceId)
    .where('hash', '=', row.hash)
    .where('contentHash', '=', row.contentHash)
    .where('providerId', '<>', row.providerId)
    .execute();
  const near = rows.filter((other) => {
    const sentAt = sentAtOf(other);
    // One without a time may be of any.
    return sentAt === undefined || mayBeOfRequest(sentAt, beganAt);
  });
  const known = await findKnownMessages(db, row.workspaceId, near);
  return near.some((message) => !known.has(messageName(message)));
}
