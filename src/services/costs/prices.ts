import type { Route } from '../../domain/messages/routes.ts';
import { type Money, readMoney } from '../../domain/money/money.ts';
import type { Spending } from './spendings.ts';

/** A fall of the balance that only the pages of one route to one country explain; or what the provider charged for them. */
export interface PriceObservation {
  route: Route;
  country: string;
  pages: number;
  /** More than 0. */
  fall: Money;
  at: number;
}

/**
 * Finds the falls of the balance that show what a page costs: from one known balance to the next, where everything
 * between is known, on one route and to one country. A rise, an eSIM, an unconfirmed send, and what overlaps something else (its answers
 * may come in another order than the balance fell) teach nothing.
 *
 * @param spendings all of a workspace from a time on, in any order
 */
export function observePrices(spendings: readonly Spending[]): PriceObservation[] {
  const observations: PriceObservation[] = [];
  let span = new Span(undefined);
  for (const group of groupOverlapping(spendings)) {
    const [only] = group;
    if (only === undefined || group.length > 1 || only.to === undefined) {
      span = new Span(undefined);
      continue;
    }
    const observation = span.add(only);
    if (observation !== undefined) {
      observations.push(observation);
    }
    span = only.balance === undefined ? span : new Span(readMoney(only.balance.amount));
  }
  return observations;
}

/** What was spent since a known balance. */
class Span {
  readonly #before: Money | undefined;
  #route: Route | undefined;
  #country: string | undefined;
  #pages = 0;
  #isKnown: boolean;

  constructor(before: Money | undefined) {
    this.#before = before;
    this.#isKnown = before !== undefined;
  }

  /** Returns what the span teaches, if it ends here. */
  add({ cost, balance, firstBalance, rose, what }: Spending): PriceObservation | undefined {
    if (cost === 'unknown') {
      this.#isKnown = false;
    } else if (cost !== 'nothing') {
      this.#isKnown &&=
        cost.country !== undefined &&
        (this.#route ?? cost.route) === cost.route &&
        (this.#country ?? cost.country) === cost.country;
      this.#route = cost.route;
      this.#country = cost.country;
      this.#pages += cost.pages;
    }
    const after = balance === undefined ? undefined : readMoney(balance.amount);
    const [route, country] = [this.#route, this.#country];
    if (
      !this.#isKnown ||
      route === undefined ||
      country === undefined ||
      balance === undefined ||
      after === undefined
    ) {
      return undefined;
    }
    if (what === 'campaign' && (rose === true || this.#fallTo(readMoney(firstBalance ?? '')) === undefined)) {
      return undefined;
    }
    const fall = this.#fallTo(after);
    return fall && { route, country, pages: this.#pages, fall, at: balance.at };
  }

  #fallTo(after: Money | undefined): Money | undefined {
    const before = this.#before;
    if (before === undefined || after === undefined || before.currency !== after.currency) {
      return undefined;
    }
    const nanos = before.nanos - after.nanos;
    return nanos > 0n ? { nanos, currency: after.currency } : undefined;
  }
}

/** Groups what went on at the same time, the earliest first. */
function groupOverlapping(spendings: readonly Spending[]): Spending[][] {
  const groups: Spending[][] = [];
  let until = Number.NEGATIVE_INFINITY;
  const costly = spendings.filter(({ cost, balance }) => cost !== 'nothing' || balance !== undefined);
  for (const spending of costly.toSorted((one, other) => one.from - other.from)) {
    const group = groups.at(-1);
    if (group === undefined || spending.from > until) {
      groups.push([spending]);
    } else {
      group.push(spending);
    }
    until = Math.max(until, spending.to ?? Number.POSITIVE_INFINITY);
  }
  return groups;
}

/** The latest observations that count of a route to a country. */
const maxObservations = 9;

/**
 * An observation of fewer pages is not believed alone: something may have been paid outside Switchboard at the same time,
 * which makes few pages look far too dear.
 */
const minPagesAlone = 10;

/**
 * Returns the observation whose price of a page is the median of the latest of a route to a country, so that a single odd one does not
 * matter; of two in the middle, the cheaper. Undefined where only a small one is known.
 */
export function medianPrice(
  observations: readonly PriceObservation[],
  { route, country }: Pick<PriceObservation, 'route' | 'country'>,
): PriceObservation | undefined {
  const ofRoute = observations.filter(
    (observation) => observation.route === route && observation.country === country,
  );
  const currency = ofRoute.at(-1)?.fall.currency;
  const latest = ofRoute
    .filter(({ fall }) => fall.currency === currency)
    .slice(-maxObservations)
    .sort(byPrice);
  const median = latest[Math.floor((latest.length - 1) / 2)];
  return latest.length === 1 && median !== undefined && median.pages < minPagesAlone ? undefined : median;
}

function byPrice(one: PriceObservation, other: PriceObservation): number {
  const difference = one.fall.nanos * BigInt(other.pages) - other.fall.nanos * BigInt(one.pages);
  return difference < 0n ? -1 : Number(difference > 0n);
}
