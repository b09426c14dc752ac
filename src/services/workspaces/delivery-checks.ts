import type { Keyv } from 'keyv';
import { z } from 'zod';
import { type DeliveryRuleName, deliveryRuleNames } from '../../domain/deliveries/delivery-rules.ts';
import { type AsyncCacheOptions, createAsyncCache } from '../../lib/async-cache.ts';

const checksSchema = z.object({ off: z.array(z.enum(deliveryRuleNames)) });

/** The rules of the check before a send that an admin has switched off. All are on at first. */
export interface DeliveryCheckStore {
  rulesOff(workspaceId: string): Promise<readonly DeliveryRuleName[]>;
  saveRulesOff(workspaceId: string, off: readonly DeliveryRuleName[]): Promise<void>;
}

export function createDeliveryChecks({
  settings,
  cache,
}: {
  settings: (workspaceId: string) => Keyv;
  cache: AsyncCacheOptions;
}): DeliveryCheckStore & { forgetDeliveryChecks(workspaceId: string): void; known(): Iterable<string> } {
  const cached = createAsyncCache<readonly DeliveryRuleName[]>(cache);

  async function read(workspaceId: string): Promise<readonly DeliveryRuleName[]> {
    const value: unknown = await settings(workspaceId).get('delivery-checks');
    return value === undefined ? [] : checksSchema.parse(value).off;
  }

  return {
    forgetDeliveryChecks: (workspaceId) => cached.delete(workspaceId),
    known: cached.keys,

    rulesOff: (workspaceId) => cached.get(workspaceId, () => read(workspaceId)),

    async saveRulesOff(workspaceId, off) {
      await settings(workspaceId).set('delivery-checks', { off });
      cached.delete(workspaceId);
    },
  };
}
