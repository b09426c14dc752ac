/** Settings of the app that do not begin with `PROVIDER_`. Slack, keys, folder and ports are the sandbox's own. */
const passedOn: ReadonlySet<string> = new Set([
  'CAMPAIGN_MESSAGES_PER_SECOND',
  'COMMAND_PREFIX',
  'ESIM_PURCHASES',
  'LOG_LEVEL',
  'METRICS_HOST',
  'METRICS_PORT',
  'PRIVACY_URL',
  'RETENTION_DAYS',
  'SECURITY_CONTACT',
  'SUPPORT_URL',
]);

/** Returns the settings of the app in the sandbox's environment, except those that the sandbox sets itself. */
export function passedSettings(environment: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value !== undefined && (name.startsWith('PROVIDER_') || passedOn.has(name)) ? [[name, value]] : [],
    ),
  );
}
