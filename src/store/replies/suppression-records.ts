import { type Kysely, sql, type Transaction } from 'kysely';
import { z } from 'zod';
import type { E164 } from '../../domain/phone/phone-number.ts';
import {
  type AnswerDecision,
  type AnswersBefore,
  decideAnswer,
  timeOfAnswer,
} from '../../domain/replies/decide-answer.ts';
import { removeSuppressed } from '../campaigns/sending/remove-waiting.ts';
import type { StoreContext } from '../context.ts';
import type { Encryption } from '../engine/encryption/cipher.ts';
import { additionalDataOf } from '../engine/encryption/encrypted-column.ts';
import { lockNumbers } from '../engine/encryption/phone-hashes.ts';
import { inTransaction } from '../engine/transaction.ts';
import { encryptedColumn, type InsertableRow, type Row, type Schema } from '../schema/schema.ts';

const numberColumn = encryptedColumn('suppression', 'phoneNumber');
const originColumn = encryptedColumn('suppression', 'origin');

/** How a number came onto the list. */
const suppressionSourceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('typed') }),
  z.object({ kind: z.literal('file'), name: z.string() }),
  /** The recipient, by the link in a campaign's message. `campaign` is its name. */
  z.object({ kind: z.literal('opt_out_link'), campaign: z.string() }),
  /** The owner of the number, by a reply such as STOP. `sentAt` is in milliseconds, by the provider’s clock. */
  z.object({ kind: z.literal('reply'), sentAt: z.number().optional() }),
]);
export type SuppressionSource = z.infer<typeof suppressionSourceSchema>;

/** A number that no campaign goes to. */
export interface SuppressionEntry {
  /** E.164: `+2348031234567`. Encrypted at rest. Undefined for a number that was erased: its hash keeps it on the list. */
  number: string | undefined;
  /** A Slack user id. Undefined where the owner of the number did it. */
  createdBy: string | undefined;
  createdAt: Date;
  /** Undefined for a number that was erased. */
  source: SuppressionSource | undefined;
  /** For `after` of the next page. Opaque. */
  cursor: string;
}

export function toSuppressionEntry(row: Row<'suppression'>, encryption: Encryption): SuppressionEntry {
  const { hash, phoneNumber, createdBy, createdAt, origin } = row;
  const source = origin && encryption.decrypt(origin, additionalDataOf(originColumn, row));
  return {
    number: encryption.decrypt(phoneNumber, additionalDataOf(numberColumn, row)) || undefined,
    createdBy: createdBy || undefined,
    createdAt,
    source: source === undefined ? undefined : suppressionSourceSchema.parse(JSON.parse(source)),
    cursor: `${createdAt.getTime()}.${hash}`,
  };
}

/** A number, and its keyed hash. */
export interface HashedNumber {
  number: E164;
  hash: string;
}

/** Numbers to put on a list, and what they have in common. */
interface NewSuppressions {
  workspaceId: string;
  numbers: readonly HashedNumber[];
  /** Left out where the owner of the number does it. */
  userId?: string | undefined;
  source: SuppressionSource | undefined;
  now: Date;
}

export function newSuppressionRows(
  { workspaceId, numbers, userId = '', source, now }: NewSuppressions,
  encryption: Encryption,
): InsertableRow<'suppression'>[] {
  const origin = source && JSON.stringify(source);
  return numbers.map(({ number, hash }) => {
    const key = { workspaceId, hash };
    return {
      ...key,
      phoneNumber: encryption.encrypt(String(number), additionalDataOf(numberColumn, key)),
      createdBy: userId,
      createdAt: now,
      origin: origin && encryption.encrypt(origin, additionalDataOf(originColumn, key)),
    };
  });
}

/** Refreshes the date of numbers already listed, so that an older START doesn't remove them. */
export async function noteListedAgain(
  db: Kysely<Schema>,
  { workspaceId, hashes, now }: { workspaceId: string; hashes: readonly string[]; now: Date },
): Promise<void> {
  await db
    .updateTable('suppression')
    .set({ listedAgainAt: now })
    .where('workspaceId', '=', workspaceId)
    .where('hash', 'in', hashes)
    .execute();
}

/** A reply that stops messages, or takes them up again. */
export interface NewAnswer {
  workspaceId: string;
  /** E.164 */
  number: E164;
  answer: 'stop' | 'start';
  /** By the provider's clock. Undefined if its time zone isn't known. */
  sentAt: Date | undefined;
  /** Names the reply: reports with the same identity are about the same reply. It is stored as a keyed hash. */
  identity: string;
}

export interface AnswerResult {
  /** What the reply did. A reply that was reported before does nothing, except ask a person again. */
  decision: AnswerDecision;
  /** Whether the number is on the list now. */
  isOnList: boolean;
  /** Whether this reply, which may have been reported before, put it there. */
  isListed: boolean;
  /** The campaigns that lost recipients. */
  campaigns: readonly string[];
}

/**
 * Does what a reply asks for, unless it came before or something later did: the times of all are kept for as long as a
 * reply may come late. What answers for the same workspace at the same time follows.
 */
export async function answerNumber(
  { workspaceId, number, answer, sentAt, identity }: NewAnswer,
  { db, encryption, phoneHashes, clock }: StoreContext,
): Promise<AnswerResult> {
  const hasher = await phoneHashes.hasher(workspaceId);
  const [hash, digest] = [hasher(number), hasher(identity)];
  const now = clock();
  const times = { sentAt, receivedAt: now };
  const key = { workspaceId, hash };
  const source = { kind: 'reply' as const, ...(sentAt && { sentAt: sentAt.getTime() }) };
  const numbers = [{ number, hash }];
  const rows = newSuppressionRows({ workspaceId, numbers, source, now }, encryption);

  return inTransaction(db, async (transaction) => {
    await lockNumbers(transaction, workspaceId);
    const entry = await findEntry(transaction, key);
    const decision = decideAnswer(
      answer,
      times,
      await answersBefore(transaction, key, { entry, encryption }),
    );
    const known = await transaction
      .selectFrom('replyAnswer')
      .select('listed')
      .where('workspaceId', '=', workspaceId)
      .where('digest', '=', digest)
      .executeTakeFirst();
    const isOnList = entry !== undefined;
    if (known !== undefined) {
      const repeated = decision === 'ask' ? decision : 'nothing';
      return { decision: repeated, isOnList, isListed: isOnList && known.listed, campaigns: [] };
    }
    const listed = decision === 'list';
    await transaction
      .insertInto('replyAnswer')
      .values({ workspaceId, digest, hash, answer, sentAt, receivedAt: now, listed })
      .execute();
    if (decision === 'list') {
      await transaction.insertInto('suppression').values(rows).execute();
    }
    if (decision === 'list' || (answer === 'stop' && isOnList)) {
      const listing = { listed: { hashes: [hash] } };
      const removal = { encryption, hash: hasher, now };
      const { campaigns } = await removeSuppressed(transaction, workspaceId, listing, removal);
      return { decision, isOnList: true, isListed: listed, campaigns };
    }
    if (decision === 'remove') {
      await deleteEntry(transaction, key);
    }
    return { decision, isOnList: isOnList && decision !== 'remove', isListed: false, campaigns: [] };
  });
}

/** What happened to a number that a person opted back in because of a START. */
export type Removal = 'removed' | 'was_not_listed' | 'listed_since';

/** Takes a number off the list, unless it was listed again or sent a STOP after its START. */
export async function removeAsAsked(
  { workspaceId, number, receivedAt }: { workspaceId: string; number: E164; receivedAt: Date },
  { db, phoneHashes }: StoreContext,
): Promise<Removal> {
  const hasher = await phoneHashes.hasher(workspaceId);
  const key = { workspaceId, hash: hasher(number) };
  return inTransaction(db, async (transaction) => {
    await lockNumbers(transaction, workspaceId);
    const entry = await findEntry(transaction, key);
    if (entry === undefined) {
      return 'was_not_listed';
    }
    const { receivedAt: latestStop } = await transaction
      .selectFrom('replyAnswer')
      .select(({ fn }) => fn.max('receivedAt').as('receivedAt'))
      .where('workspaceId', '=', workspaceId)
      .where('hash', '=', key.hash)
      .where('answer', '=', 'stop')
      .executeTakeFirstOrThrow();
    const listings = [entry.createdAt, entry.listedAgainAt, latestStop];
    if (listings.some((at) => at !== undefined && at > receivedAt)) {
      return 'listed_since';
    }
    await deleteEntry(transaction, key);
    return 'removed';
  });
}

async function deleteEntry(
  transaction: Transaction<Schema>,
  { workspaceId, hash }: NumberKey,
): Promise<void> {
  await transaction
    .deleteFrom('suppression')
    .where('workspaceId', '=', workspaceId)
    .where('hash', '=', hash)
    .execute();
}

/** Returns the entry of a number, locked until the transaction ends. */
function findEntry(transaction: Transaction<Schema>, { workspaceId, hash }: NumberKey) {
  return transaction
    .selectFrom('suppression')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('hash', '=', hash)
    .forUpdate()
    .executeTakeFirst();
}

interface NumberKey {
  workspaceId: string;
  hash: string;
}

async function answersBefore(
  transaction: Transaction<Schema>,
  { workspaceId, hash }: NumberKey,
  { entry, encryption }: { entry: Row<'suppression'> | undefined; encryption: Encryption },
): Promise<AnswersBefore> {
  const rows = await transaction
    .selectFrom('replyAnswer')
    // Same rules as `timeOfAnswer`.
    .select([
      'answer',
      sql<Date>`max(case when sent_at < received_at then sent_at else received_at end)`.as('sentAt'),
    ])
    .where('workspaceId', '=', workspaceId)
    .where('hash', '=', hash)
    .where((eb) => eb.or([eb('answer', '=', 'stop'), eb('sentAt', 'is not', null)]))
    .groupBy('answer')
    .execute();
  const last = new Map(rows.map(({ answer, sentAt }) => [answer, sentAt]));
  const before = { isListed: entry !== undefined, lastStop: last.get('stop'), lastStart: last.get('start') };
  if (entry === undefined) {
    return { ...before, listedAt: undefined };
  }
  const { source, createdAt: receivedAt } = toSuppressionEntry(entry, encryption);
  if (source?.kind !== 'reply') {
    return { ...before, listedAt: latestOf(receivedAt, entry.listedAgainAt) };
  }
  // Of a stop whose row has expired, the entry alone has the time.
  const sentAt = source.sentAt === undefined ? undefined : new Date(source.sentAt);
  const lastStop = latestOf(timeOfAnswer('stop', { sentAt, receivedAt }), before.lastStop);
  return { ...before, lastStop, listedAt: entry.listedAgainAt };
}

function latestOf(one: Date | undefined, other: Date | undefined): Date | undefined {
  return one !== undefined && (other === undefined || one > other) ? one : other;
}
