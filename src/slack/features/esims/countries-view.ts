import type { KnownBlock, ModalView } from '@slack/types';
import { countryNamed, findCountries } from '../../../domain/phone/country-names.ts';
import type { EsimCountryChoice } from '../../../services/esims/esims.ts';
import type { KnownList } from '../../../services/workspaces/account-list-cache.ts';
import { actions, button, context, divider, input, modal, section } from '../../block-kit/build.ts';
import { brief } from '../../block-kit/limits.ts';
import { loadingSection } from '../../block-kit/loading-view.ts';
import { type PagePosition, pagingButtons, viewPageOf } from '../../block-kit/paging/page-position.ts';
import { pluralize } from '../../block-kit/plural.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { FormValues } from '../../block-kit/view-state.ts';
import { notConnectedText } from '../../middleware/not-connected.ts';
import { openActions } from '../../navigation/open-actions.ts';

export const countriesCallback = 'esim_countries';
export const searchCountriesAction = 'esim_countries_search';
export const countryPagingActions = {
  previous: 'esim_countries_previous',
  next: 'esim_countries_next',
} as const;

const maxCountriesShown = 15;

export interface CountryQuery {
  /** A part of a name, or a code. */
  text: string;
  position: PagePosition;
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
      input(
        'esim_countries_query',
        'Country',
        {
          type: 'plain_text_input',
          action_id: searchCountriesAction,
          max_length: 100,
          placeholder: { type: 'plain_text', text: 'Name or code' },
          dispatch_action_config: { trigger_actions_on: ['on_enter_pressed'] },
          ...(text === '' ? {} : { initial_value: text }),
        },
        { optional: true, dispatch: true },
      ),
      divider(),
      ...content({ text, position }, known),
    ],
  });
}

function content(
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

export function readCountryText(values: FormValues): string {
  return values.esim_countries_query?.text?.trim() ?? '';
}
