import type { Kysely, Selectable } from 'kysely';
import { z } from 'zod';
import { mayBeOfRequest } from '../../domain/deliveries/reported-time.ts';
import { hasOptOutLink, withOptOutToken } from '../../domain/messages/opt-out-link.ts';
import { makeOptOutToken } from '../campaigns/opt-out-tokens.ts';
import { readChunkContent } from '../campaigns/recipient-queries.ts';
import type { StoreContext } from '../context.ts';
import { additionalDataOf } from '../engine/encryption/encrypted-column.ts';
import type { HashNumber } from '../engine/encryption/phone-hashes.ts';
import { readOperationTexts } from '../operations/operation.ts';
import { encryptedColumn, type Schema } from '../schema/schema.ts';
import {
  type ComparableContent,
  hashContent,
  type IdentifiableMessage,
  type NumberOfWorkspace,
} from './messages.ts';

export type Candidate = OperationCandidate | RecipientCandidate;

/** What a search in one workspace works with. */
export interface Search extends StoreContext {
  /** Of the workspace that is searched. */
  hash: HashNumber;
}

const summarySchema = z.object({ senderId: z.string().optional(), recipients: z.number().optional() });

/** An operation that a message may be of. */
export interface OperationCandidate {
  kind: 'operation';
  operation: Selectable<Schema['operation']>;
  recipients: number;
  /** The message that an unclear answer to it names. */
  receiptId: string | undefined;
  isUnconfirmed: boolean;
  beganAt: Date;
  /** What it sent; undefined where that is not kept. */
  content: ComparableContent | undefined;
}

/** Whether an answer is under way that may name a message to this number. */
export async function isAnswerUnderway(db: Kysely<Schema>, number: NumberOfWorkspace): Promise<boolean> {
  const operation = await db
    .selectFrom('operationNumber')
    .innerJoin('operation', 'operation.id', 'operationNumber.operationId')
    .select('operation.id')
    .where('operationNumber.hash', '=', number.hash)
    .where('operation.workspaceId', '=', number.workspaceId)
    .where('operation.state', '=', 'underway')
    .limit(1)
    .executeTakeFirst();
  if (operation !== undefined) {
    return true;
  }
  const chunk = await chunksOf(db, number)
    .where('campaignChunk.state', '=', 'claimed')
    .select('campaignChunk.number')
    .limit(1)
    .executeTakeFirst();
  return chunk !== undefined;
}

/** Returns the operations and recipients that a message may be of. */
export async function findCandidates(search: Search, message: IdentifiableMessage): Promise<Candidate[]> {
  return [...(await findOperations(search, message)), ...(await findRecipients(search, message))];
}

/**
 * Returns the operations that a message may belong to: same number, about the same time, and same sender and text if these
 * are kept. An operation with one recipient and a known message id can't match another message.
 */
async function findOperations(
  { db, encryption, hash }: Search,
  row: IdentifiableMessage,
): Promise<OperationCandidate[]> {
  const rows = await db
    .selectFrom('operationNumber')
    .innerJoin('operation', 'operation.id', 'operationNumber.operationId')
    .selectAll('operation')
    .where('operationNumber.hash', '=', row.hash)
    .where('operation.workspaceId', '=', row.workspaceId)
    .where('operation.state', 'in', ['accepted', 'unconfirmed'])
    .execute();
  const near = rows.filter(({ createdAt }) => mayBeOfRequest(row.sentAt, createdAt));
  const texts = await readOperationTexts(db, encryption, {
    workspaceId: row.workspaceId,
    ids: near.map(({ id }) => id),
  });
  return near.flatMap((operation) => {
    const { senderId, recipients = 1 } = summarySchema.safeParse(operation.summary).data ?? {};
    const text = texts.get(operation.id)?.text;
    const content = senderId === undefined || text === undefined ? undefined : { sender: senderId, text };
    // What it was resolved by names all its messages.
    const isSettled =
      operation.state === 'accepted' && (recipients === 1 || operation.resolvedFrom !== undefined);
    return isSettled || (content !== undefined && hashContent(hash, content) !== row.contentHash)
      ? []
      : [
          {
            kind: 'operation' as const,
            operation,
            recipients,
            receiptId: operation.receiptId,
            isUnconfirmed: operation.state === 'unconfirmed',
            beganAt: operation.createdAt,
            content,
          },
        ];
  });
}

const textColumn = encryptedColumn('campaign', 'text');

/** A recipient of a campaign that a message may be of. */
export interface RecipientCandidate {
  kind: 'recipient';
  /** The sequence of the campaign. */
  campaign: number;
  chunk: number;
  /** Of the chunk. */
  recipients: number;
  /** The message that an unclear answer to the chunk names. */
  receiptId: string | undefined;
  isUnconfirmed: boolean;
  /** When its request began. */
  beganAt: Date;
  /** What it was sent; undefined where that is not kept. */
  content: ComparableContent | undefined;
}

/**
 * Returns the campaign recipients that a message may belong to: same number, about the same time, same sender and personal
 * text. A recipient already matched to another message is left out. A chunk's answer names one message: unless the provider
 * reports by that id, it may have others for the other recipients.
 */
async function findRecipients(search: Search, row: IdentifiableMessage): Promise<RecipientCandidate[]> {
  const rows = await readRecipients(search.db, row);
  const candidates: RecipientCandidate[] = [];
  for (const found of rows) {
    const isNear = mayBeOfRequest(row.sentAt, found.claimedAt);
    const content = isNear ? await contentOf(search, found) : undefined;
    if (isNear && (content === undefined || hashContent(search.hash, content) === row.contentHash)) {
      candidates.push({
        kind: 'recipient',
        campaign: found.sequence,
        chunk: found.number,
        recipients: found.recipients,
        receiptId: found.receiptId,
        isUnconfirmed: found.state === 'unconfirmed',
        beganAt: found.claimedAt,
        content,
      });
    }
  }
  return candidates;
}

type FoundRecipient = Awaited<ReturnType<typeof readRecipients>>[number];

function readRecipients(db: Kysely<Schema>, row: IdentifiableMessage) {
  return chunksOf(db, row)
    .where((eb) =>
      eb.or([
        eb('campaignChunk.state', '=', 'unconfirmed'),
        eb.and([
          eb('campaignChunk.state', '=', 'accepted'),
          eb('campaignChunk.recipients', '>', 1),
          eb.not(
            eb.exists(
              eb
                .selectFrom('delivery')
                .select('delivery.hash')
                .where('delivery.workspaceId', '=', row.workspaceId)
                .whereRef('delivery.providerId', '=', 'campaignChunk.providerId')
                .where('delivery.hash', '=', row.hash),
            ),
          ),
        ]),
      ]),
    )
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('messageClaim')
            .select('messageClaim.hash')
            .whereRef('messageClaim.campaign', '=', 'campaignChunk.campaign')
            .whereRef('messageClaim.chunk', '=', 'campaignChunk.number')
            .where('messageClaim.hash', '=', row.hash),
        ),
      ),
    )
    .select([
      'campaign.sequence',
      'campaign.id',
      'campaign.workspaceId',
      'campaign.senderId',
      'campaign.personal',
      'campaign.text',
      'campaignChunk.number',
      'campaignChunk.recipients',
      'campaignChunk.receiptId',
      'campaignChunk.state',
      'campaignChunk.claimedAt',
    ])
    .where('campaignChunk.claimedAt', 'is not', null)
    .$narrowType<{ claimedAt: Date }>()
    .execute();
}

/** Returns the numbers that a campaign which still lacks answers was or is being sent to. Others need no search. */
export async function numbersOfCampaigns(
  db: Kysely<Schema>,
  workspaceId: string,
  hashes: readonly string[],
): Promise<Set<string>> {
  if (hashes.length === 0) {
    return new Set();
  }
  const rows = await db
    .selectFrom('campaignNumber')
    .innerJoin('campaign', 'campaign.sequence', 'campaignNumber.campaign')
    .select('campaignNumber.hash')
    .distinct()
    .where('campaign.workspaceId', '=', workspaceId)
    .where((eb) => eb.or([eb('campaign.unconfirmed', '>', 0), eb('campaign.inFlight', '>', 0)]))
    .where('campaign.text', 'is not', null)
    .where('campaignNumber.hash', 'in', hashes)
    .execute();
  return new Set(rows.map(({ hash }) => hash));
}

function chunksOf(db: Kysely<Schema>, { workspaceId, hash }: NumberOfWorkspace) {
  return db
    .selectFrom('campaignNumber')
    .innerJoin('campaign', 'campaign.sequence', 'campaignNumber.campaign')
    .innerJoin('campaignChunk', (join) =>
      join
        .onRef('campaignChunk.campaign', '=', 'campaignNumber.campaign')
        .onRef('campaignChunk.number', '=', 'campaignNumber.chunk'),
    )
    .where('campaignNumber.hash', '=', hash)
    .where('campaign.workspaceId', '=', workspaceId)
    .where('campaign.id', 'is not', null);
}

/** Returns undefined where the text is not kept. */
async function contentOf(
  { db, encryption, hash }: Search,
  found: FoundRecipient,
): Promise<ComparableContent | undefined> {
  const { sequence: campaign, id, workspaceId, text, number: chunk } = found;
  if (id === undefined || text === undefined) {
    return undefined;
  }
  const sender = found.senderId;
  const content = found.personal
    ? await readChunkContent(db, encryption, { workspaceId, campaign }, chunk)
    : undefined;
  if (content?.text === undefined) {
    // A personal campaign's own text has columns in it.
    return found.personal
      ? undefined
      : { sender, text: encryption.decrypt(text, additionalDataOf(textColumn, { workspaceId, id })) };
  }
  const [number] = content.to;
  if (!hasOptOutLink(content.text)) {
    return { sender, text: content.text };
  }
  if (number === undefined) {
    return undefined;
  }
  const token = makeOptOutToken(hash, { campaign, id }, { chunk, number });
  return { sender, text: withOptOutToken(content.text, token) };
}
