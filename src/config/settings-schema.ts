import { z } from 'zod';
import {
  about,
  address,
  clientId,
  collectorAddress,
  commandPrefix,
  contactAddress,
  ipAddress,
  keys,
  linkAddress,
  oneOf,
  providerAddress,
  proxyAddress,
  publicAddress,
  secret,
  slackSecret,
  stateSecret,
  token,
  webPage,
  wholeNumber,
} from './setting-types.ts';

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;

/** Every setting: its type, its default, its description. A test compares the table in docs/settings.md with it. */
export const settingsSchema = z.object({
  PROVIDER_BASE_URL: providerAddress.register(about, {
    description: 'The address of the provider’s API, with or without `/api`: https, or http on this machine.',
    remedy: 'Set the address the provider gave you, such as https://api.provider.example.',
  }),
  PROVIDER_PROFILE: z.string().optional().register(about, {
    description:
      'A YAML file with details of the provider that its API description leaves out, [its profile](#describe-your-provider-in-a-profile). If unset, only the features in the description are on.',
  }),
  SLACK_BOT_TOKEN: token('xoxb-').optional().register(about, {
    description: 'For one workspace: the bot token of your Slack app.',
    remedy: 'Copy the Bot User OAuth Token (xoxb-…) from OAuth & Permissions of your Slack app.',
  }),
  SLACK_CLIENT_ID: clientId.optional().register(about, {
    description: 'For many workspaces instead of `SLACK_BOT_TOKEN`: the client ID of your Slack app.',
    remedy: 'Copy the Client ID (digits, a dot, digits) from Basic Information of your Slack app.',
  }),
  SLACK_CLIENT_SECRET: slackSecret('client secret').optional().register(about, {
    description: 'With `SLACK_CLIENT_ID`: the client secret of your Slack app.',
    remedy: 'Copy the Client Secret from Basic Information of your Slack app.',
  }),
  SLACK_STATE_SECRET: stateSecret.optional().register(about, {
    description:
      'With `SLACK_CLIENT_ID`: a secret of your own, which signs each installation on its way over Slack.',
    remedy: 'Make one with: openssl rand -base64 32',
  }),
  SLACK_APP_TOKEN: token('xapp-').optional().register(about, {
    description: 'For Socket Mode, which needs no public address: the app-level token.',
    remedy:
      'Make an App-Level Token (xapp-…) with connections:write under Basic Information of your Slack app.',
  }),
  SLACK_SIGNING_SECRET: slackSecret('signing secret').optional().register(about, {
    description: 'For HTTP instead of Socket Mode: the secret that Slack signs its requests with.',
    remedy: 'Copy the Signing Secret from Basic Information of your Slack app.',
  }),
  SLACK_API_URL: address.optional().register(about, {
    description: 'The Slack API to use instead of Slack’s own: the sandbox, or a proxy.',
    remedy: 'Unset it for Slack’s own, or set an address that ends in /api/.',
  }),
  ENCRYPTION_KEYS: keys.register(about, {
    description:
      'Keys of 32 bytes in base64, separated by commas. The first encrypts, all decrypt; the program re-encrypts everything with the first.',
    remedy: 'Make a key with: openssl rand -base64 32',
  }),
  DATA_DIR: z.string().prefault('./data').register(about, {
    description:
      'The folder for all data, in SQLite. With `DATABASE_URL`, only a few files of this process. One process at a time can use it.',
  }),
  DATABASE_URL: secret.optional().register(about, {
    description:
      'Keeps all data in PostgreSQL instead: `postgres://user:password@host:port/database`, or as your [database provider](deploying.md#use-a-hosted-database) prints it. The connection is encrypted and the server verified, except on this machine and with `?sslmode=disable`.',
    remedy: 'Set postgres://user:password@host:port/database, or unset it to keep the data in DATA_DIR.',
  }),
  DATABASE_CA: z.string().optional().register(about, {
    description:
      'With `DATABASE_URL`: a file with the certificates (PEM) to verify the PostgreSQL server with.',
  }),
  DATABASE_CERTIFICATE: oneOf(['verified', 'unverified']).prefault('verified').register(about, {
    description:
      'With `DATABASE_URL`: `unverified` accepts any certificate, so anyone between the program and PostgreSQL can read and change the data. Only for a database whose provider gives out no certificates.',
  }),
  // Small hosted servers allow 20: enough for two instances, and two more during an upgrade.
  DATABASE_CONNECTIONS: wholeNumber(2, 100).prefault('5').register(about, {
    description:
      'With `DATABASE_URL`: the most connections to PostgreSQL that an instance uses, including one for notifications.',
  }),
  HOST: ipAddress.prefault('0.0.0.0').register(about, {
    description: 'The IP address to listen on; `::` is all of them, IPv6 too.',
    remedy:
      'Set an IP address of this machine, such as 127.0.0.1, or unset it for 0.0.0.0, which is all of them.',
  }),
  PORT: wholeNumber(0, 65_535).prefault('3000').register(about, {
    description: 'The port to listen on; 0 takes a free one.',
  }),
  METRICS_PORT: wholeNumber(0, 65_535).optional().register(about, {
    description:
      'A separate port on `HOST` for `/metrics`. If unset, `/metrics` is on `PORT` with `SLACK_BOT_TOKEN`, and off with `SLACK_CLIENT_ID`.',
  }),
  COMMAND_PREFIX: commandPrefix('switchboard').prefault('').register(about, {
    description:
      'A prefix for each command: with `acme-`, `/sms` becomes `/acme-sms`. If two apps register a command, Slack uses the one installed last.',
  }),
  CAMPAIGN_MESSAGES_PER_SECOND: wholeNumber(1, 1_000_000).prefault('100').register(about, {
    description: 'The highest rate of a workspace’s campaigns, in messages per second.',
  }),
  RETENTION_DAYS: wholeNumber(1, 3_650).prefault('30').register(about, {
    description:
      'How many days to keep message texts, and a campaign’s recipients and texts after it ends. The history can be searched by number for as long.',
  }),
  PUBLIC_ADDRESS: publicAddress.optional().register(about, {
    description:
      'This program’s public URL, such as `https://switchboard.example.com`. Used for the link to reinstall the app, the webhook URL for [delivery reports](reports.md), and opt-out links. If unset, there is no link to reinstall, and admins complete the webhook URL themselves.',
    remedy: 'Set it as https://switchboard.example.com, or unset it.',
  }),
  OPT_OUT_ADDRESS: linkAddress.optional().register(about, {
    description:
      'The start of [opt-out links](opt-out.md), if it differs from `PUBLIC_ADDRESS`. A shorter one saves pages, such as `https://sms.example.com`, or `sms.example.com` if it also works over http. If both are unset, campaigns have no opt-out links.',
    remedy: 'Set it as https://sms.example.com, or unset it: then opt-out links begin with PUBLIC_ADDRESS.',
  }),
  SUPPORT_URL: webPage.optional().register(about, {
    description: 'The page where people get support. If unset, `/support` has general help.',
    remedy: 'Set the address of a page, https://…, or unset it.',
  }),
  PRIVACY_URL: webPage.optional().register(about, {
    description: 'The privacy policy. If unset, `/privacy` says what the program keeps.',
    remedy: 'Set the address of a page, https://…, or unset it.',
  }),
  SECURITY_CONTACT: contactAddress.optional().register(about, {
    description: 'Where to report an incident or a weakness: an email address, or the address of a page.',
    remedy: 'Set an email address, or the address of a page, https://…, or unset it.',
  }),
  HTTPS_PROXY: proxyAddress.optional().register(about, {
    description:
      'The proxy for Slack and the provider: `http://host:port` or `https://host:port`, with `user:password@` where it asks for that. `https_proxy` is read too.',
    remedy: 'Set it as http://host:port, or unset it.',
  }),
  NO_PROXY: z.string().prefault('').register(about, {
    description:
      'The hosts that are reached without `HTTPS_PROXY`, separated by commas; `.example.com` is all hosts of a domain. `no_proxy` is read too.',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: collectorAddress.optional().register(about, {
    description: 'Where traces go, by OTLP over HTTP: `http://collector:4318`. If unset, there are none.',
    remedy: 'Set the address of a collector, such as http://127.0.0.1:4318, or unset it.',
  }),
  LOG_LEVEL: oneOf(logLevels)
    .prefault('info')
    .register(about, {
      description: `The lowest level that is logged: ${logLevels.join(', ')}.`,
    }),
});
