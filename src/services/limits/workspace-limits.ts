import type { Keyv } from 'keyv';
import { z } from 'zod';
import type { CountryRule, LimitSettings, PageBudget } from '../../domain/limits/limit-settings.ts';
import { countryCodeSchema, isCountry } from '../../domain/phone/countries.ts';

const countryRuleSchema = z.union([
  z.enum(['all', 'own']),
  z.array(countryCodeSchema).transform((codes) => codes.filter(isCountry)),
]);

const chosenSchema = z.object({
  countries: z.object({
    messages: countryRuleSchema.optional(),
    codes: countryRuleSchema.optional(),
  }),
  pages: z.object({ day: z.number().int().optional(), month: z.number().int().optional() }),
  /** The admin who chose them, a Slack user id. */
  by: z.string(),
});

/** What an admin has chosen for their workspace. What is undefined is as the installation has it. */
export interface ChosenLimits {
  countries: { messages?: CountryRule | undefined; codes?: CountryRule | undefined };
  pages: { day?: number | undefined; month?: number | undefined };
  by: string;
}

/** The limits of a workspace that its admins choose. */
export interface WorkspaceLimits {
  chosen: ChosenLimits | undefined;
  countries: LimitSettings['countries'];
  pages: PageBudget;
}

export interface WorkspaceLimitsStore {
  read(workspaceId: string): Promise<WorkspaceLimits>;
  save(workspaceId: string, chosen: ChosenLimits): Promise<void>;
}

const key = 'limits';

export function createWorkspaceLimits({
  keyv,
  settings,
}: {
  keyv: (workspaceId: string, area: string) => Keyv;
  settings: LimitSettings;
}): WorkspaceLimitsStore {
  return {
    async read(workspaceId) {
      const chosen: ChosenLimits | undefined = chosenSchema
        .optional()
        .parse(await keyv(workspaceId, 'settings').get(key));
      const { countries, pages } = settings;
      return {
        chosen,
        countries: {
          messages: chosen?.countries.messages ?? countries.messages,
          codes: chosen?.countries.codes ?? countries.codes,
        },
        pages: { day: chosen?.pages.day ?? pages.day, month: chosen?.pages.month ?? pages.month },
      };
    },

    async save(workspaceId, chosen) {
      await keyv(workspaceId, 'settings').set(key, chosen);
    },
  };
}
