import { sql, type Transaction } from 'kysely';
import { readMoney, writeMoney } from '../../../domain/money/money.ts';
import { isOneOf } from '../../engine/dialect.ts';
import type { Schema } from '../../schema/schema.ts';
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

const messageKey = ['workspaceId', 'subject', 'subjectId', 'country'] as const;
const monthKey = ['workspaceId', 'month', 'userId', 'senderId', 'currency'] as const;

/**
 * Adds to the sums of what sent the messages. The rows are made first, in the order of their keys, then locked, so that
 * two instances add one after the other. Amounts are added here, exactly: in the database they are texts.
 */
export async function addToMessageCosts(
  transaction: Transaction<Schema>,
  changes: readonly CostChange[],
): Promise<void> {
  for (const batch of batchesOf(changes, messageKey)) {
    const rows = batch.map(({ workspaceId, subject, subjectId, country, begunAt }) => {
      const key = { workspaceId, subject, subjectId, country };
      return { ...key, begunAt, amount: '0', messages: 0, free: 0, pages: 0 };
    });
    await transaction
      .insertInto('messageCost')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const stored = await transaction
      .selectFrom('messageCost')
      .selectAll()
      .where(isRowOf(transaction, messageKey, rows))
      .orderBy('workspaceId')
      .orderBy('subject')
      .orderBy('subjectId')
      .orderBy('country')
      .forUpdate()
      .execute();
    const added = join(batch, stored, messageKey).map(([change, row]) => ({
      ...row,
      amount: plus(row.amount, change.nanos),
      messages: row.messages + change.messages,
      free: row.free + change.free,
      pages: row.pages + change.pages,
    }));
    await transaction
      .insertInto('messageCost')
      .values(added)
      .onConflict((conflict) =>
        conflict.columns(messageKey).doUpdateSet((eb) => ({
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
  for (const batch of batchesOf(changes, monthKey)) {
    const rows = batch.map(({ workspaceId, month, userId, senderId, currency }) => {
      return { workspaceId, month, userId, senderId, currency, amount: '0', messages: 0 };
    });
    await transaction
      .insertInto('monthCost')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const stored = await transaction
      .selectFrom('monthCost')
      .selectAll()
      .where(isRowOf(transaction, monthKey, rows))
      .orderBy('workspaceId')
      .orderBy('month')
      .orderBy('userId')
      .orderBy('senderId')
      .orderBy('currency')
      .forUpdate()
      .execute();
    const added = join(batch, stored, monthKey).map(([change, row]) => ({
      ...row,
      amount: plus(row.amount, change.nanos),
      messages: row.messages + change.messages,
    }));
    await transaction
      .insertInto('monthCost')
      .values(added)
      .onConflict((conflict) =>
        conflict.columns(monthKey).doUpdateSet((eb) => ({
          amount: eb.ref('excluded.amount'),
          messages: eb.ref('excluded.messages'),
        })),
      )
      .execute();
  }
}

/** The columns of a key, and a row that has them. */
type Keyed<Column extends string> = Readonly<Record<Column, string>>;

/** Sums the changes of each row, in the order of the rows' keys, in batches of one statement. */
function* batchesOf<Column extends keyof CostChange>(
  changes: readonly (CostChange & Keyed<Column>)[],
  key: readonly Column[],
): Generator<(CostChange & Keyed<Column>)[]> {
  const sums = new Map<string, CostChange & Keyed<Column>>();
  for (const change of changes) {
    const name = nameOf(change, key);
    const sum = sums.get(name);
    const { nanos, messages, free, pages } = sum ?? { nanos: 0n, messages: 0, free: 0, pages: 0 };
    sums.set(name, {
      ...(sum ?? change),
      nanos: nanos + change.nanos,
      messages: messages + change.messages,
      free: free + change.free,
      pages: pages + change.pages,
    });
  }
  const summed = [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
  for (let start = 0; start < summed.length; start += batchSize) {
    yield summed.slice(start, start + batchSize);
  }
}

function isRowOf<Column extends string>(
  transaction: Transaction<Schema>,
  key: readonly Column[],
  rows: readonly Keyed<Column>[],
) {
  return isOneOf(
    transaction,
    key.map((column) => sql.ref(column)),
    rows.map((row) => key.map((column) => row[column])),
  );
}

/** Returns each change with the row that it is added to. */
function join<Column extends string, Change extends Keyed<Column>, Sum extends Keyed<Column>>(
  changes: readonly Change[],
  rows: readonly Sum[],
  key: readonly Column[],
): [Change, Sum][] {
  const known = new Map(rows.map((row) => [nameOf(row, key), row]));
  return changes.map((change) => {
    const row = known.get(nameOf(change, key));
    if (row === undefined) {
      throw new TypeError('A sum that was made is not there');
    }
    return [change, row];
  });
}

function nameOf<Column extends string>(row: Keyed<Column>, key: readonly Column[]): string {
  return JSON.stringify(key.map((column) => row[column]));
}

function plus(amount: string, nanos: bigint): string {
  return writeMoney({ nanos: (readMoney(amount)?.nanos ?? 0n) + nanos });
}
