import { noOthers } from '../../lib/broadcast.ts';
import { systemTimers as timers } from '../../lib/time/timers.ts';
import { createAuditTrail } from '../audit/audit-trail.ts';
import { createPhoneHashes } from '../engine/encryption/phone-hashes.ts';
import { createDatabaseNow } from '../engine/instances/database-now.ts';
import { openInstances } from '../engine/instances/instances.ts';
import { createBroadcastSender } from '../engine/jobs/postgres-broadcast.ts';
import { createKeyValueStore } from '../engine/key-value/key-value-store.ts';
import { type DataOptions, openData, openTime } from '../engine/open-data.ts';
import { createErasure } from './erasure.ts';

/**
 * Opens the data for an erasure, on PostgreSQL beside the instances that run on it.
 *
 * @param report called with errors that no caller waits for
 * @throws StoreError `inUse` while the program runs on SQLite, and its other faults
 */
export async function openErasure(options: DataOptions, report: (error: unknown) => void) {
  const data = await openData({ ...options, besideInstances: true });
  const { db, encryption, retryWrite, purge } = data;
  const stops: (() => Promise<void>)[] = [data.close];
  const close = async () => {
    for (const stop of stops.toReversed()) {
      await stop();
    }
  };
  try {
    const { time, stop } = await openTime(data);
    stops.push(stop);
    const { now: clock, elapsed } = time;
    const instances = await openInstances({
      db,
      isAlone: data.engine === 'sqlite',
      now: createDatabaseNow(db, clock),
      version: '',
      keyId: encryption.currentKeyId,
      elapsed,
      timers,
      report,
    });
    stops.push(instances.close);
    await instances.announceStop();
    const phoneHashes = createPhoneHashes(db, encryption, elapsed);
    return {
      erasure: createErasure({ db, encryption, phoneHashes, clock, timers, purge }),
      /** With a run of its own, which takes no campaigns: what it leaves undone is finished by others. */
      instances,
      keyv: createKeyValueStore({ db, encryption, clock }),
      trail: createAuditTrail({ db, encryption, clock, retryWrite }),
      purge,
      /** Tells the instances that run on the data. It hears nothing itself. */
      broadcast:
        data.engine === 'sqlite'
          ? noOthers
          : { ...noOthers, send: createBroadcastSender({ ...data, from: '' }) },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
