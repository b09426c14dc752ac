import { createHash } from 'node:crypto';

/**
 * An id for what a request starts, made of the request's own trigger: the same request received twice starts the same
 * thing, and so can send only once.
 */
export function requestKey(...parts: string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
}
