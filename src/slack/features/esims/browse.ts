import { countryNamed } from '../../../domain/phone/country-names.ts';
import type { Services } from '../../../services/services.ts';
import { firstPosition, type PagePosition } from '../../block-kit/paging/page-position.ts';
import type { ShowModal } from '../../middleware/open-modal.ts';
import { type CountryQuery, countriesView } from './countries-view.ts';
import { esimListView, loadingEsims } from './list-view.ts';
import { loadingTopUps, type PlanQuery, planFilterOf, plansView } from './plans-view.ts';

/** Each function shows a loading view at once, and the list when the provider has responded. */
export interface EsimBrowser {
  showPlans(show: ShowModal, workspaceId: string, query: PlanQuery): Promise<void>;
  /** Plans to top an eSIM up with, those of its country first. */
  showTopUps(show: ShowModal, workspaceId: string, iccid: string): Promise<void>;
  showList(show: ShowModal, workspaceId: string, position: PagePosition): Promise<void>;
  showCountries(show: ShowModal, workspaceId: string, query: CountryQuery): Promise<void>;
}

export function createEsimBrowser({
  esims,
  esimOrders,
  esimPurchases,
}: Pick<Services, 'esims' | 'esimOrders' | 'esimPurchases'>): EsimBrowser {
  const shown = { canOrder: esimPurchases };
  const answer = async (workspaceId: string, query: PlanQuery) =>
    plansView(query, await esims.plans(workspaceId, planFilterOf(query)), shown);
  return {
    async showPlans(show, workspaceId, query) {
      const replace = await show(plansView(query, 'loading', shown));
      await replace(await answer(workspaceId, query));
    },

    async showTopUps(show, workspaceId, iccid) {
      const use = { intent: 'top_up' as const, iccid };
      // Without the filters: once shown, a field keeps its value, and the country is not known yet.
      const replace = await show(loadingTopUps());
      const home = await esims.countriesOf(workspaceId, iccid);
      const [only = '', ...others] = home;
      await replace(
        await answer(workspaceId, {
          use: { ...use, home: [...home] },
          country: others.length === 0 ? countryNamed(only) : undefined,
          position: firstPosition,
        }),
      );
    },

    async showList(show, workspaceId, position) {
      const replace = await show(loadingEsims());
      const list = await esims.list(workspaceId, position.page);
      const iccids = list.kind === 'answered' ? list.value.records.map(({ iccid }) => iccid) : [];
      await replace(esimListView(position, list, await esimOrders.creators(workspaceId, iccids)));
    },

    async showCountries(show, workspaceId, query) {
      const replace = await show(countriesView(query, 'loading'));
      await replace(countriesView(query, await esims.countries(workspaceId)));
    },
  };
}
