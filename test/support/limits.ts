import { readSettings } from '../../src/config/settings.ts';
import type { LimitSettings } from '../../src/domain/limits/limit-settings.ts';

/** Returns the limits of an installation with these settings, otherwise the defaults. */
export function limitSettings(env: Record<string, string> = {}): LimitSettings {
  return readSettings({
    PROVIDER_BASE_URL: 'https://api.provider.example',
    SLACK_BOT_TOKEN: 'xoxb-1',
    SLACK_SIGNING_SECRET: 'secret',
    ENCRYPTION_KEYS: Buffer.alloc(32).toString('base64'),
    ...env,
  }).limits;
}
