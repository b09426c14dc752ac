import type { ExpressionBuilder, Kysely, Selectable } from 'kysely';
import type { Schema } from '../schema.ts';

export type JobRow = Selectable<Schema['job']>;

export async function addJob(
  db: Kysely<Schema>,
  job: Pick<JobRow, 'topic' | 'key' | 'due_at'>,
): Promise<void> {
  const next_at = job.due_at;
  await db
    .insertInto('job')
    .values({ ...job, next_at })
    .onConflict((conflict) =>
      conflict
        .columns(['topic', 'key', 'due_at'])
        .doUpdateSet((eb) => ({ times: eb('job.times', '+', 1), attempts: 0, next_at })),
    )
    .execute();
}

export function nextJob(db: Kysely<Schema>, topic: string): Promise<JobRow | undefined> {
  return db
    .selectFrom('job')
    .selectAll()
    .where('topic', '=', topic)
    .orderBy('next_at')
    .limit(1)
    .executeTakeFirst();
}

/** Does nothing where it was asked for once more since it was read. */
export async function removeJob(db: Kysely<Schema>, job: JobRow): Promise<void> {
  await db.deleteFrom('job').where(isUnchanged(job)).execute();
}

/** Does nothing where it was asked for once more since it was read. */
export async function putOffJob(db: Kysely<Schema>, job: JobRow, next_at: number): Promise<void> {
  await db
    .updateTable('job')
    .set({ attempts: job.attempts + 1, next_at })
    .where(isUnchanged(job))
    .execute();
}

function isUnchanged({ topic, key, due_at, times }: JobRow) {
  return (eb: ExpressionBuilder<Schema, 'job'>) => eb.and({ topic, key, due_at, times });
}
