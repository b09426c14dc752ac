import type { Expression, Kysely } from 'kysely';
import type { Log } from '../lib/log.ts';
import type { Clock } from '../lib/time/clock.ts';
import type { Timers } from '../lib/time/timers.ts';
import type { AuditTrail } from './audit/audit-trail.ts';
import type { RetryWrite } from './engine/database.ts';
import type { Encryption } from './engine/encryption/cipher.ts';
import type { PhoneHashes } from './engine/encryption/phone-hashes.ts';
import type { Instances } from './engine/instances/instances.ts';
import type { RefuseOutdated } from './installation/installation.ts';
import type { Schema } from './schema/schema.ts';

/** What every subject of the store is given. */
export interface StoreContext {
  db: Kysely<Schema>;
  encryption: Encryption;
  phoneHashes: PhoneHashes;
  audit: AuditTrail;
  instances: Instances;
  clock: Clock;
  /** The database's own clock, in milliseconds since 1970: what instances share goes by it. */
  databaseNow: () => Expression<number>;
  timers: Timers;
  log: Pick<Log, 'error' | 'warn' | 'info'>;
  retryWrite: RetryWrite;
  /** See `DatabaseEngine`. */
  purge(): Promise<void>;
  /** When the data was restored or copied last. */
  restoredAt: Date | undefined;
  refuseOutdated: RefuseOutdated;
}
