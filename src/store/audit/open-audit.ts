import { type DataOptions, openData, openTime } from '../engine/open-data.ts';
import { type AuditTrail, createAuditTrail } from './audit-trail.ts';

/**
 * Opens the data for its audit alone, on PostgreSQL beside the instances that run on it.
 *
 * @throws StoreError `inUse` while the program runs on SQLite, and its other faults
 */
export async function openAudit(
  options: DataOptions,
): Promise<{ trail: AuditTrail; close: () => Promise<void> }> {
  const data = await openData({ ...options, besideInstances: true });
  try {
    const { time, stop } = await openTime(data);
    return {
      trail: createAuditTrail({ ...data, db: data.db, clock: time.now }),
      async close() {
        await stop();
        await data.close();
      },
    };
  } catch (error) {
    await data.close();
    throw error;
  }
}
