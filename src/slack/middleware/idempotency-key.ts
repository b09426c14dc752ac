import { createHash } from 'node:crypto';
import { epochOf, withEpoch } from '../../store/installation/epoch.ts';

/**
 * An id for what a request starts, made of the request's own trigger: the same request received twice starts the same
 * thing, and so can send only once. It belongs to the epoch of what it is made of, see `keyIn`.
 */
export function idempotencyKey(...parts: string[]): string {
  const epoch = parts.map(epochOf).find((name) => name !== '') ?? '';
  return withEpoch(
    epoch,
    createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22),
  );
}
