import { type DataOptions, openData } from '../open-data.ts';
import { openTime } from '../open-time.ts';
import { type AuditTrail, createAuditTrail } from './audit-trail.ts';

/**
 * Opens the data for its audit alone, on PostgreSQL beside the instances that run on it.
 *
 * @throws StoreError `in_use` while the program runs on SQLite, and its other faults
 */
export async function openAudit(
  options: DataOptions,
): Promise<{ trail: AuditTrail; close: () => Promise<void> }> {
  const data = await openData({ ...options, besideInstances: true });
  try {
    const { time, stop } = await openTime(data);
    return {
      trail: createAuditTrail({ ...data, clock: time.now }),
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
