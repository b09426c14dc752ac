import { machineTime } from '../../lib/time/clock.ts';
import { type DataOptions, openData } from '../open-data.ts';
import { type AuditTrail, createAuditTrail } from './audit-trail.ts';

/**
 * Opens the data for its audit alone, on PostgreSQL beside the instances that run on it.
 *
 * @throws StoreError `in_use` while the program runs on SQLite, and its other faults
 */
export async function openAudit(
  options: DataOptions,
): Promise<{ trail: AuditTrail; close: () => Promise<void> }> {
  const { close, ...data } = await openData({ ...options, besideInstances: true });
  return { trail: createAuditTrail({ ...data, clock: machineTime.now }), close };
}
