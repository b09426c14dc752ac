import { countryNamed } from '../../../domain/phone/country-names.ts';
import { countryOptions } from '../../block-kit/inputs/country-search.ts';
import {
  firstPosition,
  type PagePosition,
  pagePositionSchema,
} from '../../block-kit/paging/page-position.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { replaceModal } from '../../middleware/open-modal.ts';
import type { ActionRequest } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { esimActions } from './actions.ts';
import type { EsimBrowser } from './browse.ts';
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
  { esims, esimPurchases }: AppContext['services'],
  { showPlans }: EsimBrowser,
): void {
  const shown = { canOrder: esimPurchases };
  router.action(openActions.esimPlans, async (call) => {
    await showPlans(replaceModal(call), call.user.workspaceId, {
      use: { intent: 'any' },
      country: countryNamed(call.value),
      position: firstPosition,
    });
  });

  onPaging(router, planPagingActions, [planCountryAction, planTypeAction], async (call, position) => {
    if (call.view !== undefined) {
      const { values, metadata } = call.view;
      await showPlans(replaceModal(call), call.user.workspaceId, readPlanQuery(values, metadata, position));
    }
  });

  router.submission(plansCallback, async ({ user, values, metadata }) => {
    const query = readPlanQuery(values, metadata, firstPosition);
    return {
      view: plansView(query, 'loading', shown),
      background: async () =>
        plansView(query, await esims.plans(user.workspaceId, planFilterOf(query)), shown),
    };
  });

  router.options(planCountryAction, async ({ query }) => countryOptions(query, { withEvery: true }));
}

function registerEsimList(router: Router, { showList }: EsimBrowser): void {
  router.action(esimActions.openList, (call) =>
    showList(replaceModal(call), call.user.workspaceId, firstPosition),
  );

  onPaging(router, esimPagingActions, [], (call, position) =>
    showList(replaceModal(call), call.user.workspaceId, position),
  );
}

function registerCountries(
  router: Router,
  { esims }: AppContext['services'],
  { showCountries }: EsimBrowser,
): void {
  router.action(esimActions.openCountries, (call) =>
    showCountries(replaceModal(call), call.user.workspaceId, { text: '', position: firstPosition }),
  );

  onPaging(router, countryPagingActions, [searchCountriesAction], (call, position) => {
    const text = readCountryText(call.view?.values ?? {});
    return showCountries(replaceModal(call), call.user.workspaceId, { text, position });
  });

  router.submission(countriesCallback, async ({ user, values }) => {
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
  filters: readonly string[],
  show: (call: ActionRequest, position: PagePosition) => Promise<void>,
): void {
  for (const actionId of filters) {
    router.action(actionId, (call) => show(call, firstPosition));
  }
  for (const actionId of Object.values(paging)) {
    router.action(actionId, (call) => show(call, pagePositionSchema.parse(JSON.parse(call.value))));
  }
}
