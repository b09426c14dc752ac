import { createHash } from 'node:crypto';
import { ClearStateStore, InvalidStateError, type StateStore } from '@slack/oauth';
import { LRUCache } from 'lru-cache';
import type { Secret } from '../../../lib/secret.ts';
import type { Clock } from '../../../lib/time/clock.ts';

const expiresAfterSeconds = 10 * 60;
const maxUsed = 100_000;
/** In characters. */
const maxState = 4_096;

/**
 * Slack's own signed states, by our clock, each good for one installation. Those that were used are kept in memory: a
 * code that comes with one is good once at Slack as well.
 */
export function createStateStore(secret: Secret, clock: Clock): StateStore {
  const signed = new ClearStateStore(secret.reveal(), expiresAfterSeconds);
  const used = new LRUCache<string, true>({ max: maxUsed });
  return {
    generateStateParam: (options) => signed.generateStateParam(options, clock()),

    async verifyStateParam(_now, state) {
      if (state.length > maxState) {
        throw new InvalidStateError('The state is too long');
      }
      const options = await signed.verifyStateParam(clock(), state);
      const name = createHash('sha256').update(state).digest('base64');
      if (used.has(name)) {
        throw new InvalidStateError('The state was used already');
      }
      used.set(name, true);
      return options;
    },
  };
}
