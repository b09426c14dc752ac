import { type Kysely, type RawBuilder, sql } from 'kysely';
import { isPostgres } from '../engine/dialect.ts';
import { writeValue } from '../engine/values.ts';
import type { Schema } from '../schema/schema.ts';
import type { ReportedRow } from './messages.ts';

/** Rows of one statement: other work waits no longer than for those. */
const batchSize = 500;

const columns = [
  'workspaceId',
  'providerId',
  'hash',
  'contentHash',
  'state',
  'progress',
  'status',
  'reportedAt',
  'firstReportedAt',
  'cost',
  'costProgress',
  'costAt',
  'country',
  'receivedAt',
  'source',
  'pending',
] as const satisfies readonly (keyof ReportedRow)[];

const integers: ReadonlySet<string> = new Set([
  'progress',
  'reportedAt',
  'firstReportedAt',
  'costProgress',
  'costAt',
  'receivedAt',
  'pending',
]);

/**
 * Writes reports, forward only: an older one changes nothing, except that it may add a missing content or an earlier time.
 * The cost is from the furthest report with one. Reports of the same state are ordered by the provider’s time, then by their
 * words, so the result doesn't depend on the order in which they arrive.
 */
export async function writeDeliveries(db: Kysely<Schema>, reported: readonly ReportedRow[]): Promise<void> {
  const furthest = new Map<string, ReportedRow>();
  for (const row of reported) {
    const name = JSON.stringify([row.workspaceId, row.providerId, row.hash]);
    const known = furthest.get(name);
    furthest.set(name, known === undefined ? row : merged(known, row));
  }
  // In the order of the primary key, so that two writers wait for each other once.
  const rows = [...furthest].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
  for (let start = 0; start < rows.length; start += batchSize) {
    await upsert(db, rows.slice(start, start + batchSize));
  }
}

async function upsert(db: Kysely<Schema>, rows: ReportedRow[]): Promise<void> {
  const isFurther = sql<boolean>`(excluded.progress, excluded.reported_at, excluded.status)
    > (delivery.progress, delivery.reported_at, delivery.status)`;
  const isEarlier = sql<boolean>`(excluded.first_reported_at is not null
    and (delivery.first_reported_at is null or excluded.first_reported_at < delivery.first_reported_at))`;
  const isNewContent = sql<boolean>`(delivery.content_hash is null and excluded.content_hash is not null)`;
  const contentHash = sql<
    string | null
  >`case when ${isFurther} then coalesce(excluded.content_hash, delivery.content_hash)
    else coalesce(delivery.content_hash, excluded.content_hash) end`;
  const isFurtherCost = sql<boolean>`(excluded.cost is not null and (delivery.cost is null
    or (excluded.cost_progress, excluded.cost_at, excluded.cost)
      > (delivery.cost_progress, delivery.cost_at, delivery.cost)))`;
  const where =
    (condition: RawBuilder<boolean>) =>
    <Column extends keyof ReportedRow>(column: Column) =>
      sql<ReportedRow[Column]>`case when ${condition} then ${sql.ref(`excluded.${column}`)}
        else ${sql.ref(`delivery.${column}`)} end`;
  const further = where(isFurther);
  const ofState = where(sql<boolean>`${isFurther} and excluded.state <> delivery.state`);
  const ofCost = where(isFurtherCost);
  const isNews = sql<boolean>`(${isFurther} or ${isFurtherCost} or ${isNewContent} or ${isEarlier})`;
  // From one parameter, as JSON: a statement with thousands of parameters takes longer to put together than to run.
  const list = JSON.stringify(rows.map((row) => columns.map((column) => writeValue(row[column]))));
  const postgres = isPostgres(db);
  const cells = columns.map((column, index) => {
    const cell = sql`value ->> ${sql.lit(index)}`;
    return postgres && integers.has(column) ? sql`(${cell})::bigint` : cell;
  });
  const select: RawBuilder<ReportedRow> = postgres
    ? sql`select ${sql.join(cells)} from json_array_elements(${list}::json) as list (value)`
    : // `where` keeps SQLite from reading what follows as the condition of a join.
      sql`select ${sql.join(cells)} from json_each(${list}) where true`;
  await db
    .insertInto('delivery')
    .columns([...columns])
    .expression(select)
    .onConflict((conflict) =>
      conflict
        .columns(['workspaceId', 'providerId', 'hash'])
        .doUpdateSet({
          state: further('state'),
          progress: further('progress'),
          status: further('status'),
          reportedAt: further('reportedAt'),
          firstReportedAt: where(isEarlier)('firstReportedAt'),
          receivedAt: ofState('receivedAt'),
          source: ofState('source'),
          pending: true,
          cost: ofCost('cost'),
          costProgress: ofCost('costProgress'),
          costAt: ofCost('costAt'),
          countAfter: sql<number>`case when ${isFurtherCost} then 0 else delivery.count_after end`,
          contentHash,
        })
        .where(isNews),
    )
    .execute();
}

function merged(known: ReportedRow, row: ReportedRow): ReportedRow {
  const [further, behind] = isFurther(row, known) ? [row, known] : [known, row];
  const { cost, costProgress, costAt } = isFurtherCost(row, known) ? row : known;
  const { receivedAt, source } = further.state === known.state ? known : further;
  const times = [known.firstReportedAt, row.firstReportedAt].filter((at) => at !== undefined);
  return {
    ...further,
    firstReportedAt: times.length === 0 ? undefined : Math.min(...times),
    receivedAt,
    source,
    cost,
    costProgress,
    costAt,
    contentHash: further.contentHash ?? behind.contentHash,
  };
}

/** As the statement compares. */
function isFurther(one: ReportedRow, other: ReportedRow): boolean {
  return isGreater(
    one.progress - other.progress,
    one.reportedAt - other.reportedAt,
    Buffer.compare(Buffer.from(one.status), Buffer.from(other.status)),
  );
}

function isFurtherCost(one: ReportedRow, other: ReportedRow): boolean {
  if (one.cost === undefined || other.cost === undefined) {
    return one.cost !== undefined;
  }
  return isGreater(
    (one.costProgress ?? -1) - (other.costProgress ?? -1),
    (one.costAt ?? -1) - (other.costAt ?? -1),
    Buffer.compare(Buffer.from(one.cost), Buffer.from(other.cost)),
  );
}

/** By the first of the differences that is one. */
function isGreater(...differences: number[]): boolean {
  return (differences.find((difference) => difference !== 0) ?? 0) > 0;
}
