import { z } from 'zod';
import {
  address,
  commandPrefix,
  contactAddress,
  currency,
  keys,
  naming,
  oneOf,
  path,
  signingSecret,
  token,
  webPage,
  wholeNumber,
  word,
} from './setting-types.ts';

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
/** In milliseconds. */
const maxTimeout = 600_000;

/** Metadata of each setting. Without a `remedy`, the remedy is to unset it for its default. */
export const about = z.registry<{ description: string; remedy?: string }>();

/** Every setting: its type, its default, its description. A test compares the README’s table with it. */
export const settingsSchema = z.object({
  PROVIDER_BASE_URL: address.register(about, {
    description: 'The address of the provider’s API: https, or http on this machine.',
    remedy: 'Set the address the provider gave you, such as https://api.provider.example.',
  }),
  SLACK_BOT_TOKEN: token('xoxb-').register(about, {
    description: 'The bot token of your Slack app.',
    remedy: 'Copy the Bot User OAuth Token (xoxb-…) from OAuth & Permissions of your Slack app.',
  }),
  SLACK_APP_TOKEN: token('xapp-').optional().register(about, {
    description: 'For Socket Mode, which needs no public address: the app-level token.',
    remedy:
      'Make an App-Level Token (xapp-…) with connections:write under Basic Information of your Slack app.',
  }),
  SLACK_SIGNING_SECRET: signingSecret.optional().register(about, {
    description: 'For HTTP instead of Socket Mode: the secret with which Slack signs its requests.',
    remedy: 'Copy the Signing Secret from Basic Information of your Slack app.',
  }),
  SLACK_API_URL: address.optional().register(about, {
    description: 'Another Slack API than Slack’s: the sandbox, a proxy.',
    remedy: 'Unset it for Slack’s own, or set an address that ends in /api/.',
  }),
  ENCRYPTION_KEYS: keys.register(about, {
    description:
      'Keys of 32 bytes in base64, separated by commas. The first encrypts, all decrypt; `npm run rotate-keys` re-encrypts with the first.',
    remedy: 'Make a key with: openssl rand -base64 32',
  }),
  DATA_DIR: z.string().prefault('./data').register(about, {
    description: 'The folder for all data, in SQLite. One process at a time.',
  }),
  HOST: word.prefault('0.0.0.0').register(about, { description: 'The network interface to listen on.' }),
  PORT: wholeNumber(0, 65_535).prefault('3000').register(about, {
    description: 'The port to listen on; 0 takes a free one.',
  }),
  METRICS_HOST: word.prefault('127.0.0.1').register(about, {
    description: 'The network interface for `/metrics`, with `METRICS_PORT`.',
  }),
  METRICS_PORT: wholeNumber(0, 65_535).optional().register(about, {
    description:
      'A port of its own for `/metrics`, which is then nowhere else. Unset: `/metrics` is on `PORT`.',
  }),
  COMMAND_PREFIX: commandPrefix('switchboard').prefault('').register(about, {
    description:
      'Stands before each command: with `acme-`, `/sms` is `/acme-sms`. If two apps register a command, Slack uses the one installed last.',
  }),
  CAMPAIGN_MESSAGES_PER_SECOND: wholeNumber(1, 1_000_000).prefault('100').register(about, {
    description: 'The most messages a second that the campaigns of a workspace send.',
  }),
  RETENTION_DAYS: wholeNumber(1, 3_650).prefault('30').register(about, {
    description:
      'For how many days the text of a message is kept, a campaign’s recipients and texts after its end, and the history can be searched by number.',
  }),
  ESIM_PURCHASES: oneOf(['on', 'off']).prefault('on').register(about, {
    description:
      'Whether people can create and top up eSIMs. With `off`, plans and status can still be looked up.',
  }),
  SUPPORT_URL: webPage.optional().register(about, {
    description: 'The page where people get support. Unset: `/support` has general help.',
    remedy: 'Set the address of a page, https://…, or unset it.',
  }),
  PRIVACY_URL: webPage.optional().register(about, {
    description: 'The privacy policy. Unset: `/privacy` says what the program keeps.',
    remedy: 'Set the address of a page, https://…, or unset it.',
  }),
  SECURITY_CONTACT: contactAddress.optional().register(about, {
    description: 'Where to report an incident or a weakness: an email address, or the address of a page.',
    remedy: 'Set an email address, or the address of a page, https://…, or unset it.',
  }),
  LOG_LEVEL: oneOf(logLevels)
    .prefault('info')
    .register(about, {
      description: `The least that is logged: ${logLevels.join(', ')}.`,
    }),
  PROVIDER_CONNECT_TIMEOUT_MS: wholeNumber(1, maxTimeout).prefault('5000').register(about, {
    description: 'How long a connection to the provider may take to open, in milliseconds.',
  }),
  PROVIDER_HEADERS_TIMEOUT_MS: wholeNumber(1, maxTimeout).prefault('30000').register(about, {
    description: 'How long the provider may take to begin its answer, in milliseconds.',
  }),
  PROVIDER_BODY_TIMEOUT_MS: wholeNumber(1, maxTimeout).prefault('15000').register(about, {
    description: 'How long the provider may pause within its answer, in milliseconds.',
  }),
  PROVIDER_TOTAL_TIMEOUT_MS: wholeNumber(1, maxTimeout).prefault('45000').register(about, {
    description: 'How long a request to the provider may take in all, in milliseconds.',
  }),
  PROVIDER_CONNECTIONS: wholeNumber(1, 1_000).prefault('16').register(about, {
    description: 'The most connections to the provider at once.',
  }),
  PROVIDER_CHAT_CHANNEL: word.prefault('chatapp').register(about, {
    description: 'The provider’s name for its chat-app channel.',
  }),
  PROVIDER_CHAT_OTP_CHANNEL: word.prefault('chatapp_otp').register(about, {
    description: 'The provider’s name for its channel of one-time codes in the chat app.',
  }),
  PROVIDER_UNICODE_TYPE: word.optional().register(about, {
    description: 'The provider’s name for the type of a Unicode text. Unset: text that needs it is refused.',
  }),
  PROVIDER_CURRENCY: currency.optional().register(about, {
    description:
      'The currency of the provider’s balances, which name none: an ISO 4217 code, such as `NGN`. Unset: balances are shown without one.',
    remedy: 'Set the code of the account’s currency, such as NGN, or unset it.',
  }),
  PROVIDER_VOICE_OTP_PATH: path.prefault('/api/sms/otp/call').register(about, {
    description: 'The path of the call that speaks a one-time code.',
  }),
  PROVIDER_CONTACT_DELETE_BY: naming.optional().register(about, {
    description:
      'How a request to delete names the contact: `path`, `query:NAME` or `body:NAME`. Unset: contacts cannot be deleted.',
    remedy:
      'Set it as the provider says, such as query:contact_id, or unset it: then contacts cannot be deleted.',
  }),
});
