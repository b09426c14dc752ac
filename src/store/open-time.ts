import { machineTime, type Time } from '../lib/time/clock.ts';
import { followDatabaseTime } from '../lib/time/database-time.ts';
import { systemTimers } from '../lib/time/timers.ts';
import { readDatabaseClock } from './instances/database-now.ts';
import type { OpenData } from './open-data.ts';

/**
 * Returns the machine's time on SQLite, and the database's on PostgreSQL. `stop` is called before the data is closed.
 *
 * @param given the time that is used in their place
 */
export async function openTime(
  data: OpenData,
  given?: Time | undefined,
): Promise<{ time: Time; stop: () => Promise<void> }> {
  if (given !== undefined || data.engine === 'sqlite') {
    return { time: given ?? machineTime, stop: async () => {} };
  }
  return followDatabaseTime(() => readDatabaseClock(data.db), {
    elapsed: machineTime.elapsed,
    timers: systemTimers,
  });
}
