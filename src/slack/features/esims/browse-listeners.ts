import type { Permission } from '../../../domain/access/roles.ts';
import { countryNamed } from '../../../domain/phone/country-names.ts';
import { countryOptions } from '../../block-kit/inputs/country-search.ts';
import {
  firstPosition,
  type PagePosition,
  pagePositionSchema,
} from '../../block-kit/paging/page-position.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import type { ActionRequest } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { esimActions } from './actions.ts';
import { type EsimBrowser, esimRights } from './browse.ts';
import {
  countriesCallback,
  countriesView,
  countryPagingActions,
  readCountryText,
  searchCountriesAction,
} from './countries-view.ts';
import { esimPagingActions } from './list-view.ts';
import {
  planCountryAction,
  planFilterOf,
  planPagingActions,
  plansCallback,
  plansView,
  planTypeAction,
  readPlanQuery,
} from './plans-view.ts';

/** The lists of plans, eSIMs and countries, with their filters and pages. */
export function registerEsimBrowsing(router: Router, { services }: AppContext, browser: EsimBrowser): void {
  registerPlans(router, services, browser);
  registerEsimList(router, browser);
  registerCountries(router, services, browser);
}

function registerPlans(
  router: Router,
  { esims, workspaces }: AppContext['services'],
  { showPlans }: EsimBrowser,
): void {
  router.action(openActions.esimPlans, 'look_up', async (call) => {
    await showPlans(call.show, call.user, {
      use: { intent: 'any' },
      country: countryNamed(call.value),
      position: firstPosition,
    });
  });

  onPaging(
    router,
    planPagingActions,
    'look_up',
    [planCountryAction, planTypeAction],
    async (call, position) => {
      if (call.view !== undefined) {
        const { values, metadata } = call.view;
        await showPlans(call.show, call.user, readPlanQuery(values, metadata, position));
      }
    },
  );

  router.submission(plansCallback, 'look_up', async ({ user, values, metadata }) => {
    const query = readPlanQuery(values, metadata, firstPosition);
    const shown = await esimRights(user, workspaces);
    return {
      view: plansView(query, 'loading', shown),
      background: async () =>
        plansView(query, await esims.plans(user.workspaceId, planFilterOf(query)), shown),
    };
  });

  router.options(planCountryAction, 'look_up', async ({ query }) =>
    countryOptions(query, { withEvery: true }),
  );
}

function registerEsimList(router: Router, { showList }: EsimBrowser): void {
  router.action(esimActions.openList, 'esim_status', (call) =>
    showList(call.show, call.user.workspaceId, firstPosition),
  );

  onPaging(router, esimPagingActions, 'esim_status', [], (call, position) =>
    showList(call.show, call.user.workspaceId, position),
  );
}

function registerCountries(
  router: Router,
  { esims }: AppContext['services'],
  { showCountries }: EsimBrowser,
): void {
  router.action(esimActions.openCountries, 'look_up', (call) =>
    showCountries(call.show, call.user.workspaceId, { text: '', position: firstPosition }),
  );

  onPaging(router, countryPagingActions, 'look_up', [searchCountriesAction], (call, position) => {
    const text = readCountryText(call.view?.values ?? {});
    return showCountries(call.show, call.user.workspaceId, { text, position });
  });

  router.submission(countriesCallback, 'look_up', async ({ user, values }) => {
    const query = { text: readCountryText(values), position: firstPosition };
    return {
      view: countriesView(query, 'loading'),
      background: async () => countriesView(query, await esims.countries(user.workspaceId)),
    };
  });
}

/** Registers the filters of a list, which show its first page, and *Previous* and *Next*, whose value is a position. */
function onPaging(
  router: Router,
  paging: { previous: string; next: string },
  permission: Permission,
  filters: readonly string[],
  show: (call: ActionRequest, position: PagePosition) => Promise<void>,
): void {
  for (const actionId of filters) {
    router.action(actionId, permission, (call) => show(call, firstPosition));
  }
  for (const actionId of Object.values(paging)) {
    router.action(actionId, permission, (call) =>
      show(call, pagePositionSchema.parse(JSON.parse(call.value))),
    );
  }
}
