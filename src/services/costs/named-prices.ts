import type { Route } from '../../domain/messages/routes.ts';
import { unknownCountry } from '../../domain/money/country-pages.ts';
import { readMoney } from '../../domain/money/money.ts';
import type { SubjectCost } from '../../store/costs/costs-store.ts';
import type { PriceObservation } from './prices.ts';

/** Returns what the provider charged for the messages of one sending, by country. */
export function observeCharges(
  { charged }: SubjectCost,
  { route, at }: { route: Route; at: number },
): PriceObservation[] {
  return charged.flatMap(({ country, amount, pages }) => {
    const fall = readMoney(amount);
    return country === unknownCountry || fall === undefined || fall.nanos <= 0n || pages <= 0
      ? []
      : [{ route, country, pages, fall, at }];
  });
}

/**
 * Returns the observation whose price of a page is the median of all pages to a country on a route; of two in the middle,
 * the cheaper. The provider named what each message cost, so a single one is believed.
 */
export function medianCharge(
  observations: readonly PriceObservation[],
  { route, country }: Pick<PriceObservation, 'route' | 'country'>,
): PriceObservation | undefined {
  const own = observations
    .filter((observation) => observation.route === route && observation.country === country)
    .sort((one, other) =>
      Number(one.fall.nanos * BigInt(other.pages) - other.fall.nanos * BigInt(one.pages)),
    );
  const all = own.reduce((sum, { pages }) => sum + pages, 0);
  let passed = 0;
  return own.find(({ pages }) => {
    passed += pages;
    return 2 * passed >= all;
  });
}
