import type { EsimService } from '../../../services/esims/esims.ts';
import type { PagePosition } from '../../block-kit/paging/page-position.ts';
import type { ShowModal } from '../../middleware/open-modal.ts';
import { type CountryQuery, countriesView } from './countries-view.ts';
import { esimListView, loadingEsims } from './list-view.ts';
import { type PlanQuery, planFilterOf, plansView } from './plans-view.ts';

/** Each function shows a loading view at once, and the list when the provider has responded. */
export interface EsimBrowser {
  showPlans(show: ShowModal, workspaceId: string, query: PlanQuery): Promise<void>;
  showList(show: ShowModal, workspaceId: string, position: PagePosition): Promise<void>;
  showCountries(show: ShowModal, workspaceId: string, query: CountryQuery): Promise<void>;
}

export function createEsimBrowser(esims: EsimService): EsimBrowser {
  return {
    async showPlans(show, workspaceId, query) {
      const replace = await show(plansView(query, 'loading'));
      await replace(plansView(query, await esims.plans(workspaceId, planFilterOf(query))));
    },

    async showList(show, workspaceId, position) {
      const replace = await show(loadingEsims());
      await replace(esimListView(position, await esims.list(workspaceId, position.page)));
    },

    async showCountries(show, workspaceId, query) {
      const replace = await show(countriesView(query, 'loading'));
      await replace(countriesView(query, await esims.countries(workspaceId)));
    },
  };
}
