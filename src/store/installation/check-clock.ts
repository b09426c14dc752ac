import type { Kysely } from 'kysely';
import { isPostgres } from '../engine/dialect.ts';
import { StoreError } from '../engine/errors.ts';
import type { Schema } from '../schema/schema.ts';

/** In milliseconds: how far a clock may be before the newest row. Clocks of several machines are never quite the same. */
const toleranceMs = 24 * 60 * 60_000;

/**
 * Refuses to start by a clock that is far behind: what is due would wait for days, and limits, codes and retention would
 * be counted from a time that is over.
 *
 * @throws StoreError `wrong_clock`
 */
export async function refuseClockBehind(db: Kysely<Schema>, now: Date): Promise<void> {
  const newest = await readNewestTime(db);
  if (now.getTime() >= newest - toleranceMs) {
    return;
  }
  const clock = isPostgres(db) ? 'The clock of the PostgreSQL server' : 'The clock of this machine';
  throw new StoreError(
    'wrong_clock',
    `${clock} shows ${now.toISOString()}, but the newest row of the data is from ${new Date(newest).toISOString()}. ` +
      'Set the clock, and start Switchboard again. If the clock is right, the data was written while it was ahead: ' +
      'put back a backup from before that.',
  );
}

/** Returns the newest of the times that the program writes itself. No person chooses them, and all are found by an index. */
async function readNewestTime(db: Kysely<Schema>): Promise<number> {
  const { run, entry, text } = await db
    .selectNoFrom((eb) => [
      eb
        .selectFrom('instance')
        .select((row) => row.fn.max('heartbeatAt').as('at'))
        .as('run'),
      eb
        .selectFrom('auditChain')
        .innerJoin('auditEntry', (join) =>
          join
            .onRef('auditEntry.workspaceId', '=', 'auditChain.workspaceId')
            .onRef('auditEntry.sequence', '=', 'auditChain.last'),
        )
        .select((row) => row.fn.max('auditEntry.at').as('at'))
        .as('entry'),
      eb
        .selectFrom('operationText')
        .select((row) => row.fn.max('createdAt').as('at'))
        .as('text'),
    ])
    .executeTakeFirstOrThrow();
  return Math.max(...[run, entry, text].map((at) => Number(at ?? 0)));
}
