import { sql, type Transaction } from 'kysely';
import { z } from 'zod';
import { findChunkRecipients } from '../../campaigns/recipient-queries.ts';
import { isOneOf } from '../../engine/dialect.ts';
import { messageKinds } from '../../operations/operation.ts';
import type { CostSubject } from '../../schema/deliveries.ts';
import type { Row, Schema } from '../../schema/schema.ts';

/** The sender of a message without one, such as a call that reads a code out. No sender has this name. */
export const noSenderId = '-';

/** What a message was sent by. */
export interface MessageSubject {
  subject: CostSubject;
  subjectId: string;
  userId: string;
  /** See `noSenderId`. */
  senderId: string;
  begunAt: Date;
  /** Pages of the message to one number; 0 where they are not known. */
  pagesEach: number;
}

const summarySchema = z.object({ senderId: z.string().optional(), recipients: z.number().optional() });

type MessageKey = Pick<Row<'delivery'>, 'providerId' | 'hash'>;

const nameOf = ({ providerId, hash }: MessageKey) => JSON.stringify([providerId, hash]);

/**
 * Returns a lookup of what sent a message to a number, as named by an answer or found by reports. An erased number is
 * skipped, so a repeated report isn't counted twice.
 */
export async function findSubjects(
  transaction: Transaction<Schema>,
  workspaceId: string,
  messages: readonly MessageKey[],
): Promise<(message: MessageKey) => MessageSubject | undefined> {
  const ids = [...new Set(messages.map(({ providerId }) => providerId))];
  // Of recipients whose answer was lost, and whose message is known from reports.
  const resolvedRecipients = await chunksOfCampaigns(transaction, workspaceId)
    .innerJoin('messageClaim', (join) =>
      join
        .onRef('messageClaim.campaign', '=', 'campaignChunk.campaign')
        .onRef('messageClaim.chunk', '=', 'campaignChunk.number'),
    )
    .select(['messageClaim.providerId', 'messageClaim.hash'])
    .where('messageClaim.workspaceId', '=', workspaceId)
    .where('messageClaim.providerId', 'in', ids)
    .execute();
  // Operations to several numbers whose answer was lost: each number has its own message.
  const resolvedOperations = await transaction
    .selectFrom('messageClaim')
    .innerJoin('operation', 'operation.id', 'messageClaim.operationId')
    .select(['messageClaim.providerId', 'messageClaim.hash'])
    .select(['operation.key', 'operation.userId', 'operation.summary'])
    .select(['operation.pages', 'operation.createdAt'])
    .where('messageClaim.workspaceId', '=', workspaceId)
    .where('messageClaim.providerId', 'in', ids)
    .execute();
  const resolved = new Map([
    ...resolvedRecipients.map((row) => [nameOf(row), subjectOfChunk(row)] as const),
    ...resolvedOperations.map((row) => [nameOf(row), subjectOfOperation(row)] as const),
  ]);
  const namedChunks = await chunksOfCampaigns(transaction, workspaceId)
    .select(['campaignChunk.campaign', 'campaignChunk.number as chunk', 'campaignChunk.providerId'])
    .where('campaignChunk.providerId', 'in', ids)
    .execute();
  const chunks = Map.groupBy(namedChunks, (row) => row.providerId);
  const isRecipient = await findChunkRecipients(
    transaction,
    messages.flatMap(({ providerId, hash }) =>
      (chunks.get(providerId) ?? []).map(({ campaign, chunk }) => ({ campaign, chunk, hash })),
    ),
  );
  // Of operations that an answer has named a message of, or that turned out to have one.
  const namedOperations = await transaction
    .selectFrom('operation')
    .select(['id as operation', 'providerId', 'key', 'userId', 'summary', 'pages', 'createdAt'])
    .where('workspaceId', '=', workspaceId)
    .where('providerId', 'in', ids)
    .where('kind', 'in', messageKinds)
    .execute();
  const operations = Map.groupBy(namedOperations, (row) => row.providerId);
  const isNumberOf = await findNumbersOfOperations(
    transaction,
    messages.flatMap(({ providerId, hash }) =>
      (operations.get(providerId) ?? []).map(({ operation }) => ({ operation, hash })),
    ),
  );
  return (message) => {
    const { providerId, hash } = message;
    const known = resolved.get(nameOf(message));
    if (known !== undefined) {
      return known;
    }
    const operation = operations
      .get(providerId)
      ?.find((row) => isNumberOf({ operation: row.operation, hash }));
    if (operation !== undefined) {
      return subjectOfOperation(operation);
    }
    const chunk = chunks
      .get(providerId)
      ?.find((row) => isRecipient({ campaign: row.campaign, chunk: row.chunk, hash }));
    return chunk && subjectOfChunk(chunk);
  };
}

/** Nothing of a campaign that is discarded. */
function chunksOfCampaigns(transaction: Transaction<Schema>, workspaceId: string) {
  return transaction
    .selectFrom('campaignChunk')
    .innerJoin('campaign', 'campaign.sequence', 'campaignChunk.campaign')
    .select(['campaignChunk.recipients', 'campaignChunk.pages', 'campaign.id', 'campaign.createdBy'])
    .select(['campaign.senderId', 'campaign.startedAt', 'campaign.createdAt'])
    .where('campaign.workspaceId', '=', workspaceId)
    .where('campaign.id', 'is not', null)
    .$narrowType<{ id: string }>();
}

function subjectOfChunk(
  row: Pick<Row<'campaign'>, 'createdBy' | 'senderId' | 'startedAt' | 'createdAt'> &
    Pick<Row<'campaignChunk'>, 'recipients' | 'pages'> & { id: string },
): MessageSubject {
  const { id, createdBy, senderId, startedAt, createdAt, recipients, pages } = row;
  return {
    subject: 'campaign',
    subjectId: id,
    userId: createdBy,
    senderId,
    begunAt: startedAt ?? createdAt,
    pagesEach: recipients === 0 ? 0 : Math.round(pages / recipients),
  };
}

function subjectOfOperation(
  row: Pick<Row<'operation'>, 'key' | 'userId' | 'summary' | 'pages' | 'createdAt'>,
): MessageSubject {
  const { senderId = '', recipients = 1 } = summarySchema.safeParse(row.summary).data ?? {};
  return {
    subject: 'operation',
    subjectId: row.key,
    userId: row.userId,
    senderId: senderId === '' ? noSenderId : senderId,
    begunAt: row.createdAt,
    pagesEach: row.pages === undefined || recipients === 0 ? 0 : Math.round(row.pages / recipients),
  };
}

interface NumberOfOperation {
  operation: string;
  hash: string;
}

/** Returns a lookup of whether an operation went to a number. */
async function findNumbersOfOperations(
  transaction: Transaction<Schema>,
  asked: readonly NumberOfOperation[],
): Promise<(number: NumberOfOperation) => boolean> {
  if (asked.length === 0) {
    return () => false;
  }
  const rows = await transaction
    .selectFrom('operationNumber')
    .select(['operationId as operation', 'hash'])
    .where(
      isOneOf(
        transaction,
        [sql.ref('hash'), sql.ref('operationId')],
        asked.map(({ operation, hash }) => [hash, operation]),
      ),
    )
    .execute();
  const numberName = ({ operation, hash }: NumberOfOperation) => JSON.stringify([operation, hash]);
  const found = new Set(rows.map(numberName));
  return (number) => found.has(numberName(number));
}
