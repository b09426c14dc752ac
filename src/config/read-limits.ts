import type { z } from 'zod';
import type { LimitSettings, Rate } from '../domain/limits/limit-settings.ts';
import type { settingsSchema } from './settings-schema.ts';

type Read = z.infer<typeof settingsSchema>;

/** Puts together the limits, of which each setting has two. */
export function readLimits(setting: Read): LimitSettings {
  const rate = ({ first: person, second: workspace }: Read['LIMIT_CODES_PER_DAY']): Rate => ({
    person,
    workspace,
  });
  const { first: hour, second: day } = setting.LIMIT_CODES_TO_ONE_RECIPIENT;
  return {
    rates: {
      messages: {
        minute: rate(setting.LIMIT_MESSAGES_PER_MINUTE),
        day: rate(setting.LIMIT_MESSAGES_PER_DAY),
      },
      codes: { minute: rate(setting.LIMIT_CODES_PER_MINUTE), day: rate(setting.LIMIT_CODES_PER_DAY) },
      lookups: { minute: rate(setting.LIMIT_LOOKUPS_PER_MINUTE), day: rate(setting.LIMIT_LOOKUPS_PER_DAY) },
      purchases: {
        minute: rate(setting.LIMIT_PURCHASES_PER_MINUTE),
        day: rate(setting.LIMIT_PURCHASES_PER_DAY),
      },
    },
    countries: { messages: setting.LIMIT_COUNTRIES, codes: setting.LIMIT_CODE_COUNTRIES },
    pages: { day: setting.LIMIT_PAGES_PER_DAY, month: setting.LIMIT_PAGES_PER_MONTH },
    codes: {
      recipient: { hour, day },
      againSeconds: setting.LIMIT_CODE_AGAIN_SECONDS,
    },
  };
}
