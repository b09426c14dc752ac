import type { KnownBlock, ModalView } from '@slack/types';
import { countryNamed, findCountries } from '../../../domain/phone/country-names.ts';
import type { EsimCountryChoice } from '../../../services/esims/esims.ts';
import type { KnownList } from '../../../services/workspaces/account-list-cache.ts';
import { actions, button, context, divider, input, modal, section } from '../../block-kit/build.ts';
import { brief } from '../../block-kit/limits.ts';
import { type PagePosition, pagingButtons, viewPageOf } from '../../block-kit/paging/page-position.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { FormValues } from '../../block-kit/view-state.ts';
import { openActions } from '../../navigation/open-actions.ts';

export const countriesCallback = 'esim_countries';
export const searchCountriesAction = 'esim_countries_search';
export const turnCountries = { previous: 'esim_countries_previous', next: 'esim_countries_next' } as const;

const countriesShown = 15;

/** The countries that have plans, those with a text in their name or as a code, a page at a time. */
export function countriesView(
  { query, position }: { query: string; position: PagePosition },
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
          placeholder: { type: 'plain_text', text: 'A name or a code' },
          dispatch_action_config: { trigger_actions_on: ['on_enter_pressed'] },
          ...(query === '' ? {} : { initial_value: query }),
        },
        { optional: true, dispatch: true },
      ),
      divider(),
      ...content({ query, position }, known),
    ],
  });
}

function content(
  { query, position }: { query: string; position: PagePosition },
  known: KnownList<EsimCountryChoice> | 'not_connected' | 'loading',
): KnownBlock[] {
  if (known === 'loading') {
    return [section(mrkdwn`:hourglass_flowing_sand: Asking the provider…`)];
  }
  if (known === 'not_connected') {
    return [section(mrkdwn`No provider key is connected.`)];
  }
  const found = search(known.records, query);
  const part = viewPageOf(found, position, { last: true, most: countriesShown });
  const all = actions(
    'esim_countries_paging',
    ...pagingButtons(part, turnCountries),
    button(openActions.esimPlans, 'All plans'),
  );
  return [
    ...(known.note === undefined ? [] : [context(mrkdwn`:warning: ${known.note}`)]),
    ...(found.length === 0 ? [section(mrkdwn`None like this.`)] : []),
    ...part.shown.map(countryBlock),
    ...(found.length === 0
      ? []
      : [
          context(
            mrkdwn`${position.from + 1} to ${position.from + part.shown.length} of ${found.length === 1 ? '1 country' : `${found.length} countries`}`,
          ),
        ]),
    all,
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

/** By the provider's own name, and by all the names and codes that we know. */
function search(countries: readonly EsimCountryChoice[], query: string): readonly EsimCountryChoice[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') {
    return countries;
  }
  const meant = new Set(findCountries(query).map(({ iso3 }) => iso3));
  return countries.filter(
    ({ name, iso2, iso3 }) =>
      name.toLowerCase().includes(wanted) || meant.has(iso3 ?? countryNamed(iso2 ?? name)?.iso3 ?? ''),
  );
}

export function readCountryQuery(values: FormValues): string {
  return values.esim_countries_query?.text?.trim() ?? '';
}
