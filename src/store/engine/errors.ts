/**
 * What can be wrong with the store:
 * - `in_use`: another process holds the folder;
 * - `bad_folder`: the folder cannot be used or kept private;
 * - `bad_key`: an encryption key is missing or is not 32 bytes;
 * - `missing_key`: data is encrypted under a key that was not given;
 * - `unreadable`: a value was altered, damaged, or moved to another row;
 * - `bad_schema`: the tables could not be brought up to date, or are of a newer version;
 * - `missing_data`: the database is missing or empty where there has been one;
 * - `moved`: the data was moved to PostgreSQL;
 * - `wrong_clock`: the clock is far before the newest row;
 * - `other_data`: the PostgreSQL database that the data is to be moved to has data already;
 * - `data_gone`: the data was removed or replaced while the program runs;
 * - `outdated`: an idempotency key from before the data was restored;
 * - `disk_full`: nothing more can be written;
 * - `disk_fault`: the disk is read-only, or fails;
 * - `locked`: another program holds the database, or a statement waited too long;
 * - `unreachable`: PostgreSQL cannot be connected to, or a connection to it was lost;
 * - `conflict`: PostgreSQL undid a transaction, because another one came in between;
 * - `audit_waiting`: entries of the audit could not be written yet;
 * - `closed`: the database was closed.
 */
export type StoreFault =
  | 'in_use'
  | 'bad_folder'
  | 'bad_key'
  | 'missing_key'
  | 'unreadable'
  | 'bad_schema'
  | 'missing_data'
  | 'moved'
  | 'wrong_clock'
  | 'other_data'
  | 'data_gone'
  | 'outdated'
  | 'disk_full'
  | 'disk_fault'
  | 'locked'
  | 'unreachable'
  | 'conflict'
  | 'audit_waiting'
  | 'closed';

/** The store cannot do its work. The message is shown to users: what is wrong and what to do. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly fault: StoreFault;

  constructor(fault: StoreFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}
