import type { KnownBlock, ModalView } from '@slack/types';
import { countryNamed, findCountries } from '../../../domain/phone/country-names.ts';
import type { EsimCountryChoice } from '../../../services/esims/esims.ts';
import type { KnownList } from '../../../services/workspaces/account-list-cache.ts';
import { actions, button, context, divider, loadingSection, modal, section } from '../../block-kit/build.ts';
import { textInput } from '../../block-kit/inputs/fields.ts';
import { brief } from '../../block-kit/limits.ts';
import {
  firstPosition,
  type PagePosition,
  pagePositionSchema,
  pagingButtons,
  viewPageOf,
} from '../../block-kit/paging.ts';
import { pluralize } from '../../block-kit/plural.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { FormValues } from '../../block-kit/view-state.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { onPaging } from '../../middleware/list-buttons.ts';
import { notConnectedText } from '../../middleware/not-performed.ts';
import type { ActionRequest, ShowModal } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { esimActions } from './actions.ts';

const countriesCallback = 'esim_countries';
const searchCountriesAction = 'esim_countries_search';
const countryPagingActions = { previous: 'esim_countries_previous', next: 'esim_countries_next' } as const;

const maxCountriesShown = 15;

export interface CountryQuery {
  /** A part of a name, or a code. */
  text: string;
  position: PagePosition;
}

/** The countries with plans, searched by name or code. */
export function registerEsimCountries(router: Router, context: AppContext): void {
  const { esims } = context.services;
  const shownAt = (call: ActionRequest, position: PagePosition) =>
    showCountries(context, call.show, call.user.workspaceId, {
      text: readCountryText(call.view?.values ?? {}),
      position,
    });
  router.action(esimActions.openCountries, 'look_up', (call) =>
    showCountries(context, call.show, call.user.workspaceId, { text: '', position: firstPosition }),
  );
  router.action(searchCountriesAction, 'look_up', (call) => shownAt(call, firstPosition));
  onPaging(router, countryPagingActions, 'look_up', pagePositionSchema, shownAt);

  router.submission(countriesCallback, 'look_up', async ({ user, values }) => {
    const query = { text: readCountryText(values), position: firstPosition };
    return {
      view: countriesView(query, 'loading'),
      background: async () => countriesView(query, await esims.countries(user.workspaceId)),
    };
  });
}

/** Shows a loading view at once, and the list once the provider has answered. */
export async function showCountries(
  { services: { esims } }: AppContext,
  show: ShowModal,
  workspaceId: string,
  query: CountryQuery,
): Promise<void> {
  const replace = await show(countriesView(query, 'loading'));
  await replace(countriesView(query, await esims.countries(workspaceId)));
}

/** A page of the countries with plans whose name or code matches the query. */
export function countriesView(
  { text, position }: CountryQuery,
  known: KnownList<EsimCountryChoice> | 'not_connected' | 'loading',
): ModalView {
  return modal({
    callbackId: countriesCallback,
    title: 'Countries with plans',
    submit: 'Search',
    blocks: [
      textInput('esim_countries_query', 'Country', text, {
        actionId: searchCountriesAction,
        maxLength: 100,
        placeholder: 'Name or code',
        optional: true,
        dispatchOn: 'enter',
      }),
      divider(),
      ...countryContent({ text, position }, known),
    ],
  });
}

function countryContent(
  { text, position }: CountryQuery,
  known: KnownList<EsimCountryChoice> | 'not_connected' | 'loading',
): KnownBlock[] {
  if (known === 'loading') {
    return [loadingSection('Asking the provider…')];
  }
  if (known === 'not_connected') {
    return [section(notConnectedText())];
  }
  const found = searchCountries(known.records, text);
  const part = viewPageOf(found, position, { last: true, most: maxCountriesShown });
  const buttons = actions(
    'esim_countries_paging',
    ...pagingButtons(part, countryPagingActions),
    button(openActions.esimPlans, 'All plans'),
  );
  return [
    ...(known.note === undefined ? [] : [context(mrkdwn`:warning: ${known.note}`)]),
    ...(found.length === 0 ? [section(mrkdwn`No results.`)] : []),
    ...part.shown.map(countryBlock),
    ...(found.length === 0
      ? []
      : [
          context(
            mrkdwn`${position.from + 1} to ${position.from + part.shown.length} of ${pluralize(found.length, 'country', 'countries')}`,
          ),
        ]),
    buttons,
  ];
}

function countryBlock({ name, iso2, iso3, region }: EsimCountryChoice): KnownBlock {
  const codes = [iso2, iso3, region]
    .filter((part) => part !== undefined)
    .map(brief)
    .join(' · ');
  const text = section(mrkdwn`*${brief(name)}*${codes === '' ? '' : ` · ${codes}`}`);
  const country = countryNamed(iso3 ?? iso2 ?? name);
  return country === undefined
    ? text
    : {
        ...text,
        accessory: button(openActions.esimPlans, 'Plans', {
          value: country.iso3,
          label: `Plans for ${name}`,
        }),
      };
}

/** Finds countries by the provider's name, and by every name and code known here. */
function searchCountries(
  countries: readonly EsimCountryChoice[],
  search: string,
): readonly EsimCountryChoice[] {
  const text = search.trim().toLowerCase();
  if (text === '') {
    return countries;
  }
  const codes = new Set(findCountries(search).map(({ iso3 }) => iso3));
  return countries.filter(
    ({ name, iso2, iso3 }) =>
      name.toLowerCase().includes(text) || codes.has(iso3 ?? countryNamed(iso2 ?? name)?.iso3 ?? ''),
  );
}

function readCountryText(values: FormValues): string {
  return values.esim_countries_query?.text?.trim() ?? '';
}
