import { createHash } from 'node:crypto';
import { epochOf, withEpoch } from '../../store/installation/epoch.ts';

/**
 * Returns the id of the operation that a request starts, derived from the request's own id: the same request received
 * twice starts the same operation, and so sends only once. It has the epoch of what it is derived from, see `withEpoch`.
 */
export function idempotencyKey(...parts: string[]): string {
  const epoch = parts.map(epochOf).find((name) => name !== '') ?? '';
  return withEpoch(
    epoch,
    createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22),
  );
}
