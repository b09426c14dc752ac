import type { Kysely } from 'kysely';
import type { Timers } from '../../lib/time/timers.ts';
import type { Instances } from '../instances/instances.ts';
import type { Schema } from '../schema.ts';
import type { Ledger } from './ledger.ts';
import { toOperation } from './operation.ts';

const pollMs = 200;
/** In milliseconds: longer than the provider is waited for. */
const patienceMs = 60_000;

/** Waits by looking at the row: an operation of an instance that has died is ended by another one. */
export function createAwaitOperation({
  db,
  instances,
  timers,
}: {
  db: Kysely<Schema>;
  instances: Pick<Instances, 'run'>;
  timers: Timers;
}): Ledger['settled'] {
  return async ({ id }) => {
    for (let waited = 0; ; waited += pollMs) {
      const row = await db.selectFrom('operation').selectAll().where('id', '=', id).executeTakeFirst();
      if (
        row === undefined ||
        row.state !== 'underway' ||
        row.run === instances.run() ||
        waited >= patienceMs
      ) {
        return row && toOperation(row);
      }
      await timers.sleep(pollMs);
    }
  };
}
