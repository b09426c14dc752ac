import type { Kysely, NotNull } from 'kysely';
import { mayBeOfRequest } from '../../domain/deliveries/reported-time.ts';
import { hasOptOutLink, withOptOutToken } from '../../domain/messages/opt-out-link.ts';
import { makeOptOutToken } from '../campaigns/opt-out-tokens.ts';
import { readChunkContent } from '../campaigns/recipient-queries.ts';
import { additionalDataOf } from '../encryption/encrypted-column.ts';
import { encryptedColumn } from '../schema/schema.ts';
import { type Schema, typed } from '../schema.ts';
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
  receiptId: string | null;
  isUnconfirmed: boolean;
  /** When its request began, in milliseconds since 1970. */
  beganAt: number;
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
        eb('campaign_chunk.state', '=', 'unconfirmed'),
        eb.and([
          eb('campaign_chunk.state', '=', 'accepted'),
          eb('campaign_chunk.recipients', '>', 1),
          eb.not(
            eb.exists(
              eb
                .selectFrom('delivery')
                .select('delivery.hash')
                .where('delivery.workspace_id', '=', row.workspace_id)
                .whereRef('delivery.provider_id', '=', 'campaign_chunk.provider_id')
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
            .selectFrom('message_claim')
            .select('message_claim.hash')
            .whereRef('message_claim.campaign', '=', 'campaign_chunk.campaign')
            .whereRef('message_claim.chunk', '=', 'campaign_chunk.number')
            .where('message_claim.hash', '=', row.hash),
        ),
      ),
    )
    .select([
      'campaign.sequence',
      'campaign.id',
      'campaign.workspace_id',
      'campaign.sender_id',
      'campaign.personal',
      'campaign.text',
      'campaign_chunk.number',
      'campaign_chunk.recipients',
      'campaign_chunk.receipt_id',
      'campaign_chunk.state',
      'campaign_chunk.claimed_at',
    ])
    .where('campaign_chunk.claimed_at', 'is not', null)
    .$narrowType<{ claimed_at: NotNull }>()
    .execute();
  const candidates: RecipientCandidate[] = [];
  for (const found of rows) {
    const isNear = mayBeOfRequest(row.sentAt, new Date(found.claimed_at));
    const content = isNear ? await contentOf(search, found) : undefined;
    if (isNear && (content === undefined || hashContent(search.hash, content) === row.content_hash)) {
      candidates.push({
        kind: 'recipient',
        campaign: found.sequence,
        chunk: found.number,
        recipients: found.recipients,
        receiptId: found.receipt_id,
        isUnconfirmed: found.state === 'unconfirmed',
        beganAt: found.claimed_at,
        content,
      });
    }
  }
  return candidates;
}

/** Whether the answer to a chunk with this number is under way. */
export async function isChunkUnderway(db: Kysely<Schema>, row: NumberOfWorkspace): Promise<boolean> {
  const chunk = await chunksOf(db, row)
    .where('campaign_chunk.state', '=', 'claimed')
    .select('campaign_chunk.number')
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
    .selectFrom('campaign_number')
    .innerJoin('campaign', 'campaign.sequence', 'campaign_number.campaign')
    .select('campaign_number.hash')
    .distinct()
    .where('campaign.workspace_id', '=', workspaceId)
    .where((eb) => eb.or([eb('campaign.unconfirmed', '>', 0), eb('campaign.in_flight', '>', 0)]))
    .where('campaign.text', 'is not', null)
    .where('campaign_number.hash', 'in', hashes)
    .execute();
  return new Set(rows.map(({ hash }) => hash));
}

function chunksOf(db: Kysely<Schema>, { workspace_id, hash }: NumberOfWorkspace) {
  return db
    .selectFrom('campaign_number')
    .innerJoin('campaign', 'campaign.sequence', 'campaign_number.campaign')
    .innerJoin('campaign_chunk', (join) =>
      join
        .onRef('campaign_chunk.campaign', '=', 'campaign_number.campaign')
        .onRef('campaign_chunk.number', '=', 'campaign_number.chunk'),
    )
    .where('campaign_number.hash', '=', hash)
    .where('campaign.workspace_id', '=', workspace_id)
    .where('campaign.id', 'is not', null);
}

/** Returns undefined where what was sent is not kept. */
async function contentOf(
  { db, encryption, hash }: Search,
  found: {
    sequence: number;
    id: string | null;
    workspace_id: string;
    sender_id: string;
    personal: 0 | 1;
    text: string | null;
    number: number;
  },
): Promise<ComparableContent | undefined> {
  const { sequence: campaign, id, workspace_id: workspaceId, text, number: chunk } = found;
  if (id === null || text === null) {
    return undefined;
  }
  const sender = found.sender_id;
  const content =
    found.personal === 1
      ? await readChunkContent(typed(db), encryption, { workspaceId, campaign }, chunk)
      : undefined;
  if (content?.text === undefined) {
    // A personal campaign's own text has columns in it.
    return found.personal === 1
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
