import type { Kysely, Selectable } from 'kysely';
import { z } from 'zod';
import { mayBeOfRequest } from '../../domain/deliveries/reported-time.ts';
import { readOperationTexts } from '../operations/operation-text.ts';
import { type Schema, typed } from '../schema.ts';
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
  receiptId: string | null;
  isUnconfirmed: boolean;
  beganAt: number;
  /** What it sent; undefined where that is not kept. */
  content: ComparableContent | undefined;
}

/** Whether the answer to an operation with this number is under way. */
export async function isOperationUnderway(
  db: Kysely<Schema>,
  { workspace_id, hash }: NumberOfWorkspace,
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
    .selectFrom('operation_number')
    .innerJoin('operation', 'operation.id', 'operation_number.operation_id')
    .selectAll('operation')
    .where('operation_number.hash', '=', row.hash)
    .where('operation.workspace_id', '=', row.workspace_id)
    .where('operation.state', 'in', ['accepted', 'unconfirmed'])
    .execute();
  const near = rows.filter(({ created_at }) => mayBeOfRequest(row.sentAt, new Date(created_at)));
  const texts = await readOperationTexts(typed(db), encryption, {
    workspaceId: row.workspace_id,
    ids: near.map(({ id }) => id),
  });
  return near.flatMap((operation) => {
    const summary: unknown = JSON.parse(operation.summary);
    const { senderId, recipients = 1 } = summarySchema.safeParse(summary).data ?? {};
    const text = texts.get(operation.id)?.text;
    const content = senderId === undefined || text === undefined ? undefined : { sender: senderId, text };
    // What it was resolved by names all its messages.
    const isSettled =
      operation.state === 'accepted' && (recipients === 1 || operation.resolved_from !== null);
    return isSettled || (content !== undefined && hashContent(hash, content) !== row.content_hash)
      ? []
      : [
          {
            kind: 'operation' as const,
            operation,
            recipients,
            receiptId: operation.receipt_id,
            isUnconfirmed: operation.state === 'unconfirmed',
            beganAt: operation.created_at,
            content,
          },
        ];
  });
}
