import type { StoreImportBatch } from './import/import-batch.ts';
import type { SettleAndClaim, SettledAndClaimed } from './sending/settle-and-claim.ts';

/** What each database does in its own way. */
export interface CampaignStatements {
  /** A procedure in the thread of SQLite, or a statement of PostgreSQL. */
  settleAndClaim(argument: SettleAndClaim): Promise<SettledAndClaimed | null>;
  storeImportBatch: StoreImportBatch;
}
