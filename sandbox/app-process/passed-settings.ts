import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseDocument } from 'yaml';

/** The settings of the app that are passed on. Slack, keys, folder and ports are the sandbox's own. */
const passedOn: ReadonlySet<string> = new Set([
  'CAMPAIGN_MESSAGES_PER_SECOND',
  'COMMAND_PREFIX',
  'DATABASE_CA',
  'DATABASE_URL',
  'HTTPS_PROXY',
  'LOG_LEVEL',
  'METRICS_PORT',
  'NO_PROXY',
  'OPT_OUT_ADDRESS',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'PRIVACY_URL',
  'PROVIDER_PROFILE',
  'RETENTION_DAYS',
  'SECURITY_CONTACT',
  'SUPPORT_URL',
]);

/** Returns the settings of the app in the sandbox's environment, except those that the sandbox sets itself. */
export function passedSettings(environment: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value !== undefined && passedOn.has(name) ? [[name, value]] : [],
    ),
  );
}

/** The profile of the sandbox’s provider: switches on all that is beyond the provider’s description. */
export const exampleProfile = fileURLToPath(new URL('../../provider-profile.example.yml', import.meta.url));

/**
 * Copies a profile with other fields: `unicodeType=unicode` sets one, `historyPath=` removes one, `reportSignature.key=secret` one
 * within another. Without a file, the copy has these alone. Throws with what is expected.
 */
export async function copyProfile(from: string, to: string, changes: readonly string[]): Promise<void> {
  const profile = parseDocument(from === '' ? '' : await readFile(from, 'utf8'));
  for (const change of changes) {
    const [, name = '', value = ''] = /^([\w.]+)=(.*)$/.exec(change) ?? [];
    if (name === '') {
      throw new Error('--profile takes a field and its value, such as unicodeType=unicode.');
    }
    const path = name.split('.');
    if (value !== '') {
      profile.setIn(path, value);
    } else if (profile.hasIn(path)) {
      profile.deleteIn(path);
    }
  }
  await writeFile(to, profile.toString());
}
