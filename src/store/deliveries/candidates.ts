import type { Kysely } from 'kysely';
import { z } from 'zod';
import { earliestRequestOf, mayBeOfRequest } from '../../domain/deliveries/reported-time.ts';
import type { Encryption } from '../encryption/cipher.ts';
import type { HashNumber } from '../encryption/phone-hashes.ts';
import type { OperationRow } from '../operations/operation-row.ts';
import { readOperationTexts } from '../operations/operation-text.ts';
import type { Schema } from '../schema.ts';
import { type DeliveryRow, type IdentifiableMessage, sentAtOf } from './delivery-rows.ts';
import { hashContent } from './hash-content.ts';
import { findKnownMessages, messageName } from './known-messages.ts';
import { findRecipients, isChunkUnderway, type RecipientCandidate } from './recipient-candidates.ts';

const summarySchema = z.object({ senderId: z.string().optional(), recipients: z.number().optional() });

/** An operation that a message may be of. */
export interface OperationCandidate {
  kind: 'operation';
  operation: OperationRow;
  recipients: number;
  isUnconfirmed: boolean;
  beganAt: number;
  /** Whether its sender and text are those of the message; false where they are not kept. */
  isSameContent: boolean;
}

export type Candidate = OperationCandidate | RecipientCandidate;

export interface Search {
  db: Kysely<Schema>;
  encryption: Encryption;
  hash: HashNumber;
  /** See `InstallationState`. */
  restoredAt: Date | undefined;
}

/** Whether an answer is under way that may name a message to this number. */
export async function isAnswerUnderway(db: Kysely<Schema>, row: DeliveryRow): Promise<boolean> {
  const operation = await db
    .selectFrom('operation_number')
    .innerJoin('operation', 'operation.id', 'operation_number.operation_id')
    .select('operation.id')
    .where('operation_number.hash', '=', row.hash)
    .where('operation.workspace_id', '=', row.workspace_id)
    .where('operation.state', '=', 'underway')
    .limit(1)
    .executeTakeFirst();
  return operation !== undefined || isChunkUnderway(db, row);
}

/**
 * Returns the one unconfirmed operation, or recipient of a campaign, that a message can be of: the same number, sender and
 * text, about the same time. Undefined where two may have sent it, or the provider has two such messages. A request that the
 * data has forgotten since it was restored may have sent it too, wherever one may that began before then.
 */
export async function findSoleCandidate(
  search: Search,
  message: IdentifiableMessage,
): Promise<Candidate | undefined> {
  const { restoredAt } = search;
  if (restoredAt !== undefined && earliestRequestOf(message.sentAt) < restoredAt) {
    return undefined;
  }
  const [candidate, ...others] = [
    ...(await findOperations(search, message)),
    ...(await findRecipients(search, message)),
  ];
  if (
    candidate === undefined ||
    others.length > 0 ||
    !candidate.isSameContent ||
    !candidate.isUnconfirmed ||
    candidate.beganAt === undefined ||
    (await hasOtherMessage(search.db, message, candidate.beganAt))
  ) {
    return undefined;
  }
  return candidate;
}

/**
 * Returns the operations that a message may be of: to its number, about its time, and with its sender and text, or with
 * some that are not kept. The answer to an operation with one recipient names its one message, so where it is known the
 * message is none of its; with more recipients, the provider may have a message for each.
 */
async function findOperations(
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
    // What it was resolved by names all its messages.
    const isSettled =
      operation.state === 'accepted' && (recipients === 1 || operation.resolved_from !== null);
    return isSettled || (content !== undefined && content !== row.content)
      ? []
      : [
          {
            kind: 'operation' as const,
            operation,
            recipients,
            isUnconfirmed: operation.state === 'unconfirmed',
            beganAt: operation.created_at,
            isSameContent: content === row.content,
          },
        ];
  });
}

/** Whether the provider has another message that may be of the same request. */
async function hasOtherMessage(
  db: Kysely<Schema>,
  row: IdentifiableMessage,
  beganAt: number,
): Promise<boolean> {
  const rows = await db
    .selectFrom('delivery')
    .select(['provider_id', 'hash', 'reported_at', 'first_reported_at'])
    .where('workspace_id', '=', row.workspace_id)
    .where('hash', '=', row.hash)
    .where('content', '=', row.content)
    .where('provider_id', '<>', row.provider_id)
    .execute();
  const near = rows.filter((other) => {
    const sentAt = sentAtOf(other);
    // One without a time may be of any.
    return sentAt === undefined || mayBeOfRequest(sentAt, new Date(beganAt));
  });
  const known = await findKnownMessages(db, row.workspace_id, near);
  return near.some((message) => !known.has(messageName(message)));
}
