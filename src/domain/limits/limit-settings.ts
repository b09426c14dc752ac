import type { CountryCode } from '../phone/countries.ts';

/** What people do that costs money, or shows whom a number belongs to. */
export const limitedSubjects = ['messages', 'codes', 'lookups', 'purchases'] as const;
export type LimitedSubject = (typeof limitedSubjects)[number];

/** A window begins with the first of its actions, and ends a minute or a day later. */
export const rateWindows = ['minute', 'day'] as const;
export type RateWindow = (typeof rateWindows)[number];

/** Whose actions a window counts. */
export const rateScopes = ['person', 'workspace'] as const;
export type RateScope = (typeof rateScopes)[number];

export type LimitName =
  | `${LimitedSubject}.${RateWindow}.${RateScope}`
  /** Codes to one recipient. */
  | `codes.recipient.${'hour' | 'day'}`
  /** For how many seconds a recipient gets no other code; 0 for none. */
  | 'codes.again';

/** The limits on a subject that an admin chooses by a number, in the order of their form. */
export function limitNamesOf(subject: LimitedSubject): LimitName[] {
  const rates = rateWindows.flatMap((window) =>
    rateScopes.map((scope): LimitName => `${subject}.${window}.${scope}`),
  );
  return subject === 'codes'
    ? [...rates, 'codes.recipient.hour', 'codes.recipient.day', 'codes.again']
    : rates;
}

export const limitNames: readonly LimitName[] = limitedSubjects.flatMap(limitNamesOf);

/** Returns the limit with a name. */
export type LimitOf = (name: LimitName) => number;

/** `own`: only the workspace's default country, which is always allowed. */
export type CountryRule = 'all' | 'own' | readonly CountryCode[];

/** Pages, by the days and months of Lagos. Undefined: no budget. */
export interface PageBudget {
  day: number | undefined;
  month: number | undefined;
}
