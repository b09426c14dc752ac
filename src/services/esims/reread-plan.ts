import { countryNamed } from '../../domain/phone/country-names.ts';
import type { ProviderAccount } from '../../provider/client.ts';
import type { ProviderAnswer } from '../operations/outcomes.ts';
import { browsePlans, type EsimPlan, planTypeSchema } from './esim-plans.ts';

/** The most pages that are read: a plan on none of them counts as gone. */
const maxPages = 20;

/** Returns a plan as it is on sale now; undefined where it is not. The API has no request for one plan. */
export async function rereadPlan(
  account: ProviderAccount,
  { productId, countries, type }: EsimPlan,
): Promise<ProviderAnswer<EsimPlan | undefined>> {
  const [iso3] = countries;
  const filter = {
    country: iso3 === undefined ? undefined : countryNamed(iso3),
    type: planTypeSchema.safeParse(type).data,
  };
  for (let page = 0; page < maxPages; page += 1) {
    const answer = await browsePlans(account, { ...filter, page });
    if (answer.kind !== 'answered') {
      return answer;
    }
    const found = answer.value.plans.find((plan) => plan.productId === productId);
    if (found !== undefined || answer.value.last) {
      return { kind: 'answered', value: found };
    }
  }
  return { kind: 'answered', value: undefined };
}
