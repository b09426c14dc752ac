import { createHash } from 'node:crypto';
import type { Keyv } from 'keyv';
import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import type { Secret } from '../../lib/secret.ts';
import type { TokenCache } from '../../provider/esims/esim-token.ts';

/** How long a token is kept that does not say when it expires, in milliseconds: a day, as those live that do (facts). */
const longestKept = 24 * 60 * 60 * 1000;

const storedSchema = z.object({
  token: z.string(),
  expiresAt: z.number().exactOptional(),
  /** Whose token it is: the key's digest. */
  of: z.string(),
});

/**
 * Keeps a workspace's token for eSIMs until it expires. A token is given out only for the key that it was obtained
 * with: a call that is still under way while the key is replaced puts the old one's token back.
 */
export function esimTokenCache(options: { keyv: Keyv; key: Secret; clock: Clock }): TokenCache {
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
      const lasts = stored.expiresAt === undefined ? longestKept : stored.expiresAt - clock().getTime();
      if (lasts > 0) {
        await keyv.set('token', { ...stored, of }, lasts);
      }
    },
    async delete() {
      await keyv.delete('token');
    },
  };
}
