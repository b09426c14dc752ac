import { createLog } from '../../../src/lib/log.ts';
import { systemTimers } from '../../../src/lib/time/timers.ts';
import type { StoreContext } from '../../../src/store/context.ts';
import { createEncryption } from '../../../src/store/engine/encryption/cipher.ts';
import { createPhoneHashes } from '../../../src/store/engine/encryption/phone-hashes.ts';
import { createDatabaseNow } from '../../../src/store/engine/instances/database-now.ts';
import type { Store } from '../../../src/store/store.ts';
import { newEncryptionKey } from './temporary-store.ts';

/** Returns a context on the database of a store, for what a test makes beside it. */
export function testStoreContext(
  { db, audit, instances }: Pick<Store, 'db' | 'audit' | 'instances'>,
  changed: Partial<StoreContext> = {},
): StoreContext {
  const encryption = changed.encryption ?? createEncryption([newEncryptionKey()]);
  const clock = changed.clock ?? (() => new Date());
  return {
    db,
    encryption,
    phoneHashes: createPhoneHashes(db, encryption, () => 0),
    audit,
    instances,
    clock,
    databaseNow: createDatabaseNow(db, clock),
    timers: systemTimers,
    log: createLog('silent'),
    retryWrite: async (write) => void (await write()),
    purge: async () => {},
    restoredAt: undefined,
    refuseOutdated: () => {},
    ...changed,
  };
}
