import { createHash } from 'node:crypto';
import type { Keyv } from 'keyv';
import { z } from 'zod';
import type { Secret } from '../../lib/secret.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { TokenCache } from '../../provider/esims/esim-token.ts';

/** In milliseconds, for a token without an expiry date: a day, the lifetime of those that have one. */
const defaultTtl = 24 * 60 * 60_000;

const storedSchema = z.object({
  token: z.string(),
  expiresAt: z.number().exactOptional(),
  /** The digest of the key that the token was obtained with. */
  of: z.string(),
});

/**
 * Caches a workspace's eSIM token until it expires. A token is returned only for the key that it was obtained with: a
 * request that is under way while the key is replaced may still store the old key's token.
 */
export function createEsimTokenCache(options: { keyv: Keyv; key: Secret; clock: Clock }): TokenCache {
  const { keyv, key, clock } = options;
  const of = createHash('sha256').update(key.reveal()).digest('base64');
  return {
    async get() {
      const { data } = storedSchema.safeParse(await keyv.get('token'));
      if (data?.of !== of) {
        return undefined;
      }
      const { of: _, ...stored } = data;
      return stored;
    },
    async set(stored) {
      const ttl = stored.expiresAt === undefined ? defaultTtl : stored.expiresAt - clock().getTime();
      if (ttl > 0) {
        await keyv.set('token', { ...stored, of }, ttl);
      }
    },
    async delete() {
      await keyv.delete('token');
    },
  };
}
