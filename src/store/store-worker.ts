// The thread in which the store's databases work.
import { parentPort } from 'node:worker_threads';
import { storeImportBatch } from './campaigns/import/import-batch.ts';
import { settleAndClaim } from './campaigns/sending/settle-and-claim.ts';
import { serveDatabases } from './engine/sqlite/worker.ts';

if (parentPort !== null) {
  serveDatabases(parentPort, [settleAndClaim, storeImportBatch]);
}
