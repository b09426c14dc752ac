import type { KnownBlock } from '@slack/types';
import { countryNamed, findCountries } from '../../../domain/phone/country-names.ts';
import type { Esim } from '../../../provider/esims/esim-operations.ts';
import type { EsimCreator } from '../../../services/esims/esim-placing.ts';
import type { EsimCountryChoice } from '../../../services/esims/esims.ts';
import { button, context, present, section } from '../../block-kit/build.ts';
import { esimOptions } from '../../block-kit/inputs/selects.ts';
import { brief, clampText, limits } from '../../block-kit/limits.ts';
import { pageIndicator, viewPageOf } from '../../block-kit/paging.ts';
import { pluralize } from '../../block-kit/plural.ts';
import { joinInline, joinWords, mrkdwn, timeFor, userMention } from '../../block-kit/text.ts';
import { textField } from '../../kit/fields.ts';
import { byPage, defineList } from '../../kit/list.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import type { OptionsRequest, OptionsResponse } from '../../middleware/requests.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { esimActions } from './actions.ts';

const maxEsimsShown = 40;
const maxCountriesShown = 15;

/** The eSIMs of the account. */
export function createEsimList({ services: { esims, esimOrders } }: AppContext) {
  return defineList({
    id: 'esim_list',
    title: 'eSIMs',
    needs: 'esim_status',
    paging: byPage,
    loading: 'Asking the provider…',
    async read({ workspaceId }, { position }) {
      const page = await esims.list(workspaceId, position.page);
      const { records, unreadable, last } = page;
      const iccids = records.map(({ iccid }) => iccid);
      const creators = await esimOrders.creators(workspaceId, iccids);
      const { shown, ...neighbours } = viewPageOf(records, position, { last, most: maxEsimsShown });
      return {
        rows: shown.map((esim) => esimRow(esim, creators.get(esim.iccid))),
        empty: unreadable.length > 0 ? mrkdwn`No eSIM can be shown.` : mrkdwn`No eSIMs yet.`,
        about: pageIndicator(page),
        neighbours,
      };
    },
    buttons: () => [button(openActions.esimPlans, 'See plans')],
  });
}

function esimRow(
  { iccid, state, productId, lastOperationDate }: Esim,
  creator: EsimCreator | undefined,
): KnownBlock {
  const parts = present(
    state !== undefined && mrkdwn`${brief(state)}`,
    productId !== undefined && mrkdwn`${clampText(productId, limits.listText)}`,
    lastOperationDate && timeFor(lastOperationDate),
  );
  const lines = present(
    mrkdwn`\`${iccid}\``,
    parts.length > 0 && joinInline(parts),
    creator && mrkdwn`Created by ${userMention(creator.userId)} ${timeFor(creator.at)}`,
  );
  const value = JSON.stringify({ iccid });
  const label = `Status of the eSIM ${iccid}`;
  return section(mrkdwn`${lines}`, button(esimActions.status, 'Show status', { value, label }));
}

export const esimSearch = { placeholder: 'Search by digits, plan or state' };

/** The options of a searched select of eSIMs. */
export async function findEsims(
  { services: { esims } }: AppContext,
  { user, query }: OptionsRequest,
): Promise<OptionsResponse> {
  const { records, note } = await esims.choices(user.workspaceId);
  const { options, cut } = esimOptions(records, query);
  const notes = present(note, cut > 0 && `${cut} more: type some digits`);
  return { options, ...(notes.length > 0 && { note: notes.join('. ') }) };
}

/** The countries with plans, searched by name or code. */
export function createEsimCountries({ services: { esims } }: AppContext) {
  return defineList({
    id: 'esim_countries',
    title: 'Countries with plans',
    needs: 'look_up',
    fields: {
      country: textField('Country', {
        max: 100,
        placeholder: 'Name or code',
        optional: true,
        live: 'enter',
      }),
    },
    paging: byPage,
    loading: 'Asking the provider…',
    async read({ workspaceId }, { form, position }) {
      const known = await esims.countries(workspaceId);
      const found = searchCountries(known.records, form.country);
      const { shown, ...neighbours } = viewPageOf(found, position, { last: true, most: maxCountriesShown });
      const [first, last] = [position.from + 1, position.from + shown.length];
      const all = pluralize(found.length, 'country', 'countries');
      const note = known.note === undefined ? undefined : mrkdwn`:warning: ${known.note}`;
      const isKnown = note === undefined || known.records.length > 0;
      return {
        above: present(isKnown && note && context(note)),
        rows: shown.map(countryRow),
        empty: isKnown ? mrkdwn`No results.` : note,
        about: found.length === 0 ? undefined : mrkdwn`${first} to ${last} of ${all}`,
        neighbours,
      };
    },
    buttons: () => [button(openActions.esimPlans, 'See all plans')],
  });
}

function countryRow({ name, iso2, iso3, region }: EsimCountryChoice): KnownBlock {
  const text = joinWords([mrkdwn`*${brief(name)}*`, ...present(iso2, iso3, region).map(brief)], ' · ');
  const value = countryNamed(iso3 ?? iso2 ?? name)?.iso3;
  const label = `Plans for ${name}`;
  return section(
    text,
    value === undefined ? undefined : button(openActions.esimPlans, 'Show plans', { value, label }),
  );
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
