import type { z } from 'zod';
import type { Secret } from '../lib/secret.ts';
import type { Dialect } from '../provider/dialect.ts';
import { describedProfile, type ProviderProfile } from './provider-profile.ts';
import { about, type Described, defaultOf, describeFields, type SettingFault } from './setting-types.ts';
import { settingsSchema } from './settings-schema.ts';

/** The configuration of the program. Times are in milliseconds. */
export type Settings = ReturnType<typeof settingsOf>;

/** The addresses that the people who run the program give to everyone. */
export interface PublicContacts {
  supportUrl?: URL | undefined;
  privacyUrl?: URL | undefined;
  /** Its protocol is `https:` or `mailto:`. */
  securityContact?: URL | undefined;
}

/** Where the bot tokens are from: one of one workspace, or one of each installation. */
export type SlackTokenSource = { kind: 'token'; botToken: Secret } | ({ kind: 'oauth' } & SlackOAuth);

export interface SlackOAuth {
  clientId: string;
  clientSecret: Secret;
  /** Signs the state of an installation on its way over Slack. */
  stateSecret: Secret;
}

type SlackTransport =
  | { transport: 'http'; signingSecret: Secret }
  | { transport: 'socket'; appToken: Secret };

/** Reports every fault of the settings at once. The message is for a terminal. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly faults: readonly SettingFault[];

  constructor(faults: readonly SettingFault[]) {
    const lines = faults.map(({ setting, problem, remedy }) => `  ${setting} ${problem}.\n    ${remedy}\n`);
    super(
      [
        'Switchboard cannot start with these settings:\n',
        ...lines,
        'docs/settings.md lists every setting. To try Switchboard without any account: npm run sandbox',
      ].join('\n'),
    );
    this.faults = faults;
  }
}

/**
 * Reads and checks every setting, and the provider's profile; an empty one counts as unset. Throws a `SettingsError` that names
 * every fault.
 *
 * @param required what may be unset otherwise, and is needed here
 */
export async function readSettings(
  environment: Given,
  required: readonly SettingName[] = [],
): Promise<Settings> {
  const trimmed: Given = Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, value?.trim() || undefined]),
  );
  const { HTTPS_PROXY = trimmed.https_proxy, NO_PROXY = trimmed.no_proxy } = trimmed;
  const { given, faults: quoteFaults } = withoutQuotes({ ...trimmed, HTTPS_PROXY, NO_PROXY });
  const read = settingsSchema.safeParse(given);
  const transport = read.data && transportOf(read.data);
  const access = read.data && accessOf(read.data);
  const { profile, faults: profileFaults } = await readProfile(given.PROVIDER_PROFILE);
  const { warnings, faults: databaseFaults } = await checkDatabase(given);
  const faults = [
    ...quoteFaults,
    ...Object.entries(settingsSchema.shape).flatMap(([name, setting]) =>
      (read.error?.issues ?? [])
        .filter(({ path }) => path[0] === name)
        .map(({ message }) => fault(name, message, remedyFor(setting))),
    ),
    ...required
      .filter((name) => given[name] === undefined)
      .map((name) => fault(name, 'is missing', remedyFor(settingsSchema.shape[name]))),
    ...transportFaults(given),
    ...accessFaults(given),
    ...databaseFaults,
    ...profileFaults,
  ];
  if (!read.success || !transport || !access || faults.length > 0) {
    throw new SettingsError(faults);
  }

  return settingsOf(read.data, { transport, access, profile, warnings });
}

/** Returns the settings in the program's own terms. An optional part is undefined where its setting is unset. */
function settingsOf(
  setting: z.output<typeof settingsSchema>,
  parts: {
    transport: SlackTransport;
    access: SlackTokenSource;
    profile: ProviderProfile;
    warnings: readonly string[];
  },
) {
  const { reportSignature, sentAtZone, ...rest } = parts.profile;
  const dialect: Dialect = rest;
  const contacts: PublicContacts = {
    supportUrl: setting.SUPPORT_URL,
    privacyUrl: setting.PRIVACY_URL,
    securityContact: setting.SECURITY_CONTACT,
  };
  return {
    provider: { baseUrl: setting.PROVIDER_BASE_URL, dialect },
    slack: { ...parts.transport, access: parts.access, apiUrl: setting.SLACK_API_URL },
    encryptionKeys: setting.ENCRYPTION_KEYS,
    dataDir: setting.DATA_DIR,
    /** Undefined where the data is in the data folder. */
    postgres: setting.DATABASE_URL && {
      url: setting.DATABASE_URL,
      ca: setting.DATABASE_CA,
      unverified: setting.DATABASE_CERTIFICATE === 'unverified',
      connections: setting.DATABASE_CONNECTIONS,
    },
    host: setting.HOST,
    port: setting.PORT,
    metricsPort: setting.METRICS_PORT,
    commandPrefix: setting.COMMAND_PREFIX,
    campaignMessagesPerSecond: setting.CAMPAIGN_MESSAGES_PER_SECOND,
    retentionDays: setting.RETENTION_DAYS,
    /** Without a trailing slash. */
    publicAddress: setting.PUBLIC_ADDRESS,
    optOutAddress: setting.OPT_OUT_ADDRESS ?? setting.PUBLIC_ADDRESS,
    /** How the provider signs delivery reports; undefined where none are taken. */
    reportSignature,
    /** The zone of provider times that don't include one. Undefined if it isn't known. */
    sentAtZone,
    contacts,
    logLevel: setting.LOG_LEVEL,
    /** Sentences on settings that are used in another way than they may be meant. */
    warnings: parts.warnings,
    proxy: setting.HTTPS_PROXY && { address: setting.HTTPS_PROXY, except: setting.NO_PROXY },
    traces: setting.OTEL_EXPORTER_OTLP_ENDPOINT,
  };
}

/** Reads the settings of a program that works on PostgreSQL: `DATABASE_URL` is required too. */
export async function readPostgresSettings(
  environment: Given,
): Promise<Settings & { postgres: NonNullable<Settings['postgres']> }> {
  const { postgres, ...settings } = await readSettings(environment, ['DATABASE_URL']);
  if (postgres === undefined) {
    throw new TypeError('DATABASE_URL was required');
  }
  return { ...settings, postgres };
}

/** Without a file, the profile is what the description says. What reads YAML is loaded only for a file. */
async function readProfile(
  file: string | undefined,
): Promise<{ profile: ProviderProfile; faults: readonly SettingFault[] }> {
  if (file === undefined) {
    return { profile: describedProfile, faults: [] };
  }
  const { readProfileFile } = await import('./profile-file.ts');
  const read = readProfileFile(file);
  return Array.isArray(read) ? { profile: describedProfile, faults: read } : { profile: read, faults: [] };
}

/** What reads the URL is loaded only where there is one. */
async function checkDatabase(
  given: Given,
): Promise<{ warnings: readonly string[]; faults: readonly SettingFault[] }> {
  const { DATABASE_URL: url, DATABASE_CA: ca, DATABASE_CERTIFICATE: certificate } = given;
  const unverified = certificate === 'unverified';
  if (url === undefined) {
    const remedy = 'Set DATABASE_URL to the PostgreSQL database, or unset DATABASE_CA.';
    return {
      warnings: [],
      faults: ca === undefined ? [] : [fault('DATABASE_CA', 'is set, but DATABASE_URL is not', remedy)],
    };
  }
  const { readDatabaseUrl } = await import('../lib/postgres-url.ts');
  const address = readDatabaseUrl(url, { unverified });
  if ('problem' in address) {
    return { warnings: [], faults: [fault('DATABASE_URL', address.problem, address.remedy)] };
  }
  if (ca !== undefined && address.encryption === 'off') {
    const contradiction = 'is set, but DATABASE_URL switches encryption off';
    const remedy =
      'Unset DATABASE_CA, or take the parameter that switches encryption off out of DATABASE_URL.';
    return { warnings: [], faults: [fault('DATABASE_CA', contradiction, remedy)] };
  }
  if (!unverified) {
    return { warnings: address.warnings, faults: [] };
  }
  const problem = 'is unverified, but DATABASE_CA or DATABASE_URL says how to verify the certificate';
  const isVerified = ca !== undefined || address.ca !== undefined || address.encryption.startsWith('verify-');
  const warning =
    'DATABASE_CERTIFICATE is unverified: anyone between the program and PostgreSQL can read and change the data.';
  return {
    warnings: [...address.warnings, warning],
    faults: isVerified ? [fault('DATABASE_CERTIFICATE', problem, 'Unset one of them.')] : [],
  };
}

/** Reads quoted settings without their quotes, and reports them: in a secret, nobody would notice the quotes. */
function withoutQuotes(settings: Given): { given: Given; faults: SettingFault[] } {
  const quoted = Object.keys(settingsSchema.shape).filter((name) => settings[name]?.match(quotes));
  return {
    given: {
      ...settings,
      ...Object.fromEntries(quoted.map((name) => [name, settings[name]?.replaceAll(quotes, '')])),
    },
    faults: quoted.map((name) =>
      fault(
        name,
        'is in quotes',
        'Remove them: docker --env-file and others take them for a part of the value.',
      ),
    ),
  };
}

const quotes = /^["'`“”‘’]+|["'`“”‘’]+$/g;

/** Describes the settings for a table, see `describeFields`. */
export function describeSettings(): Described[] {
  return describeFields(settingsSchema.shape);
}

type Given = Record<string, string | undefined>;
type SettingName = keyof typeof settingsSchema.shape;

function transportOf(setting: z.infer<typeof settingsSchema>): SlackTransport | undefined {
  if (setting.SLACK_APP_TOKEN) {
    return { transport: 'socket', appToken: setting.SLACK_APP_TOKEN };
  }
  return setting.SLACK_SIGNING_SECRET && { transport: 'http', signingSecret: setting.SLACK_SIGNING_SECRET };
}

function accessOf(setting: z.infer<typeof settingsSchema>): SlackTokenSource | undefined {
  const {
    SLACK_BOT_TOKEN: botToken,
    SLACK_CLIENT_ID: clientId,
    SLACK_CLIENT_SECRET: clientSecret,
    SLACK_STATE_SECRET: stateSecret,
  } = setting;
  if (botToken) {
    return { kind: 'token', botToken };
  }
  return clientId && clientSecret && stateSecret
    ? { kind: 'oauth', clientId, clientSecret, stateSecret }
    : undefined;
}

function remedyFor(setting: z.ZodType): string {
  const fallback = defaultOf(setting);
  const instead = fallback === 'unset' || fallback === 'empty' ? '' : ` for ${fallback}`;
  return about.get(setting)?.remedy ?? `Correct it, or unset it${instead}.`;
}

function fault(setting: string, problem: string, remedy: string): SettingFault {
  return { setting, problem, remedy };
}

function transportFaults({ SLACK_APP_TOKEN, SLACK_SIGNING_SECRET }: Given): SettingFault[] {
  if (SLACK_APP_TOKEN && SLACK_SIGNING_SECRET) {
    const problem = 'are both set, but Slack can reach the program in only one way';
    const remedy = 'Unset SLACK_SIGNING_SECRET for Socket Mode, or SLACK_APP_TOKEN for HTTP.';
    return [fault('SLACK_APP_TOKEN and SLACK_SIGNING_SECRET', problem, remedy)];
  }
  const remedy =
    'Set the app-level token (xapp-…) for Socket Mode, which needs no public address, or the signing secret for HTTP.';
  return SLACK_APP_TOKEN || SLACK_SIGNING_SECRET
    ? []
    : [fault('SLACK_APP_TOKEN or SLACK_SIGNING_SECRET', 'is missing', remedy)];
}

const oauthSettings = ['SLACK_CLIENT_ID', 'SLACK_CLIENT_SECRET', 'SLACK_STATE_SECRET'] as const;

/** Returns the faults of the two ways to Slack's tokens: exactly one is to be set, and whole. */
function accessFaults(given: Given): SettingFault[] {
  const set = oauthSettings.filter((name) => given[name]);
  if (given.SLACK_BOT_TOKEN) {
    const problem =
      'are both set, but the program serves either one workspace by its token, or many by OAuth';
    const remedy = `Unset SLACK_BOT_TOKEN for many workspaces, or ${set.join(', ')} for one.`;
    return set.length === 0 ? [] : [fault(['SLACK_BOT_TOKEN', ...set].join(', '), problem, remedy)];
  }
  if (set.length === 0) {
    const remedy = `Set the bot token (xoxb-…) for one workspace, or ${oauthSettings.join(', ')} for many.`;
    return [fault('SLACK_BOT_TOKEN or SLACK_CLIENT_ID', 'is missing', remedy)];
  }
  const problem = `is missing, but ${set.join(' and ')} ${set.length > 1 ? 'are' : 'is'} set`;
  return oauthSettings
    .filter((name) => !given[name])
    .map((name) => fault(name, problem, about.get(settingsSchema.shape[name])?.remedy ?? ''));
}
