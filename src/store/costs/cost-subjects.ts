import { type Selectable, sql, type Transaction } from 'kysely';
import { z } from 'zod';
import { findChunkRecipients } from '../campaigns/recipient-queries.ts';
import { messageKinds } from '../operations/operation.ts';
import { isOneOf } from '../row-list.ts';
import type { CostSubject } from '../schema/deliveries.ts';
import { type Schema, typed } from '../schema.ts';
import { noSenderId } from './cost-tables.ts';

/** What a message was sent by. */
export interface MessageSubject {
  subject: CostSubject;
  id: string;
  userId: string;
  /** See `noSenderId`. */
  senderId: string;
  /** In milliseconds since 1970. */
  begunAt: number;
  /** Pages of the message to one number; 0 where they are not known. */
  pagesEach: number;
}

const summarySchema = z.object({ senderId: z.string().optional(), recipients: z.number().optional() });

interface SentMessage {
  provider_id: string;
  /** Of the number. */
  hash: string;
}

/**
 * Returns a function that returns what sent a message: what an answer has named, or reports have shown, if the number is one
 * that it was sent to. An erased person’s number is none any more, so a repeated report of it does not count twice.
 */
export async function findSubjects(
  transaction: Transaction<Schema>,
  workspaceId: string,
  messages: readonly SentMessage[],
): Promise<(message: SentMessage) => MessageSubject | undefined> {
  const ids = [...new Set(messages.map(({ provider_id }) => provider_id))];
  const claimed = [
    ...(await ofResolvedRecipients(transaction, workspaceId, ids)),
    ...(await ofResolvedOperations(transaction, workspaceId, ids)),
  ];
  const ofClaims = new Map(
    claimed.map(({ provider_id, hash, ...row }) => [nameOf([provider_id, hash]), row]),
  );
  const chunks = Map.groupBy(await ofChunks(transaction, workspaceId, ids), (row) => row.provider_id);
  const isRecipient = await findChunkRecipients(
    typed(transaction),
    messages.flatMap(({ provider_id, hash }) =>
      (chunks.get(provider_id) ?? []).map(({ campaign, chunk }) => ({ campaign, chunk, hash })),
    ),
  );
  const operations = Map.groupBy(await ofOperations(transaction, workspaceId, ids), (row) => row.provider_id);
  const isNumberOf = await findNumbersOfOperations(
    transaction,
    messages.flatMap(({ provider_id, hash }) =>
      (operations.get(provider_id) ?? []).map(({ operation }) => ({ operation, hash })),
    ),
  );
  return ({ provider_id, hash }) => {
    const found =
      ofClaims.get(nameOf([provider_id, hash])) ??
      operations.get(provider_id)?.find(({ operation }) => isNumberOf({ operation, hash })) ??
      chunks.get(provider_id)?.find(({ campaign, chunk }) => isRecipient({ campaign, chunk, hash }));
    return found?.subject;
  };
}

function nameOf(names: readonly string[]): string {
  return JSON.stringify(names);
}

/** Of chunks whose answer has named a message. */
async function ofChunks(
  transaction: Transaction<Schema>,
  workspaceId: string,
  providerIds: readonly string[],
) {
  const rows = await chunksOfCampaigns(transaction, workspaceId)
    .select(['campaign_chunk.campaign', 'campaign_chunk.number', 'campaign_chunk.provider_id'])
    .where('campaign_chunk.provider_id', 'in', providerIds)
    .execute();
  return rows.flatMap((row) =>
    inCampaign(row).map((subject) => ({
      provider_id: row.provider_id,
      campaign: row.campaign,
      chunk: row.number,
      subject,
    })),
  );
}

/** Of recipients whose answer was lost, and whose message is known from reports. */
async function ofResolvedRecipients(
  transaction: Transaction<Schema>,
  workspaceId: string,
  providerIds: readonly string[],
) {
  const rows = await chunksOfCampaigns(transaction, workspaceId)
    .innerJoin('message_claim', (join) =>
      join
        .onRef('message_claim.campaign', '=', 'campaign_chunk.campaign')
        .onRef('message_claim.chunk', '=', 'campaign_chunk.number'),
    )
    .select(['message_claim.provider_id', 'message_claim.hash'])
    .where('message_claim.workspace_id', '=', workspaceId)
    .where('message_claim.provider_id', 'in', providerIds)
    .execute();
  return rows.flatMap((row) =>
    inCampaign(row).map((subject) => ({ provider_id: row.provider_id, hash: row.hash, subject })),
  );
}

function chunksOfCampaigns(transaction: Transaction<Schema>, workspaceId: string) {
  return transaction
    .selectFrom('campaign_chunk')
    .innerJoin('campaign', 'campaign.sequence', 'campaign_chunk.campaign')
    .select(['campaign_chunk.recipients', 'campaign_chunk.pages', 'campaign.id', 'campaign.created_by'])
    .select(['campaign.sender_id', 'campaign.started_at', 'campaign.created_at'])
    .where('campaign.workspace_id', '=', workspaceId);
}

/** Nothing of a campaign that is discarded. */
function inCampaign(row: {
  id: string | null;
  created_by: string;
  sender_id: string;
  started_at: number | null;
  created_at: number;
  recipients: number;
  pages: number;
}): MessageSubject[] {
  const { id, created_by, sender_id, started_at, created_at, recipients, pages } = row;
  return id === null
    ? []
    : [
        {
          subject: 'campaign',
          id,
          userId: created_by,
          senderId: sender_id,
          begunAt: started_at ?? created_at,
          pagesEach: recipients === 0 ? 0 : Math.round(pages / recipients),
        },
      ];
}

/** Of operations that an answer has named a message of, or that turned out to have one. */
async function ofOperations(
  transaction: Transaction<Schema>,
  workspaceId: string,
  providerIds: readonly string[],
) {
  const rows = await transaction
    .selectFrom('operation')
    .select(['id', 'provider_id', 'key', 'user_id', 'summary', 'pages', 'created_at'])
    .where('workspace_id', '=', workspaceId)
    .where('provider_id', 'in', providerIds)
    .where('kind', 'in', messageKinds)
    .execute();
  return rows.map((row) => ({
    provider_id: row.provider_id,
    operation: row.id,
    subject: subjectOfOperation(row),
  }));
}

/** Of operations to several numbers whose answer was lost, each of which has a message of its own. */
async function ofResolvedOperations(
  transaction: Transaction<Schema>,
  workspaceId: string,
  providerIds: readonly string[],
) {
  const rows = await transaction
    .selectFrom('message_claim')
    .innerJoin('operation', 'operation.id', 'message_claim.operation_id')
    .select(['message_claim.provider_id', 'message_claim.hash'])
    .select(['operation.key', 'operation.user_id', 'operation.summary'])
    .select(['operation.pages', 'operation.created_at'])
    .where('message_claim.workspace_id', '=', workspaceId)
    .where('message_claim.provider_id', 'in', providerIds)
    .execute();
  return rows.map((row) => ({
    provider_id: row.provider_id,
    hash: row.hash,
    subject: subjectOfOperation(row),
  }));
}

function subjectOfOperation(
  row: Pick<Selectable<Schema['operation']>, 'key' | 'user_id' | 'summary' | 'pages' | 'created_at'>,
): MessageSubject {
  const summary: unknown = JSON.parse(row.summary);
  const { senderId = '', recipients = 1 } = summarySchema.safeParse(summary).data ?? {};
  return {
    subject: 'operation',
    id: row.key,
    userId: row.user_id,
    senderId: senderId === '' ? noSenderId : senderId,
    begunAt: row.created_at,
    pagesEach: row.pages === null || recipients === 0 ? 0 : Math.round(row.pages / recipients),
  };
}

interface NumberOfOperation {
  operation: string;
  hash: string;
}

/** Returns a function that says of each of these whether the operation goes to the number. */
async function findNumbersOfOperations(
  transaction: Transaction<Schema>,
  asked: readonly NumberOfOperation[],
): Promise<(number: NumberOfOperation) => boolean> {
  if (asked.length === 0) {
    return () => false;
  }
  const rows = await transaction
    .selectFrom('operation_number')
    .select(['operation_id as operation', 'hash'])
    .where(
      isOneOf(
        transaction,
        [sql.ref('hash'), sql.ref('operation_id')],
        asked.map(({ operation, hash }) => [hash, operation]),
      ),
    )
    .execute();
  const found = new Set(rows.map(({ operation, hash }) => nameOf([operation, hash])));
  return ({ operation, hash }) => found.has(nameOf([operation, hash]));
}
