import type { Kysely } from 'kysely';
import { z } from 'zod';
import { mayBeOfRequest } from '../../domain/messages/reported-time.ts';
import type { Encryption } from '../encryption/cipher.ts';
import type { HashNumber } from '../encryption/phone-hashes.ts';
import type { OperationRow } from '../operations/operation-row.ts';
import { readOperationTexts } from '../operations/operation-text.ts';
import type { Schema } from '../schema.ts';
import type { DeliveryRow } from './delivery-rows.ts';
import { hashContent } from './hash-content.ts';
import { knownProviderIds } from './known-messages.ts';

const summarySchema = z.object({ senderId: z.string().optional(), recipients: z.number().optional() });

/** An operation that a message may be of. */
export interface Candidate {
  operation: OperationRow;
  senderId: string | undefined;
  /** Whether its sender and text are those of the message; false where they are not kept. */
  isSameContent: boolean;
}

interface Search {
  db: Kysely<Schema>;
  encryption: Encryption;
  hash: HashNumber;
}

/** Whether an answer is under way that may name a message to this number. */
export async function isAnswerUnderway(
  db: Kysely<Schema>,
  { workspace_id, hash }: DeliveryRow,
): Promise<boolean> {
  const operation = await db
    .selectFrom('operation_number')
    .innerJoin('operation', 'operation.id', 'operation_number.operation_id')
    .select('operation.id')
    .where('operation_number.hash', '=', hash)
    .where('operation.workspace_id', '=', workspace_id)
    .where('operation.state', '=', 'underway')
    .limit(1)
    .executeTakeFirst();
  const chunk = await chunksOf(db, { workspace_id, hash })
    .where('campaign_chunk.state', '=', 'claimed')
    .limit(1)
    .executeTakeFirst();
  return operation !== undefined || chunk !== undefined;
}

/**
 * Returns the operations that a message may be of: to its number, about its time, and with its sender and text, or with
 * some that are not kept. The answer to an operation with one recipient names its one message, so where it is known the
 * message is none of its; with more recipients, the provider may have a message for each.
 */
export async function findCandidates(
  { db, encryption, hash }: Search,
  row: DeliveryRow & { content: string },
): Promise<Candidate[]> {
  const rows = await db
    .selectFrom('operation_number')
    .innerJoin('operation', 'operation.id', 'operation_number.operation_id')
    .selectAll('operation')
    .where('operation_number.hash', '=', row.hash)
    .where('operation.workspace_id', '=', row.workspace_id)
    .where('operation.state', 'in', ['accepted', 'unconfirmed'])
    .execute();
  const near = rows.filter(({ created_at }) =>
    mayBeOfRequest(new Date(row.reported_at), new Date(created_at)),
  );
  const texts = await readOperationTexts(db, encryption, {
    workspaceId: row.workspace_id,
    ids: near.map(({ id }) => id),
  });
  return near.flatMap((operation) => {
    const summary: unknown = JSON.parse(operation.summary);
    const { senderId, recipients = 1 } = summarySchema.safeParse(summary).data ?? {};
    const text = texts.get(operation.id)?.text;
    const content =
      senderId === undefined || text === undefined
        ? undefined
        : hashContent(hash, { sender: senderId, text });
    const isSettled = operation.state === 'accepted' && recipients === 1;
    return isSettled || (content !== undefined && content !== row.content)
      ? []
      : [{ operation, senderId, isSameContent: content === row.content }];
  });
}

/** Whether the provider has another message that may be of the same operation. */
export async function hasOtherMessage(
  db: Kysely<Schema>,
  row: DeliveryRow & { content: string },
  { created_at }: OperationRow,
): Promise<boolean> {
  const rows = await db
    .selectFrom('delivery')
    .select(['provider_id', 'reported_at'])
    .where('workspace_id', '=', row.workspace_id)
    .where('hash', '=', row.hash)
    .where('content', '=', row.content)
    .where('provider_id', '<>', row.provider_id)
    .execute();
  const near = rows.filter(
    // One without a time may be of any.
    ({ reported_at }) => reported_at === 0 || mayBeOfRequest(new Date(reported_at), new Date(created_at)),
  );
  const ids = near.map(({ provider_id }) => provider_id);
  const known = await knownProviderIds(db, row.workspace_id, ids);
  return ids.some((id) => !known.has(id));
}

/** Whether a campaign may have sent the number a message of its own, from the same sender. */
export async function mayBeOfCampaign(
  db: Kysely<Schema>,
  row: DeliveryRow,
  senderId: string | undefined,
): Promise<boolean> {
  const chunks = await chunksOf(db, row)
    .where((eb) =>
      eb.or([
        eb('campaign_chunk.state', '=', 'unconfirmed'),
        eb.and([eb('campaign_chunk.state', '=', 'accepted'), eb('campaign_chunk.recipients', '>', 1)]),
      ]),
    )
    .execute();
  return chunks.some(({ sender_id }) => senderId === undefined || sender_id === senderId);
}

function chunksOf(db: Kysely<Schema>, { workspace_id, hash }: Pick<DeliveryRow, 'workspace_id' | 'hash'>) {
  return db
    .selectFrom('campaign_number')
    .innerJoin('campaign', 'campaign.sequence', 'campaign_number.campaign')
    .innerJoin('campaign_chunk', (join) =>
      join
        .onRef('campaign_chunk.campaign', '=', 'campaign_number.campaign')
        .onRef('campaign_chunk.number', '=', 'campaign_number.chunk'),
    )
    .select('campaign.sender_id')
    .where('campaign_number.hash', '=', hash)
    .where('campaign.workspace_id', '=', workspace_id);
}
