import type { Keyv } from 'keyv';
import { type Broadcast, noOthers } from '../../lib/broadcast.ts';
import { machineClocks } from '../../lib/time/clock.ts';
import { systemTimers as timers } from '../../lib/time/timers.ts';
import { createTime } from '../../lib/time/trusted-time.ts';
import { type AuditTrail, createAuditTrail } from '../audit/audit-trail.ts';
import { createPhoneHashes } from '../encryption/phone-hashes.ts';
import { createDatabaseNow } from '../instances/database-now.ts';
import { type Instances, openInstances } from '../instances/instances.ts';
import { createBroadcastSender } from '../jobs/postgres-broadcast.ts';
import { createKeyValueStore } from '../key-value/key-value-store.ts';
import { type DataOptions, openData } from '../open-data.ts';
import { createErasure, type Erasure } from './erasure.ts';

export interface OpenErasure {
  erasure: Erasure;
  /** With a run of its own, which takes no campaigns: what it leaves undone is finished by others. */
  instances: Instances;
  keyv: (workspaceId: string, area: string) => Keyv;
  trail: AuditTrail;
  purge(): Promise<void>;
  /** Tells the instances that run on the data. It hears nothing itself. */
  broadcast: Broadcast;
  close(): Promise<void>;
}

/**
 * Opens the data for an erasure, on PostgreSQL beside the instances that run on it.
 *
 * @param report called with errors that no caller waits for
 * @throws StoreError `in_use` while the program runs on SQLite, and its other faults
 */
export async function openErasure(
  options: DataOptions,
  report: (error: unknown) => void,
): Promise<OpenErasure> {
  const data = await openData({ ...options, besideInstances: true });
  const { db, encryption, retryWrite, purge } = data;
  const time = createTime(machineClocks);
  const clock = time.now;
  const instances = await openInstances({
    db,
    isAlone: data.engine === 'sqlite',
    now: createDatabaseNow(db, clock),
    version: '',
    keyId: encryption.currentKeyId,
    elapsed: time.elapsed,
    timers,
    report,
  }).catch(async (error: unknown) => {
    await data.close();
    throw error;
  });
  await instances.announceStop();
  const phoneHashes = createPhoneHashes(db.$pickTables<'number_key'>(), encryption, time.elapsed);
  return {
    erasure: createErasure({ db, encryption, phoneHashes, clock, timers, purge }),
    instances,
    keyv: createKeyValueStore({ db: db.$pickTables<'keyv'>(), encryption, time }),
    trail: createAuditTrail({ db, encryption, clock, retryWrite }),
    purge,
    broadcast:
      data.engine === 'sqlite'
        ? noOthers
        : { ...noOthers, send: createBroadcastSender({ ...data, from: '' }) },
    async close() {
      await instances.close();
      await data.close();
    },
  };
}
