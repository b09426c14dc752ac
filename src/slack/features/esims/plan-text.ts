import type { ContextBlock } from '@slack/types';
import { nameStates } from '../../../domain/esims/plan-figures.ts';
import { type EsimPlan, priceOf } from '../../../services/esims/esim-plans.ts';
import { context } from '../../block-kit/build.ts';
import { countryLabel } from '../../block-kit/inputs/country-search.ts';
import { brief } from '../../block-kit/limits.ts';
import { formatMoney } from '../../block-kit/plural.ts';
import { joinInline, type Markup, mrkdwn } from '../../block-kit/text.ts';

const typeNames = new Map([
  ['LOCAL', 'Local'],
  ['REGION', 'Regional'],
]);

const maxCountriesShown = 5;
const maxHomeShown = 2;

/** A plan in a list. `home`: the countries of the eSIM that it is to top up. */
export function planLines(plan: EsimPlan, home: readonly string[] = []): Markup {
  const { name, countries } = plan;
  const figures = [
    planPrice(plan),
    ...bareFigures(plan).map(([title, figure]) => mrkdwn`${title} ${figure}`),
  ];
  const coverage = [
    planType(plan),
    countries.length === 0 ? undefined : planCountries(plan, maxCountriesShown),
  ]
    .filter((part) => part !== undefined)
    .join(' · ');
  const remark = isElsewhere(plan, home)
    ? [mrkdwn`:warning: Not for ${countryNames(home, maxHomeShown)}`]
    : [];
  return mrkdwn`${[mrkdwn`*${brief(name)}*`, joinInline(figures), ...(coverage === '' ? [] : [coverage]), ...remark]}`;
}

/** The facts of a plan for its confirmation, each with its title. */
export function planFacts(plan: EsimPlan): (readonly [string, Markup])[] {
  const type = planType(plan);
  return [
    ['Price', planPrice(plan)] as const,
    ...bareFigures(plan).map(([title, figure]) => [title, mrkdwn`${figure}`] as const),
    ...(type === undefined ? [] : [['Type', mrkdwn`${type}`] as const]),
  ];
}

/** The figures that the provider gives without a unit, and the name does not state. */
function bareFigures({ name, data, time }: EsimPlan): (readonly ['Data' | 'Time', number])[] {
  return [
    ...(data === undefined || nameStates(name, data, 'data') ? [] : [['Data', data] as const]),
    ...(time === undefined || nameStates(name, time, 'time') ? [] : [['Time', time] as const]),
  ];
}

/** Said once of all plans shown, where there is a figure that it is true of. */
export function unitsNote(plans: readonly EsimPlan[]): ContextBlock[] {
  return plans.some((plan) => bareFigures(plan).length > 0)
    ? [context(mrkdwn`The provider does not name the units of data and time.`)]
    : [];
}

/** Whether a plan works in none of these countries. Not, if the provider says where of neither. */
export function isElsewhere({ countries }: Pick<EsimPlan, 'countries'>, home: readonly string[]): boolean {
  return home.length > 0 && countries.length > 0 && !countries.some((country) => home.includes(country));
}

/** Says that a plan is for other countries than the eSIM's; undefined: it is not. */
export function elsewhereRemark(plan: EsimPlan, home: readonly string[]): Markup | undefined {
  return isElsewhere(plan, home)
    ? mrkdwn`:warning: *This plan is for ${planCountries(plan, maxHomeShown)}.* The eSIM’s plan is for ${countryNames(home, maxHomeShown)}.`
    : undefined;
}

/** Returns the countries of a plan by name: all, or the first `most` and how many more there are. */
export function planCountries({ countries }: EsimPlan, most = countries.length): string {
  return countryNames(countries, most);
}

function countryNames(countries: readonly string[], most: number): string {
  const names = countries.map(countryLabel).sort((one, other) => one.localeCompare(other, 'en'));
  const more = names.length - most;
  return more > 0 ? `${names.slice(0, most).join(', ')} and ${more} more` : names.join(', ');
}

function planPrice(plan: EsimPlan): Markup {
  const price = priceOf(plan);
  return price === undefined ? mrkdwn`_price not listed_` : mrkdwn`*${brief(formatMoney(price))}*`;
}

function planType({ type }: EsimPlan): string | undefined {
  return type === undefined ? undefined : (typeNames.get(type) ?? brief(type));
}
