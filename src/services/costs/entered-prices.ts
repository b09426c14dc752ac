import { z } from 'zod';
import { definedFaults } from '../../domain/messages/message-checks.ts';
import { routeSchema } from '../../domain/messages/routes.ts';
import { nanosPerUnit, priceDecimals, readMoney, writeMoney } from '../../domain/money/money.ts';
import { countryCodeSchema, countryName } from '../../domain/phone/countries.ts';
import type { Store } from '../../store/store.ts';
import type { AuditService } from '../audit/audit-service.ts';
import type { Context } from '../context.ts';

/** What a price is for: all messages, those on a route, or those on a route to a country. */
export const priceScopeSchema = z
  .object({
    route: routeSchema.optional(),
    /** ISO 3166-1 alpha-2. */
    country: countryCodeSchema.optional(),
  })
  .refine(({ route, country }) => country === undefined || route !== undefined);
export type PriceScope = z.output<typeof priceScopeSchema>;

const enteredPriceSchema = z.object({
  scope: priceScopeSchema,
  /** What a page costs: a decimal, followed by a space and the account's currency where that was known. */
  amount: z.string(),
  /** In milliseconds since 1970. */
  enteredAt: z.number(),
});
export type EnteredPrice = z.output<typeof enteredPriceSchema>;

const pricesSchema = z.array(enteredPriceSchema);

/** What an admin typed and chose. */
export interface PriceForm {
  route: string | undefined;
  country: string | undefined;
  amount: string;
}

export type PriceFaults = Partial<Record<'route' | 'country' | 'amount', string>>;

/** In characters. */
export const maxAmountLength = 20;
const maxPrice = 1_000_000n;

/** Reads the form of a price. Each fault is a sentence to show beside its field. */
export function readPriceForm({
  route,
  country,
  amount,
}: PriceForm): { ok: true; scope: PriceScope; amount: string } | { ok: false; faults: PriceFaults } {
  const price = readPrice(amount);
  const scope = priceScopeSchema.safeParse({ route, country });
  if (scope.success && price.ok) {
    return { ok: true, scope: scope.data, amount: price.amount };
  }
  const isRoute = routeSchema.optional().safeParse(route).success;
  const isKnown = countryCodeSchema.optional().safeParse(country).success;
  const lacksRoute = isRoute && isKnown && !scope.success;
  const faults = definedFaults({
    route: lacksRoute
      ? 'Choose a route too: a country’s price applies to one route.'
      : isRoute
        ? undefined
        : 'Choose a route from the list.',
    country: isKnown ? undefined : 'Choose a country from the list.',
    amount: price.ok ? undefined : price.reason,
  });
  return { ok: false, faults };
}

/** Without thousands separators: a comma may be the decimal mark of who types it. */
function readPrice(text: string): { ok: true; amount: string } | { ok: false; reason: string } {
  const typed = text.trim();
  const [, decimals = ''] = /^\d{1,15}(?:\.(\d+))?$/.exec(typed) ?? [];
  const money = decimals.length > priceDecimals ? undefined : readMoney(typed);
  if (decimals.length > priceDecimals) {
    return { ok: false, reason: `A price has at most ${priceDecimals} decimals.` };
  }
  if (money === undefined || money.currency !== undefined || money.nanos < 0n) {
    return { ok: false, reason: 'Enter a decimal number without separators, such as 4.25.' };
  }
  if (money.nanos === 0n) {
    return { ok: false, reason: 'A price must be more than 0.' };
  }
  if (money.nanos > maxPrice * nanosPerUnit) {
    return { ok: false, reason: `A price is at most ${maxPrice.toLocaleString('en')}.` };
  }
  return { ok: true, amount: writeMoney({ nanos: money.nanos }) };
}

/** As many as one modal lists. */
export const maxPrices = 60;

type NewPrice = Omit<EnteredPrice, 'enteredAt'>;

interface PriceEditor {
  workspaceId: string;
  userId: string;
}

const area = 'settings';
const key = 'prices';

export type EnteredPrices = ReturnType<typeof createEnteredPrices>;

/** What admins entered that a page costs. A change is recorded in the audit. */
export function createEnteredPrices({ store, audit, time }: Context) {
  const entered = (price: NewPrice) => ({ ...price, enteredAt: time.now().getTime() });

  return {
    /** Returns the prices, the most general first, then by route and country. */
    async list(workspaceId: string): Promise<EnteredPrice[]> {
      const prices = readPrices(await store.keyv(workspaceId, area).get<unknown>(key));
      return prices.sort((one, other) => {
        const [order, name] = sortKeyOf(one.scope);
        const [otherOrder, otherName] = sortKeyOf(other.scope);
        return order - otherOrder || name.localeCompare(otherName, 'en');
      });
    },

    /** Adds a price, or changes nothing where its scope has one or there are `maxPrices` of them. */
    async add(by: PriceEditor, price: NewPrice): Promise<'added' | 'exists' | 'too_many'> {
      let result: 'added' | 'exists' | 'too_many' | undefined;
      await updatePrices(store, by, (prices) => {
        const exists = prices.some(({ scope }) => isSameScope(scope, price.scope));
        result = exists ? 'exists' : prices.length >= maxPrices ? 'too_many' : 'added';
        return result === 'added' ? [...prices, entered(price)] : undefined;
      });
      if (result === 'added') {
        await recordChange(audit, by, price.scope, price.amount);
      }
      return result ?? 'exists';
    },

    /** Replaces the price of a scope. Adds it if somebody else removed it in the meantime. */
    async change(by: PriceEditor, price: NewPrice): Promise<void> {
      await updatePrices(store, by, (prices) => [...withoutScope(prices, price.scope), entered(price)]);
      await recordChange(audit, by, price.scope, price.amount);
    },

    async remove(by: PriceEditor, removed: PriceScope): Promise<void> {
      let existed = false;
      await updatePrices(store, by, (prices) => {
        const left = withoutScope(prices, removed);
        existed = left.length < prices.length;
        return existed ? left : undefined;
      });
      if (existed) {
        await recordChange(audit, by, removed, null);
      }
    },
  };
}

/** Sets the prices that `change` returns; changes nothing where it returns undefined. */
function updatePrices(
  { updateValue }: Store,
  { workspaceId }: PriceEditor,
  change: (prices: EnteredPrice[]) => EnteredPrice[] | undefined,
): Promise<void> {
  return updateValue({ workspaceId, area, key }, (value) => {
    const prices = change(readPrices(value));
    return prices === undefined ? 'keep' : { set: prices };
  });
}

function recordChange(
  audit: AuditService,
  { workspaceId, userId }: PriceEditor,
  { route, country }: PriceScope,
  amount: string | null,
): Promise<void> {
  const details = { route: route ?? null, country: country ?? null, amount };
  const entry = { action: 'settings.change', subject: 'price', outcome: 'done', details } as const;
  return audit.record({ workspaceId, userId, ...entry });
}

function readPrices(value: unknown): EnteredPrice[] {
  return value === undefined ? [] : pricesSchema.parse(value);
}

function withoutScope(prices: readonly EnteredPrice[], removed: PriceScope): EnteredPrice[] {
  return prices.filter(({ scope }) => !isSameScope(scope, removed));
}

function isSameScope(one: PriceScope, other: PriceScope): boolean {
  return one.route === other.route && one.country === other.country;
}

function sortKeyOf({ route, country }: PriceScope): [routeOrder: number, countryName: string] {
  return [
    route === undefined ? -1 : routeSchema.options.indexOf(route),
    country === undefined ? '' : countryName(country),
  ];
}
