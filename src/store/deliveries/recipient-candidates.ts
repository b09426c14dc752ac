import type { Kysely } from 'kysely';
import { mayBeOfRequest } from '../../domain/deliveries/reported-time.ts';
import { hasOptOutLink, withOptOutToken } from '../../domain/messages/opt-out-link.ts';
import { makeOptOutToken } from '../campaigns/opt-out-tokens.ts';
import { readChunkContent } from '../campaigns/recipient-queries.ts';
import { additionalDataOf } from '../encryption/encrypted-column.ts';
import type { Schema } from '../schema/schema.ts';
import { encryptedColumn } from '../schema/schema.ts';
import type { Search } from './candidates.ts';
import type { IdentifiableMessage, NumberOfWorkspace } from './delivery-rows.ts';
import { type ComparableContent, hashContent } from './hash-content.ts';

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
 * Returns the recipients of campaigns that a message may be of: with its number, about its time, and with its sender and
 * text as it was sent to them. One that another message turned out to be of has none left. The answer to a chunk with
 * several recipients names one message: the provider may have others for them, unless it reports by that name.
 */
export async function findRecipients(
  search: Search,
  row: IdentifiableMessage,
): Promise<RecipientCandidate[]> {
  const { db } = search;
  const rows = await chunksOf(db, row)
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

/** Whether the answer to a chunk with this number is under way. */
export async function isChunkUnderway(db: Kysely<Schema>, row: NumberOfWorkspace): Promise<boolean> {
  const chunk = await chunksOf(db, row)
    .where('campaignChunk.state', '=', 'claimed')
    .select('campaignChunk.number')
    .limit(1)
    .executeTakeFirst();
  return chunk !== undefined;
}

/**
 * Returns those of the numbers that a campaign without all its answers has sent to, or sends to now. Others need not be
 * looked for one by one.
 */
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

/** Returns undefined where what was sent is not kept. */
async function contentOf(
  { db, encryption, hash }: Search,
  found: {
    sequence: number;
    id: string | undefined;
    workspaceId: string;
    senderId: string;
    personal: boolean;
    text: string | undefined;
    number: number;
  },
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
