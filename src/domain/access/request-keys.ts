import { createHash } from 'node:crypto';

/** Follows the epoch in a key, and is nowhere else in one. */
const separator = '~';

/**
 * Returns an idempotency key that is valid in one epoch of the data. Restoring or copying the data starts a new epoch: it may
 * have forgotten which keys were used, so keys of earlier epochs are refused. The first epoch is `''`.
 */
export function withEpoch(epoch: string, key: string): string {
  return epoch === '' ? key : `${epoch}${separator}${key}`;
}

/** Returns the epoch of a key, or of an id derived from it. */
export function epochOf(key: string): string {
  const end = key.indexOf(separator);
  return end < 0 ? '' : key.slice(0, end);
}

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
