import type { Keyv } from 'keyv';
import { z } from 'zod';
import { usualEsimPurchases } from '../../domain/defaults.ts';
import { routeSchema } from '../../domain/messages/routes.ts';
import { countryCodeSchema } from '../../domain/phone/countries.ts';
import { type AsyncCacheOptions, createAsyncCache } from '../../lib/async-cache.ts';
import type { Defaults, Workspaces } from './workspaces.ts';

const defaultsSchema = z.object({
  country: countryCodeSchema,
  route: routeSchema,
  senderId: z.string().optional(),
  esimPurchases: z.boolean(),
});

/** Keeps the defaults of each workspace's forms. Every command reads them, so they are cached. */
export function createDefaults({
  settings,
  cache,
}: {
  settings: (workspaceId: string) => Keyv;
  cache: AsyncCacheOptions;
}): Pick<Workspaces, 'defaults' | 'saveDefaults'> & {
  forgetDefaults(workspaceId: string): void;
  known(): Iterable<string>;
} {
  const cached = createAsyncCache<Defaults>(cache);

  async function read(workspaceId: string): Promise<Defaults> {
    const value: unknown = await settings(workspaceId).get('defaults');
    return value === undefined
      ? { country: 'NG', route: 'dnd', esimPurchases: usualEsimPurchases }
      : defaultsSchema.parse(value);
  }

  return {
    forgetDefaults: (workspaceId) => cached.delete(workspaceId),
    known: cached.keys,

    defaults: (workspaceId) => cached.get(workspaceId, () => read(workspaceId)),

    async saveDefaults(workspaceId, changed) {
      await settings(workspaceId).set('defaults', changed);
      cached.delete(workspaceId);
    },
  };
}
