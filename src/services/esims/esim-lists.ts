import type { Context } from '../context.ts';
import { createAccountListCache, gatherList } from '../workspaces/account-list-cache.ts';
import { notConnected } from '../workspaces/not-connected.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import { countriesOfPlan } from './esim-plans.ts';
import type { EsimChoice, EsimCountryChoice, EsimService } from './esims.ts';

const esimsTtlMs = 5 * 60_000;
const catalogueTtlMs = 6 * 60 * 60_000;
const perPage = 100;

/** Caches the lists that users choose from. */
export function createEsimLists(
  { broadcast, time: { elapsed }, timers }: Context,
  { workspaces }: { workspaces: Workspaces },
): Pick<EsimService, 'choices' | 'invalidateChoices' | 'countries' | 'countriesOf'> {
  const choices = createAccountListCache<EsimChoice>({
    elapsed,
    timers,
    ttlMs: esimsTtlMs,
    fetch: ({ esims }) =>
      gatherList(esims.all({ size: perPage }), ({ iccid, state, productId }) => [
        iccid,
        { iccid, state, productId },
      ]),
  });

  const countries = createAccountListCache<EsimCountryChoice>({
    elapsed,
    timers,
    ttlMs: catalogueTtlMs,
    fetch: ({ esims }) =>
      gatherList(esims.allCountries({ size: perPage }), ({ name, iso2, iso3, region }) => [
        iso3 ?? name,
        { name, iso2, iso3, region },
      ]),
  });

  const planCountries = createAccountListCache<{ productId: string; countries: readonly string[] }>({
    elapsed,
    timers,
    ttlMs: catalogueTtlMs,
    fetch: ({ esims }) =>
      gatherList(esims.allPlans({ size: perPage }), (plan) => [
        plan.productId,
        { productId: plan.productId, countries: countriesOfPlan(plan) },
      ]),
  });

  async function invalidate(workspaceId: string): Promise<void> {
    const account = await workspaces.account(workspaceId);
    if (account !== undefined) {
      choices.invalidate(account);
    }
  }
  // Where the account cannot be read, the list is as old as it may be.
  broadcast.on('esims', (workspaceId) => {
    if (workspaceId !== undefined) {
      void invalidate(workspaceId).catch(() => {});
    }
  });

  return {
    async countriesOf(workspaceId, iccid) {
      const account = await workspaces.account(workspaceId);
      if (account === undefined) {
        return [];
      }
      const [created, plans] = await Promise.all([
        choices.getWithin(account),
        planCountries.getWithin(account),
      ]);
      const productId = created.records.find((esim) => esim.iccid === iccid)?.productId;
      return plans.records.find((plan) => plan.productId === productId)?.countries ?? [];
    },

    async choices(workspaceId) {
      const account = await workspaces.account(workspaceId);
      return account === undefined ? { records: [], note: notConnected } : choices.getWithin(account);
    },

    async invalidateChoices(workspaceId) {
      await invalidate(workspaceId);
      broadcast.send('esims', workspaceId);
    },

    async countries(workspaceId) {
      const account = await workspaces.account(workspaceId);
      return account === undefined ? 'not_connected' : countries.get(account);
    },
  };
}
