import type { Kysely, Selectable } from 'kysely';
import { z } from 'zod';
import { mayBeOfRequest } from '../../domain/deliveries/reported-time.ts';
import { readOperationTexts } from '../operations/operation-text.ts';
import type { Schema } from '../schema/schema.ts';
import type { Search } from './candidates.ts';
import type { IdentifiableMessage, NumberOfWorkspace } from './delivery-rows.ts';
import { type ComparableContent, hashContent } from './hash-content.ts';

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

/** Whether the answer to an operation with this number is under way. */
export async function isOperationUnderway(
  db: Kysely<Schema>,
  { workspaceId, hash }: NumberOfWorkspace,
): Promise<boolean> {
  const operation = await db
    .selectFrom('operationNumber')
    .innerJoin('operation', 'operation.id', 'operationNumber.operationId')
    .select('operation.id')
    .where('operationNumber.hash', '=', hash)
    .where('operation.workspaceId', '=', workspaceId)
    .where('operation.state', '=', 'underway')
    .limit(1)
    .executeTakeFirst();
  return operation !== undefined;
}

/**
 * Returns the operations that a message may be of: to its number, about its time, and with its sender and text, or with
 * some that are not kept. The answer to an operation with one recipient names its one message, so where it is known the
 * message is none of its; with more recipients, the provider may have a message for each.
 */
export async function findOperations(
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
