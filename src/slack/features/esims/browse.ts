import { countryNamed } from '../../../domain/phone/country-names.ts';
import type { Services } from '../../../services/services.ts';
import { firstPosition, type PagePosition } from '../../block-kit/paging/page-position.ts';
import type { ShowModal, User } from '../../middleware/requests.ts';
import { type CountryQuery, countriesView } from './countries-view.ts';
import { esimListView, loadingEsims } from './list-view.ts';
import { type EsimRights, loadingTopUps, type PlanQuery, planFilterOf, plansView } from './plans-view.ts';

type WorkspaceDefaults = Pick<Services['workspaces'], 'defaults'>;

export async function esimRights(user: User, workspaces: WorkspaceDefaults): Promise<EsimRights> {
  return {
    canOrder: await canOrder(user, workspaces),
    seesEsims: user.permissions.has('esim_status'),
  };
}

/** Whether a user can create and top up eSIMs: that may be off in the workspace. */
export async function canOrder(
  { workspaceId, permissions }: User,
  workspaces: WorkspaceDefaults,
): Promise<boolean> {
  return permissions.has('buy') && (await workspaces.defaults(workspaceId)).esimPurchases;
}

/** Each function shows a loading view at once, and the list when the provider has responded. */
export interface EsimBrowser {
  showPlans(show: ShowModal, user: User, query: PlanQuery): Promise<void>;
  /** Plans to top an eSIM up with, those of its country first. */
  showTopUps(show: ShowModal, user: User, iccid: string): Promise<void>;
  showList(show: ShowModal, workspaceId: string, position: PagePosition): Promise<void>;
  showCountries(show: ShowModal, workspaceId: string, query: CountryQuery): Promise<void>;
}

export function createEsimBrowser({
  esims,
  esimOrders,
  workspaces,
}: Pick<Services, 'esims' | 'esimOrders' | 'workspaces'>): EsimBrowser {
  const answer = async (user: User, query: PlanQuery) =>
    plansView(
      query,
      await esims.plans(user.workspaceId, planFilterOf(query)),
      await esimRights(user, workspaces),
    );
  return {
    async showPlans(show, user, query) {
      const replace = await show(plansView(query, 'loading', await esimRights(user, workspaces)));
      await replace(await answer(user, query));
    },

    async showTopUps(show, user, iccid) {
      const use = { intent: 'top_up' as const, iccid };
      // Without the filters: once shown, a field keeps its value, and the country is not known yet.
      const replace = await show(loadingTopUps());
      const home = await esims.countriesOf(user.workspaceId, iccid);
      const [only = '', ...others] = home;
      await replace(
        await answer(user, {
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
