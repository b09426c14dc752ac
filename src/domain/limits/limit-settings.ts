import type { CountryCode } from '../phone/countries.ts';

/** What people do that costs money, or shows whom a number belongs to. */
export const limitedSubjects = ['messages', 'codes', 'lookups', 'purchases'] as const;
export type LimitedSubject = (typeof limitedSubjects)[number];

/** A window begins with the first of its actions, and ends a minute or a day later. */
export const rateWindows = ['minute', 'day'] as const;
export type RateWindow = (typeof rateWindows)[number];

/** Undefined: no limit. */
export interface Rate {
  person: number | undefined;
  workspace: number | undefined;
}

/** `own`: only the workspace's default country, which is always allowed. */
export type CountryRule = 'all' | 'own' | readonly CountryCode[];

/** Pages, by the days and months of Lagos. */
export interface PageBudget {
  day: number | undefined;
  month: number | undefined;
}

/** Limits on one-time codes beside their rates. Undefined: no limit. */
export interface CodeLimits {
  /** Codes to one recipient. */
  recipient: { hour: number | undefined; day: number | undefined };
  /** How long a recipient gets no other code, in seconds. */
  againSeconds: number | undefined;
}

/** The limits of an installation. */
export interface LimitSettings {
  rates: Readonly<Record<LimitedSubject, Readonly<Record<RateWindow, Rate>>>>;
  /** Of a workspace whose admin has not chosen others. */
  countries: Readonly<Record<'messages' | 'codes', CountryRule>>;
  /** Of a workspace whose admin has not chosen another. */
  pages: PageBudget;
  codes: CodeLimits;
}
