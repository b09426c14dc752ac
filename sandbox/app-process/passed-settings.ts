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
