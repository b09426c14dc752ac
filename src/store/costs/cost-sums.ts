import { sql, type Transaction } from 'kysely';
import { readMoney, writeMoney } from '../../domain/money/money.ts';
import { isOneOf } from '../row-list.ts';
import type { Row, Schema } from '../schema/schema.ts';
import type { MessageSubject } from './cost-subjects.ts';

/** By how much the sums change that a message is counted in. */
export interface CostChange extends MessageSubject {
  workspaceId: string;
  country: string;
  month: string;
  currency: string;
  nanos: bigint;
  messages: number;
  free: number;
  pages: number;
}

/** In Lagos, which has no daylight saving time: an hour ahead of UTC. */
const lagosOffsetMs = 60 * 60_000;

/** Returns the month of a time in Lagos: `2026-11`. */
export function monthOf(time: Date): string {
  return new Date(time.getTime() + lagosOffsetMs).toISOString().slice(0, 'yyyy-mm'.length);
}

/** Returns when a month begins and ends in Lagos. */
export function boundsOf(month: string): { from: Date; until: Date } {
  const first = new Date(`${month}-01T00:00:00Z`);
  const next = Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1);
  return { from: new Date(first.getTime() - lagosOffsetMs), until: new Date(next - lagosOffsetMs) };
}

/** Rows of one statement: a database takes a limited number of parameters. */
const batchSize = 500;

const messageKey = ['workspaceId', 'subject', 'subjectId', 'country'].map((column) => sql.ref(column));
const monthKey = ['workspaceId', 'month', 'userId', 'senderId', 'currency'].map((column) => sql.ref(column));

/**
 * Adds to the sums of what sent the messages. The rows are made first, in the order of their keys, then locked, so that
 * two instances add one after the other. Amounts are added here, exactly: in the database they are texts.
 */
export async function addToMessageCosts(
  transaction: Transaction<Schema>,
  changes: readonly CostChange[],
): Promise<void> {
  const summed = sumBy(changes, ({ workspaceId, subject, id, country }) => [
    workspaceId,
    subject,
    id,
    country,
  ]);
  for (let start = 0; start < summed.length; start += batchSize) {
    const batch = summed.slice(start, start + batchSize);
    const rows = batch.map(({ workspaceId, subject, id, country, begunAt }) => ({
      workspaceId,
      subject,
      subjectId: id,
      country,
      begunAt,
      amount: '0',
      messages: 0,
      free: 0,
      pages: 0,
    }));
    await transaction
      .insertInto('messageCost')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const keys = rows.map((row) => [row.workspaceId, row.subject, row.subjectId, row.country]);
    const stored = await transaction
      .selectFrom('messageCost')
      .selectAll()
      .where(isOneOf(transaction, messageKey, keys))
      .orderBy('workspaceId')
      .orderBy('subject')
      .orderBy('subjectId')
      .orderBy('country')
      .forUpdate()
      .execute();
    const known = new Map(
      stored.map((row) => [nameOf([row.workspaceId, row.subject, row.subjectId, row.country]), row]),
    );
    const added = batch.map((change): Row<'messageCost'> => {
      const { workspaceId, subject, id, country } = change;
      const row = found(known.get(nameOf([workspaceId, subject, id, country])));
      return {
        ...row,
        amount: plus(row.amount, change.nanos),
        messages: row.messages + change.messages,
        free: row.free + change.free,
        pages: row.pages + change.pages,
      };
    });
    await transaction
      .insertInto('messageCost')
      .values(added)
      .onConflict((conflict) =>
        conflict.columns(['workspaceId', 'subject', 'subjectId', 'country']).doUpdateSet((eb) => ({
          amount: eb.ref('excluded.amount'),
          messages: eb.ref('excluded.messages'),
          free: eb.ref('excluded.free'),
          pages: eb.ref('excluded.pages'),
        })),
      )
      .execute();
  }
}

/** Adds to the sums of each month, in the same way. */
export async function addToMonths(
  transaction: Transaction<Schema>,
  changes: readonly CostChange[],
): Promise<void> {
  const summed = sumBy(changes, ({ workspaceId, month, userId, senderId, currency }) => [
    workspaceId,
    month,
    userId,
    senderId,
    currency,
  ]);
  for (let start = 0; start < summed.length; start += batchSize) {
    const batch = summed.slice(start, start + batchSize);
    const rows = batch.map(({ workspaceId, month, userId, senderId, currency }) => ({
      workspaceId,
      month,
      userId,
      senderId,
      currency,
      amount: '0',
      messages: 0,
    }));
    await transaction
      .insertInto('monthCost')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const keys = rows.map((row) => [row.workspaceId, row.month, row.userId, row.senderId, row.currency]);
    const stored = await transaction
      .selectFrom('monthCost')
      .selectAll()
      .where(isOneOf(transaction, monthKey, keys))
      .orderBy('workspaceId')
      .orderBy('month')
      .orderBy('userId')
      .orderBy('senderId')
      .orderBy('currency')
      .forUpdate()
      .execute();
    const known = new Map(
      stored.map((row) => [
        nameOf([row.workspaceId, row.month, row.userId, row.senderId, row.currency]),
        row,
      ]),
    );
    const added = batch.map((change): Row<'monthCost'> => {
      const { workspaceId, month, userId, senderId, currency } = change;
      const row = found(known.get(nameOf([workspaceId, month, userId, senderId, currency])));
      return {
        ...row,
        amount: plus(row.amount, change.nanos),
        messages: row.messages + change.messages,
      };
    });
    await transaction
      .insertInto('monthCost')
      .values(added)
      .onConflict((conflict) =>
        conflict.columns(['workspaceId', 'month', 'userId', 'senderId', 'currency']).doUpdateSet((eb) => ({
          amount: eb.ref('excluded.amount'),
          messages: eb.ref('excluded.messages'),
        })),
      )
      .execute();
  }
}

/** Sums what is counted in the same row, in the order of the rows' keys. */
function sumBy(
  changes: readonly CostChange[],
  keyOf: (change: CostChange) => readonly string[],
): CostChange[] {
  const sums = new Map<string, CostChange>();
  for (const change of changes) {
    const name = nameOf(keyOf(change));
    const sum = sums.get(name);
    sums.set(
      name,
      sum === undefined
        ? change
        : {
            ...sum,
            nanos: sum.nanos + change.nanos,
            messages: sum.messages + change.messages,
            free: sum.free + change.free,
            pages: sum.pages + change.pages,
          },
    );
  }
  return [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
}

function nameOf(key: readonly string[]): string {
  return JSON.stringify(key);
}

function plus(amount: string, nanos: bigint): string {
  return writeMoney({ nanos: (readMoney(amount)?.nanos ?? 0n) + nanos });
}

function found<Row>(row: Row | undefined): Row {
  if (row === undefined) {
    throw new TypeError('A sum that was made is not there');
  }
  return row;
}
