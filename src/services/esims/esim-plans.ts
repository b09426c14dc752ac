import { z } from 'zod';
import { countryNamed, type NamedCountry } from '../../domain/phone/country-names.ts';
import type { ProviderAccount } from '../../provider/client.ts';
import type { Outcome } from '../../provider/errors.ts';
import type { DataPlan, DeprecatedDataPlan } from '../../provider/esims/esim-operations.ts';
import { omitUndefined } from '../../provider/response/fields.ts';
import type { Page } from '../../provider/response/paging.ts';
import { accepted, orGone, Refusal } from '../refusal.ts';

/** A data plan to choose, from either of the provider's lists. */
export const esimPlanSchema = z.object({
  productId: z.string(),
  name: z.string(),
  /** In a unit that the provider does not name. */
  data: z.number().exactOptional(),
  /** In a unit that the provider does not name. */
  time: z.number().exactOptional(),
  /** Exactly as the provider wrote it. The deprecated list has no prices. */
  price: z.string().exactOptional(),
  currency: z.string().exactOptional(),
  /** As the provider writes it: `LOCAL`, `REGION`, in the deprecated list also `DESTINATION`. */
  type: z.string().exactOptional(),
  /** Where it works, ISO 3166-1 alpha-3. Empty if the provider does not say. */
  countries: z.array(z.string()),
});
export type EsimPlan = z.infer<typeof esimPlanSchema>;

export const planTypeSchema = z.enum(['LOCAL', 'REGION']);
export type PlanType = z.infer<typeof planTypeSchema>;

export interface PlanFilter {
  country?: NamedCountry | undefined;
  type?: PlanType | undefined;
  /** Zero-based. */
  page: number;
}

/** One page of plans. */
export interface PlanPage {
  plans: readonly EsimPlan[];
  /** Zero-based. */
  number: number;
  totalPages?: number;
  totalElements?: number;
  last: boolean;
  /** Plans on this page without an id, as the provider sent them. They aren't shown. */
  unreadable: readonly unknown[];
  /** Whether it comes from the deprecated list, because the provider does not have the current one. */
  deprecated: boolean;
}

/** Status codes by which a provider says that it does not have the current list. */
const missingListStatuses: ReadonlySet<number | undefined> = new Set([404, 405, 410, 501]);

/** Returns the plans on sale (API §4.13.2), from the deprecated list (§4.13.3) if the current one does not exist. */
export async function browsePlans({ esims }: ProviderAccount, filter: PlanFilter): Promise<PlanPage> {
  const { type } = filter;
  const page = filter.page === 0 ? {} : { page: filter.page };
  // The API does not say how the lists expect a country: by its name or by one of its codes.
  const { country: asked } = filter;
  const forms: [CountryForm, ...CountryForm[]] =
    asked === undefined ? [{}] : [{ country: asked.name }, { country: asked.iso3 }, { country: asked.iso2 }];
  const current = await tryForms(forms, (country) =>
    esims.plans({ ...country, ...page, ...(type && { type }) }),
  );
  if (current.kind === 'accepted') {
    const plans = current.value.records.map((plan) => {
      const price = plan.price && short(plan.price);
      const currency = plan.currency && short(plan.currency);
      return omitUndefined({ ...readShared(plan), price, currency, countries: countriesOfPlan(plan) });
    });
    return pageOf(current.value, plans, false);
  }
  if (!missingListStatuses.has(current.error.status)) {
    throw new Refusal({ kind: 'failed', error: current.error });
  }
  const older = accepted(await tryForms(forms, (country) => esims.plansDeprecated({ ...country, ...page })));
  // This list has a row for each country of a plan, and no filter by type.
  const plans = new Map<string, EsimPlan>();
  for (const { countryIso3: iso3, country, ...row } of older.records) {
    const { countries = [], ...shared } = plans.get(row.productId) ?? readShared(row);
    const here = readCountry({ ...(iso3 && { iso3 }), ...(country && { country }) });
    plans.set(row.productId, { ...shared, countries: [...new Set([...countries, ...here])] });
  }
  return pageOf(
    older,
    [...plans.values()].filter((plan) => !type || plan.type === type),
    true,
  );
}

/** Returns the price exactly as the provider wrote it. */
export function priceOf({ price, currency }: EsimPlan): string | undefined {
  return price === undefined ? undefined : [price, currency].filter(Boolean).join(' ');
}

/**
 * Returns the plan and its price. Countries are left out: the older list returns only those that match
 * the search.
 */
export function offerOf({ productId, name, data, time, type, price, currency }: EsimPlan): string {
  return JSON.stringify([productId, name, data, time, type, price, currency]);
}

interface CountryForm {
  country?: string;
}

/** Tries one form after the other until there is a plan, or an error that another form would not resolve. */
async function tryForms<T>(
  [form, ...others]: [CountryForm, ...CountryForm[]],
  ask: (form: CountryForm) => Promise<Outcome<Page<T>>>,
): Promise<Outcome<Page<T>>> {
  const answer = await ask(form);
  const [next, ...rest] = others;
  const mayBeTheForm =
    answer.kind === 'accepted' ? answer.value.empty : answer.error.reason === 'invalid_request';
  return next !== undefined && mayBeTheForm ? tryForms([next, ...rest], ask) : answer;
}

function pageOf<T>(page: Page<T>, plans: readonly EsimPlan[], deprecated: boolean): PlanPage {
  const { number, totalPages, totalElements, last, unreadable } = page;
  return omitUndefined({ plans, number, totalPages, totalElements, last, unreadable, deprecated });
}

/** Returns where a plan works, alpha-3. */
export function countriesOfPlan(plan: DataPlan): string[] {
  return [...new Set((plan.supportedCountries ?? [plan]).flatMap(readCountry))];
}

function readShared(
  plan: DataPlan | DeprecatedDataPlan,
): Omit<EsimPlan, 'countries'> & { countries?: string[] } {
  const { productId, dataUsageAllowance: data, timeAllowance: time, dataPlanType } = plan;
  const name = plan.name === undefined ? productId : short(plan.name);
  const type = dataPlanType && short(dataPlanType);
  return omitUndefined({ productId, name, data, time, type });
}

function readCountry({
  iso3,
  country,
}: {
  iso3?: string | undefined;
  country?: string | undefined;
}): string[] {
  const code = iso3?.toUpperCase();
  if (code !== undefined && /^[A-Z]{3}$/.test(code)) {
    return [code];
  }
  const named = country === undefined ? undefined : countryNamed(country);
  return named === undefined ? [] : [named.iso3];
}

/** In characters. */
const maxText = 150;

/** Shortens a text: a plan is carried in the value of a button (Slack: at most 2000 characters). */
function short(text: string): string {
  return text.length <= maxText ? text : `${text.slice(0, maxText - 1)}…`;
}

/** The most pages to search: a plan on none of them counts as gone. */
const maxPages = 20;

/** Returns a plan as it is on sale now. Throws a Refusal where it is not. The API has no request for one plan. */
export async function rereadPlan(
  account: ProviderAccount,
  { productId, countries, type }: EsimPlan,
): Promise<EsimPlan> {
  const [iso3] = countries;
  const filter = {
    country: iso3 === undefined ? undefined : countryNamed(iso3),
    type: planTypeSchema.safeParse(type).data,
  };
  for (let page = 0; page < maxPages; page += 1) {
    const { plans, last } = await browsePlans(account, { ...filter, page });
    const found = plans.find((plan) => plan.productId === productId);
    if (found !== undefined || last) {
      return orGone(found, 'plan');
    }
  }
  throw new Refusal({ kind: 'gone', what: 'plan' });
}
