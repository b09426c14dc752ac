import type { CountryRule } from '../../domain/limits/limit-settings.ts';
import { type CountryCode, isCountry } from '../../domain/phone/countries.ts';
import { countryNamed } from '../../domain/phone/country-names.ts';
import type { ChosenLimits } from './workspace-limits.ts';

export const limitFields = ['day', 'month', 'messages', 'codes'] as const;
export type LimitField = (typeof limitFields)[number];

/** What an admin typed: pages a day and a month, countries of messages and of codes. Empty is the installation's. */
export type LimitsForm = Readonly<Record<LimitField, string>>;

export type ReadLimitsForm =
  | { ok: true; chosen: Omit<ChosenLimits, 'by'> }
  | { ok: false; faults: Partial<Record<LimitField, string>> };

const maxPages = 100_000_000;
/** Of a list of countries, in characters. */
export const maxCountriesLength = 3_000;

/** Each fault is a sentence to show beside its field. */
export function readLimitsForm(form: LimitsForm): ReadLimitsForm {
  const faults: Partial<Record<LimitField, string>> = {};
  const take = <T>(field: LimitField, read: Read<T>): T | undefined => {
    if (!read.ok) {
      faults[field] = read.reason;
    }
    return read.ok ? read.value : undefined;
  };
  const chosen = {
    pages: { day: take('day', readPages(form.day)), month: take('month', readPages(form.month)) },
    countries: {
      messages: take('messages', readCountries(form.messages)),
      codes: take('codes', readCountries(form.codes)),
    },
  };
  return Object.keys(faults).length === 0 ? { ok: true, chosen } : { ok: false, faults };
}

type Read<T> = { ok: true; value: T | undefined } | { ok: false; reason: string };

function readPages(text: string): Read<number> {
  const typed = text.trim();
  if (typed === '') {
    return { ok: true, value: undefined };
  }
  const digits = typed.replaceAll(/[\s,]/g, '');
  const pages = Number(digits);
  return /^\d{1,9}$/.test(digits) && pages >= 1 && pages <= maxPages
    ? { ok: true, value: pages }
    : { ok: false, reason: `Enter a whole number from 1 to ${maxPages.toLocaleString('en')}.` };
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
      return {
        ok: false,
        reason: `“${name.slice(0, 40)}” is no country. Enter names or codes, separated by commas.`,
      };
    }
    codes.push(code);
  }
  return { ok: true, value: [...new Set(codes)] };
}
