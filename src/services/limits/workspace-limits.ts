import { z } from 'zod';
import { limitBounds, usualCountries } from '../../domain/defaults.ts';
import {
  type CountryRule,
  type LimitOf,
  limitNames,
  type PageBudget,
} from '../../domain/limits/limit-settings.ts';
import { type CountryCode, countryCodeSchema, isCountry } from '../../domain/phone/countries.ts';
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

    /** Replaces what is given; of the numbers, only those that are named. */
    save: (workspaceId: string, changed: Partial<ChosenLimits>): Promise<void> =>
      updateValue({ workspaceId, area, key }, (value) => {
        const before = chosenSchema.parse(value ?? {});
        return { set: { ...before, ...changed, numbers: { ...before.numbers, ...changed.numbers } } };
      }),
  };
}
