import { type Kysely, sql, type Transaction } from 'kysely';
import { readMoney } from '../../../domain/money/money.ts';
import { noteCountedCosts } from '../../campaigns/delivery-counts.ts';
import { isOneOf } from '../../engine/dialect.ts';
import { inTransaction } from '../../engine/transaction.ts';
import type { Row, Schema } from '../../schema/schema.ts';
import { findSubjects } from './cost-subjects.ts';
import { addToMessageCosts, addToMonths, type CostChange, monthOf } from './cost-sums.ts';

/** Messages of one transaction. */
const pageSize = 500;
/** In milliseconds: after it, a message that nothing here has sent is taken for another program's. */
const searchedForMs = 12 * 60 * 60_000;
/** In milliseconds: how soon a message is looked at again whose answer may still be under way. */
const againAfterMs = 30_000;
/** How much longer each time. */
const againFactor = 7;
/** In milliseconds since 1970. Such a row isn't looked at unless a report changes its cost. */
const never = 253_402_300_799_000;

/** Returns the currency of the account that paid at a time, if known. */
export type CurrencyAt = (begunAt: Date) => string | undefined;

type DeliveryKey = Pick<Row<'delivery'>, 'workspaceId' | 'providerId' | 'hash'>;
type UncountedRow = DeliveryKey & Pick<Row<'delivery'>, 'country' | 'cost' | 'countedCost'>;

/**
 * Counts reported costs that are not counted yet, in the sums of their subject and of the month. Each adds the difference
 * to the cost already counted for its message, and notes the new one in the same transaction. So every sum is correct,
 * whatever the order of the reports and however often they come, and several instances may count at
 * once. A message without a known sender here is looked at again for some hours: its answer may be under way.
 * Returns how many were looked at.
 */
export async function countCosts(
  db: Kysely<Schema>,
  { now, currencyOf }: { now: number; currencyOf: (workspaceId: string) => Promise<CurrencyAt> },
  signal: AbortSignal,
): Promise<number> {
  const currencies = new Map<string, CurrencyAt>();
  let counted = 0;
  for (let rows = pageSize; rows === pageSize && !signal.aborted; counted += rows) {
    // The workspaces of the next rows. Rows added meanwhile wait for the next pass.
    const workspaces = await db
      .selectFrom((from) =>
        from
          .selectFrom('delivery')
          .select('workspaceId')
          .where('countAfter', '<=', now)
          .where(isUncounted)
          .orderBy('countAfter')
          .limit(2 * pageSize)
          .as('uncounted'),
      )
      .select('workspaceId')
      .distinct()
      .execute();
    for (const { workspaceId } of workspaces) {
      if (!currencies.has(workspaceId)) {
        currencies.set(workspaceId, await currencyOf(workspaceId));
      }
    }
    rows = await inTransaction(db, (transaction) => countPage(transaction, { now, currencies }));
  }
  return counted;
}

const isUncounted = sql<boolean>`cost is not null and counted_cost is distinct from cost`;

async function countPage(
  transaction: Transaction<Schema>,
  { now, currencies }: { now: number; currencies: ReadonlyMap<string, CurrencyAt> },
): Promise<number> {
  if (currencies.size === 0) {
    return 0;
  }
  // No workspace filter here: it would force a sort of every uncounted row.
  const next = await transaction
    .selectFrom('delivery')
    .select(['workspaceId', 'providerId', 'hash', 'country', 'cost', 'countedCost'])
    .where('countAfter', '<=', now)
    .where(isUncounted)
    .orderBy('countAfter')
    .limit(pageSize)
    .forUpdate()
    .skipLocked()
    .execute();
  const rows = next.filter(({ workspaceId }) => currencies.has(workspaceId));
  const changes: CostChange[] = [];
  for (const [workspaceId, ofWorkspace] of Map.groupBy(rows, (row) => row.workspaceId)) {
    const subjectOf = await findSubjects(transaction, workspaceId, ofWorkspace);
    const ours: UncountedRow[] = [];
    const foreign: UncountedRow[] = [];
    for (const row of ofWorkspace) {
      const subject = subjectOf(row);
      if (subject === undefined) {
        foreign.push(row);
        continue;
      }
      ours.push(row);
      const after = readMoney(row.cost ?? '')?.nanos ?? 0n;
      const before = readMoney(row.countedCost ?? '')?.nanos ?? 0n;
      const isNew = row.countedCost === undefined;
      changes.push({
        workspaceId,
        ...subject,
        nanos: after - before,
        messages: isNew ? 1 : 0,
        free: (after === 0n ? 1 : 0) - (!isNew && before === 0n ? 1 : 0),
        pages: subject.pagesEach * ((after > 0n ? 1 : 0) - (before > 0n ? 1 : 0)),
        country: row.country,
        month: monthOf(subject.begunAt),
        currency: currencies.get(workspaceId)?.(subject.begunAt) ?? '',
      });
    }
    if (ours.length > 0) {
      await transaction
        .updateTable('delivery')
        .set((eb) => ({ countedCost: eb.ref('cost'), countAfter: 0 }))
        .where(isMessage(transaction, ours))
        .execute();
    }
    // Wait longer each time, as long as its answer may still arrive.
    if (foreign.length > 0) {
      const age = sql`${sql.lit(now)} - received_at`;
      await transaction
        .updateTable('delivery')
        .set({
          countAfter: sql<number>`case when ${age} > ${sql.lit(searchedForMs)} then ${sql.lit(never)}
            when ${sql.lit(againFactor)} * (${age}) > ${sql.lit(againAfterMs)} then ${sql.lit(now)} + ${sql.lit(againFactor)} * (${age})
            else ${sql.lit(now + againAfterMs)} end`,
        })
        .where(isMessage(transaction, foreign))
        .execute();
    }
  }
  await addToMessageCosts(transaction, changes);
  await addToMonths(transaction, changes);
  const campaigns = changes.filter(({ subject }) => subject === 'campaign');
  const named = campaigns.map(({ workspaceId, subjectId: id }) => ({ workspaceId, id }));
  await noteCountedCosts(transaction, named);
  return next.length;
}

function isMessage(transaction: Transaction<Schema>, rows: readonly DeliveryKey[]) {
  return isOneOf(
    transaction,
    [sql.ref('workspaceId'), sql.ref('providerId'), sql.ref('hash')],
    rows.map(({ workspaceId, providerId, hash }) => [workspaceId, providerId, hash]),
  );
}

/** Has the costs of these messages looked at again: what sent them has become known. */
export async function lookAgainForCosts(
  transaction: Transaction<Schema>,
  messages: readonly DeliveryKey[],
): Promise<void> {
  if (messages.length > 0) {
    await transaction
      .updateTable('delivery')
      .set({ countAfter: 0 })
      .where(isMessage(transaction, messages))
      .where(isUncounted)
      .execute();
  }
}
