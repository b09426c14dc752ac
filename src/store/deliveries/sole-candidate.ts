import { type Kysely, sql } from 'kysely';
import { earliestRequestOf, latestRequestOf, mayBeOfRequest } from '../../domain/deliveries/reported-time.ts';
import { readChunkContent } from '../campaigns/recipient-queries.ts';
import { readOperationTexts } from '../operations/operation.ts';
import type { Schema } from '../schema/schema.ts';
import { type Candidate, findCandidates, isAnswerUnderway, type Search } from './candidates.ts';
import {
  type ComparableContent,
  findKnownMessages,
  hashContent,
  type IdentifiableMessage,
  messageName,
  sentAtOf,
} from './messages.ts';

/**
 * Returns the only unconfirmed operation, or recipient of a campaign, that can have sent a message: same number, sender and
 * text, about the same time. Undefined if another request may have sent it (in any workspace, or forgotten by a restore), or
 * the provider has two such messages. `waits` while an answer under way in another workspace may claim it.
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

/** Whether another workspace has sent a message, or may have. */
type Elsewhere = 'is_not' | 'may_be' | 'waits';

/** A message as seen from another workspace, and the search for its request there. */
interface MessageElsewhere {
  message: IdentifiableMessage;
  search: Search;
}

/**
 * Asks each other workspace that sent to this number at about this time whether it may have sent the message: several may
 * share a provider account, which reports everything to one address. Returns none of their data.
 *
 * @param candidate whose message it is otherwise
 */
async function askOtherWorkspaces(
  search: Search,
  message: IdentifiableMessage,
  candidate: Candidate & { content: ComparableContent },
  ask: (elsewhere: MessageElsewhere) => Promise<Elsewhere>,
): Promise<Elsewhere> {
  const active = await findActive(search.db, message);
  if (active.length === 0) {
    return 'is_not';
  }
  const number = await numberOf(search, message, candidate);
  if (number === undefined) {
    return 'may_be';
  }
  const { content } = candidate;
  const elsewhere: MessageElsewhere[] = [];
  let result: Elsewhere = 'is_not';
  /** What cannot be read there keeps this one message waiting, and nothing else of this workspace. */
  const waits = (workspace: string) => (err: unknown) => {
    search.log.error({ err, workspace }, 'a message waits for another workspace');
    result = 'waits';
  };
  for (const workspaceId of active) {
    const hash = await search.phoneHashes.hasher(workspaceId).catch(waits(workspaceId));
    if (hash !== undefined) {
      elsewhere.push({
        message: { ...message, workspaceId, hash: hash(number), contentHash: hashContent(hash, content) },
        search: { ...search, hash },
      });
    }
  }
  // The hashes that any of these workspaces has sent to.
  const hashes = elsewhere.map((each) => each.message.hash);
  const sentTo = await search.db
    .selectFrom('operationNumber')
    .select('hash')
    .where('hash', 'in', hashes)
    .union(
      // From the campaigns: of numbers alone there is no index.
      search.db
        .selectFrom('campaign')
        .innerJoin('campaignNumber', 'campaignNumber.campaign', 'campaign.sequence')
        .select('campaignNumber.hash')
        .where('campaign.workspaceId', 'in', active)
        .where('campaign.id', 'is not', null)
        .where('campaignNumber.hash', 'in', hashes),
    )
    .execute();
  const known = new Set(sentTo.map(({ hash }) => hash));
  for (const each of elsewhere.filter((one) => known.has(one.message.hash))) {
    const answer = await ask(each).catch(waits(each.message.workspaceId));
    if (answer === 'may_be') {
      return answer;
    }
    result = answer === 'waits' ? answer : result;
  }
  return result;
}

/** Returns the other workspaces that have sent anything about the time of a message. */
async function findActive(
  db: Kysely<Schema>,
  { workspaceId, sentAt }: IdentifiableMessage,
): Promise<string[]> {
  const from = earliestRequestOf(sentAt);
  const until = latestRequestOf(sentAt);
  const { rows } = await sql<{ workspaceId: string }>`select workspace_id from number_key as other
    where workspace_id <> ${workspaceId} and (
      exists (
        select 1 from operation
        where operation.workspace_id = other.workspace_id
          and operation.created_at >= ${from} and operation.created_at <= ${until}
      ) or exists (
        select 1 from campaign
        where campaign.workspace_id = other.workspace_id and campaign.started_at <= ${until}
          and (campaign.state_changed_at >= ${from} or campaign.state = 'running' or campaign.in_flight > 0)
      )
    )`.execute(db);
  return rows.map((row) => row.workspaceId);
}

/** Returns the number of a message, from its candidate, if it is kept. */
async function numberOf(
  { db, encryption, hash }: Search,
  message: IdentifiableMessage,
  candidate: Candidate,
): Promise<string | undefined> {
  const { workspaceId } = message;
  const numbers =
    candidate.kind === 'operation'
      ? (await readOperationTexts(db, encryption, { workspaceId, ids: [candidate.operation.id] })).get(
          candidate.operation.id,
        )?.to
      : (
          await readChunkContent(
            db,
            encryption,
            { workspaceId, campaign: candidate.campaign },
            candidate.chunk,
          )
        )?.to;
  return numbers?.map(String).find((number) => hash(number) === message.hash);
}
