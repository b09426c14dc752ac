import { type EsimPlan, priceOf } from '../../../services/esims/esim-plans.ts';
import { countryLabel } from '../../block-kit/inputs/country-search.ts';
import { brief } from '../../block-kit/limits.ts';
import { joinInline, type Markup, mrkdwn } from '../../block-kit/text.ts';

const typeNames = new Map([
  ['LOCAL', 'Local'],
  ['REGION', 'Regional'],
]);

const maxCountriesShown = 5;

/** A plan in a list, with the figures as the provider returns them. */
export function planLines(plan: EsimPlan): Markup {
  const { name, data, time, countries } = plan;
  const figures = [
    planPrice(plan),
    ...(data === undefined ? [] : [mrkdwn`Data ${data}`]),
    ...(time === undefined ? [] : [mrkdwn`Time ${time}`]),
  ];
  const coverage = [
    planType(plan),
    countries.length === 0 ? undefined : planCountries(plan, maxCountriesShown),
  ]
    .filter((part) => part !== undefined)
    .join(' · ');
  return mrkdwn`${[mrkdwn`*${brief(name)}*`, joinInline(figures), ...(coverage === '' ? [] : [coverage])]}`;
}

/** The facts of a plan for its confirmation, each with its title. */
export function planFacts(plan: EsimPlan): (readonly [string, Markup])[] {
  const { data, time } = plan;
  const type = planType(plan);
  return [
    ['Price', planPrice(plan)] as const,
    ...(data === undefined ? [] : [['Data', mrkdwn`${data}`] as const]),
    ...(time === undefined ? [] : [['Time', mrkdwn`${time}`] as const]),
    ...(type === undefined ? [] : [['Type', mrkdwn`${type}`] as const]),
  ];
}

export const unitsNote = mrkdwn`The provider does not name the units of data and time.`;

/** Returns the countries of a plan by name: all, or the first `most` and how many more there are. */
export function planCountries({ countries }: EsimPlan, most = countries.length): string {
  const names = countries.map(countryLabel).sort((one, other) => one.localeCompare(other, 'en'));
  const more = names.length - most;
  return more > 0 ? `${names.slice(0, most).join(', ')} and ${more} more` : names.join(', ');
}

function planPrice(plan: EsimPlan): Markup {
  const price = priceOf(plan);
  return price === undefined ? mrkdwn`_price not listed_` : mrkdwn`*${brief(price)}*`;
}

function planType({ type }: EsimPlan): string | undefined {
  return type === undefined ? undefined : (typeNames.get(type) ?? brief(type));
}
