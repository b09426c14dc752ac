import { z } from 'zod';
import { limitBounds, usualCountries } from '../../domain/defaults.ts';
import {
  type CountryRule,
  type LimitedSubject,
  type LimitName,
  type LimitOf,
  limitNames,
  limitNamesOf,
  type PageBudget,
} from '../../domain/limits/limit-settings.ts';
import { type CountryCode, countryCodeSchema, isCountry } from '../../domain/phone/countries.ts';
import { countryNamed, suggestCountries } from '../../domain/phone/country-names.ts';
import type { Context } from '../context.ts';

const countryRuleSchema = z.union([
  z.enum(['all', 'own']),
  z.array(countryCodeSchema).transform((codes): readonly CountryCode[] => codes.filter(isCountry)),
]);

const chosenSchema = z.object({
  numbers: z.partialRecord(z.enum(limitNames), z.int().optional()).default({}),
  countries: z
    .object({ messages: countryRuleSchema.optional(), codes: countryRuleSchema.optional() })
    .default({}),
  pages: z.object({ day: z.int().optional(), month: z.int().optional() }).default({}),
  /** The admin who chose the budget, a Slack user id. */
  by: z.string().optional(),
});

/** What the admins of a workspace have chosen. What is absent is as `domain/defaults.ts` has it. */
export type ChosenLimits = z.output<typeof chosenSchema>;

/** The limits of a workspace. */
export interface WorkspaceLimits {
  chosen: ChosenLimits;
  limitOf: LimitOf;
  countries: Readonly<Record<'messages' | 'codes', CountryRule>>;
  pages: PageBudget;
}

const area = 'settings';
const key = 'limits';

export type WorkspaceLimitsStore = ReturnType<typeof createWorkspaceLimits>;

/** Every read is of the store, so that a limit holds on all instances as soon as it is saved. */
export function createWorkspaceLimits({ store: { keyv, updateValue } }: Context) {
  return {
    async read(workspaceId: string): Promise<WorkspaceLimits> {
      const chosen = chosenSchema.parse((await keyv(workspaceId, area).get(key)) ?? {});
      return {
        chosen,
        limitOf: (name) => chosen.numbers[name] ?? limitBounds[name].usual,
        countries: {
          messages: chosen.countries.messages ?? usualCountries.messages,
          codes: chosen.countries.codes ?? usualCountries.codes,
        },
        pages: { day: chosen.pages.day, month: chosen.pages.month },
      };
    },

    /** Replaces the given limits, and in `numbers` only the given ones. */
    save: (workspaceId: string, changed: Partial<ChosenLimits>): Promise<void> =>
      updateValue({ workspaceId, area, key }, (value) => {
        const before = chosenSchema.parse(value ?? {});
        return { set: { ...before, ...changed, numbers: { ...before.numbers, ...changed.numbers } } };
      }),
  };
}

export const limitFields = ['day', 'month', 'messages', 'codes'] as const;
export type LimitField = (typeof limitFields)[number];

/** What an admin typed: pages a day and a month, countries of messages and of codes. Empty is the default. */
export type LimitsForm = Readonly<Record<LimitField, string>>;

type ReadForm<Chosen, Field extends string> =
  | { ok: true; chosen: Chosen }
  | { ok: false; faults: Partial<Record<Field, string>> };

const maxPages = 100_000_000;
/** Of a list of countries, in characters. */
export const maxCountriesLength = 3_000;

/** Each fault is a sentence to show beside its field. */
export function readLimitsForm(
  form: LimitsForm,
): ReadForm<Pick<ChosenLimits, 'pages' | 'countries'>, LimitField> {
  const faults: Partial<Record<LimitField, string>> = {};
  const take = <T>(field: LimitField, read: Read<T>): T | undefined => {
    if (!read.ok) {
      faults[field] = read.reason;
    }
    return read.ok ? read.value : undefined;
  };
  const pages = (text: string) => readNumber(text, { lowest: 1, highest: maxPages });
  const chosen = {
    pages: { day: take('day', pages(form.day)), month: take('month', pages(form.month)) },
    countries: {
      messages: take('messages', readCountries(form.messages)),
      codes: take('codes', readCountries(form.codes)),
    },
  };
  return Object.keys(faults).length === 0 ? { ok: true, chosen } : { ok: false, faults };
}

/** The limits on a subject, as typed. Empty is the default. */
export type LimitNumbersForm = Readonly<Partial<Record<LimitName, string>>>;

export function readLimitNumbers(
  subject: LimitedSubject,
  form: LimitNumbersForm,
): ReadForm<ChosenLimits['numbers'], LimitName> {
  const chosen: ChosenLimits['numbers'] = {};
  const faults: Partial<Record<LimitName, string>> = {};
  for (const name of limitNamesOf(subject)) {
    const { highest } = limitBounds[name];
    const read = readNumber(form[name] ?? '', { lowest: name === 'codes.again' ? 0 : 1, highest });
    if (read.ok) {
      chosen[name] = read.value;
    } else {
      faults[name] = read.reason;
    }
  }
  return Object.keys(faults).length === 0 ? { ok: true, chosen } : { ok: false, faults };
}

type Read<T> = { ok: true; value: T | undefined } | { ok: false; reason: string };

function readNumber(text: string, { lowest, highest }: { lowest: number; highest: number }): Read<number> {
  const typed = text.trim();
  if (typed === '') {
    return { ok: true, value: undefined };
  }
  const digits = typed.replaceAll(/[\s,]/g, '');
  const value = Number(digits);
  return /^\d{1,9}$/.test(digits) && value >= lowest && value <= highest
    ? { ok: true, value }
    : { ok: false, reason: `Enter a whole number from ${lowest} to ${highest.toLocaleString('en')}.` };
}

function readCountries(text: string): Read<CountryRule> {
  const names = text
    .slice(0, maxCountriesLength)
    .split(/[,;\n]/)
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const [only] = names;
  if (only === undefined) {
    return { ok: true, value: undefined };
  }
  if (names.length === 1 && /^all(?: countries)?$/i.test(only)) {
    return { ok: true, value: 'all' };
  }
  const codes: CountryCode[] = [];
  for (const name of names) {
    const code = countryNamed(name)?.iso2 ?? '';
    if (!isCountry(code)) {
      const [meant] = suggestCountries(name);
      const hint = meant === undefined ? '' : ` Did you mean ${meant.name}?`;
      return {
        ok: false,
        reason: `“${name.slice(0, 40)}” isn’t a country.${hint} Enter names or codes, separated by commas.`,
      };
    }
    codes.push(code);
  }
  return { ok: true, value: [...new Set(codes)] };
}
