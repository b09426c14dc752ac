import { machineTime } from '../../lib/time/clock.ts';
import { type DataOptions, openData } from '../open-data.ts';
import { type AuditTrail, createAuditTrail } from './audit-trail.ts';

/**
 * Opens the data for its audit alone.
 *
 * @throws StoreError `in_use` while another process has it, and its other faults
 */
export async function openAudit(
  options: DataOptions,
): Promise<{ trail: AuditTrail; close: () => Promise<void> }> {
  const { close, ...data } = await openData(options);
  return { trail: createAuditTrail({ ...data, clock: machineTime.now }), close };
}
