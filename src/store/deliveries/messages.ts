import { type Kysely, type Selectable, sql } from 'kysely';
import { findChunkRecipients } from '../campaigns/recipient-queries.ts';
import { isPostgres } from '../engine/dialect.ts';
import type { HashNumber } from '../engine/encryption/phone-hashes.ts';
import { messageKinds } from '../operations/operation.ts';
import type { Schema } from '../schema/schema.ts';

/** Where something is known from: a report that the provider sent, or its history, which it was asked for. */
export type DeliverySource = 'report' | 'history';

export type DeliveryRow = Selectable<Schema['delivery']>;

/** One as it is reported, before it is counted. */
export type ReportedRow = Omit<DeliveryRow, 'campaign' | 'countedAs' | 'countedCost' | 'countAfter'>;

export type NumberOfWorkspace = Pick<DeliveryRow, 'workspaceId' | 'hash'>;

/** A report with enough detail (content and time) to match it to a request. */
export interface IdentifiableMessage extends DeliveryRow {
  contentHash: string;
  sentAt: Date;
}

/** Returns undefined where something of that is not known. */
export function identify(row: DeliveryRow): IdentifiableMessage | undefined {
  const { contentHash } = row;
  const sentAt = sentAtOf(row);
  return contentHash === undefined || sentAt === undefined ? undefined : { ...row, contentHash, sentAt };
}

/**
 * Returns when the provider says that a message was sent. A later report may name a later time, by which fewer requests could
 * have sent it: the earliest one counts.
 */
export function sentAtOf(row: Pick<DeliveryRow, 'reportedAt' | 'firstReportedAt'>): Date | undefined {
  const sentAt = row.firstReportedAt ?? row.reportedAt;
  return sentAt === 0 ? undefined : new Date(sentAt);
}

/** A message to one number. */
export interface MessageToNumber {
  providerId: string;
  /** Of the number. */
  hash: string;
}

/** Of what a message is. */
interface KnownMessage {
  /** The sequence of the campaign that has its number as an accepted recipient; undefined where none has. */
  campaign: number | undefined;
}

export function messageName({ providerId, hash }: MessageToNumber): string {
  return JSON.stringify([providerId, hash]);
}

/**
 * Returns, by their names, the messages that the answer to a request has named, or that an operation or a recipient of a
 * campaign turned out to be, of any workspace: several may use one account of the provider.
 *
 * @param workspaceId the messages’ own, whose campaigns are returned
 */
export async function findKnownMessages(
  db: Kysely<Schema>,
  workspaceId: string,
  messages: readonly MessageToNumber[],
): Promise<Map<string, KnownMessage>> {
  if (messages.length === 0) {
    return new Map();
  }
  const ids = [...new Set(messages.map(({ providerId }) => providerId))];
  const operations = await db
    .selectFrom('operation')
    .select('providerId')
    .where('providerId', 'in', ids)
    .where('kind', 'in', messageKinds)
    .execute();
  const claims = await db
    .selectFrom('messageClaim')
    .select(['workspaceId', 'providerId', 'hash', 'campaign'])
    .where('providerId', 'in', ids)
    .execute();
  const chunks = await db
    .selectFrom('campaignChunk')
    .innerJoin('campaign', 'campaign.sequence', 'campaignChunk.campaign')
    .select(['campaignChunk.providerId', 'campaignChunk.campaign', 'campaignChunk.number'])
    .select('campaign.workspaceId')
    .where('campaignChunk.providerId', 'in', ids)
    .where('campaignChunk.state', '=', 'accepted')
    .orderBy('campaignChunk.campaign')
    .execute();
  const isOwn = (row: { workspaceId: string }) => row.workspaceId === workspaceId;
  const claimed = new Map(claims.filter(isOwn).map((claim) => [messageName(claim), claim.campaign]));
  const ownChunks = Map.groupBy(chunks.filter(isOwn), ({ providerId }) => providerId);
  // A claim of another workspace has its own hash of the number: all of its messages are taken for claimed.
  const named = new Set(
    [...operations, ...chunks, ...claims.filter((row) => !isOwn(row))].map(({ providerId }) => providerId),
  );
  const isRecipient = await findChunkRecipients(
    db,
    messages.flatMap(({ providerId, hash }) =>
      (ownChunks.get(providerId) ?? []).map(({ campaign, number }) => ({ campaign, chunk: number, hash })),
    ),
  );
  return new Map(
    messages.flatMap((message): [string, KnownMessage][] => {
      const name = messageName(message);
      const ofCampaign = claimed.get(name);
      if (ofCampaign !== undefined) {
        return [[name, { campaign: ofCampaign }]];
      }
      const ownChunk = ownChunks
        .get(message.providerId)
        ?.find(({ campaign, number }) => isRecipient({ campaign, chunk: number, hash: message.hash }));
      return named.has(message.providerId) ? [[name, { campaign: ownChunk?.campaign }]] : [];
    }),
  );
}

/** Returns the names of messages whose id belongs to an operation of the workspace, but whose number doesn't. */
export async function findForeignMessages(
  db: Kysely<Schema>,
  workspaceId: string,
  messages: readonly MessageToNumber[],
): Promise<Set<string>> {
  const rows = await numbersOfOperations(db, workspaceId, messages);
  const hashes = Map.groupBy(rows, (row) => row.providerId);
  const foreign = messages.filter(
    ({ providerId, hash }) => hashes.get(providerId)?.every((own) => own.hash !== hash) ?? false,
  );
  return new Set(foreign.map(messageName));
}

/** Returns the numbers of the operations that sent these messages, according to the provider's answers. */
async function numbersOfOperations(
  db: Kysely<Schema>,
  workspaceId: string,
  messages: readonly MessageToNumber[],
) {
  if (messages.length === 0) {
    return [];
  }
  return db
    .selectFrom('operation')
    .innerJoin('operationNumber', (join) =>
      join
        // Include the time, which the index starts with.
        .onRef('operationNumber.createdAt', '=', 'operation.createdAt')
        .onRef('operationNumber.operationId', '=', 'operation.id'),
    )
    .select(['operation.providerId', 'operationNumber.hash'])
    .where('operation.workspaceId', '=', workspaceId)
    .where('operation.providerId', 'in', [...new Set(messages.map(({ providerId }) => providerId))])
    .where('operation.kind', 'in', messageKinds)
    .execute();
}

/**
 * Returns the messages that this workspace sent: those with an id and a number of one of its operations or
 * campaigns, or from a sender it has used for that number.
 */
export async function findOwnMessages<Message extends MessageToNumber & { sender?: string | undefined }>(
  db: Kysely<Schema>,
  workspaceId: string,
  messages: readonly Message[],
): Promise<Message[]> {
  const rows = await numbersOfOperations(db, workspaceId, messages);
  const known = await findKnownMessages(db, workspaceId, messages);
  const own: Message[] = [];
  for (const message of messages) {
    const isOfOperation = rows.some(
      ({ providerId, hash }) => providerId === message.providerId && hash === message.hash,
    );
    const isOfCampaign = known.get(messageName(message))?.campaign !== undefined;
    if (isOfOperation || isOfCampaign || (await wasSentFrom(db, workspaceId, message))) {
      own.push(message);
    }
  }
  return own;
}

/** Whether this sender has sent anything to the number. */
async function wasSentFrom(
  db: Kysely<Schema>,
  workspaceId: string,
  { hash, sender }: { hash: string; sender?: string | undefined },
): Promise<boolean> {
  const name = sender?.trim().replace(/^\+/, '').toLowerCase();
  if (name === undefined || name === '') {
    return false;
  }
  const summary = isPostgres(db) ? sql`operation.summary::json` : sql`operation.summary`;
  const operation = db
    .selectFrom('operationNumber')
    .innerJoin('operation', 'operation.id', 'operationNumber.operationId')
    .select('operation.id')
    .where('operationNumber.hash', '=', hash)
    .where('operation.workspaceId', '=', workspaceId)
    .where('operation.kind', 'in', messageKinds)
    .where(sql<string>`lower(${summary} ->> 'senderId')`, '=', name);
  const campaign = db
    .selectFrom('campaign')
    .innerJoin('campaignNumber', 'campaignNumber.campaign', 'campaign.sequence')
    .select('campaign.id')
    .where('campaign.workspaceId', '=', workspaceId)
    .where('campaign.state', 'not in', ['reading', 'ready'])
    .where('campaignNumber.hash', '=', hash)
    .where(sql<string>`lower(campaign.sender_id)`, '=', name);
  return [await operation.executeTakeFirst(), await campaign.executeTakeFirst()].some(
    (row) => row !== undefined,
  );
}

/** What a message says, and from whom. */
export interface ComparableContent {
  sender: string;
  text: string;
}

/**
 * Returns what two messages with the same sender and text have in common, so that they can be compared without keeping
 * either: a text may hold a one-time code. How its lines are broken and its spaces counted may change on the way.
 */
export function hashContent(hash: HashNumber, { sender, text }: ComparableContent): string {
  return hash(`content ${JSON.stringify([sender.trim(), text.trim().replaceAll(/\s+/g, ' ')])}`);
}
