import type { Keyv } from 'keyv';
import { z } from 'zod';
import { type Route, routeSchema } from '../../domain/messages/routes.ts';
import { type CountryCode, countryCodeSchema } from '../../domain/phone/countries.ts';
import type { Clock, Stopwatch } from '../../lib/clock.ts';
import { Secret } from '../../lib/secret.ts';
import { createTtlCache } from '../../lib/ttl-cache.ts';
import type { Provider, ProviderAccount } from '../../provider/client.ts';
import { esimTokenCache } from './esim-token-cache.ts';

/** What a workspace's messages start from, unless the person chooses otherwise. */
export interface Defaults {
  /** ISO 3166-1 alpha-2: how a number written without its country is read. */
  country: CountryCode;
  route: Route;
  senderId?: string | undefined;
  /** Of a configuration on the provider's dashboard: what one-time codes by e-mail are sent through (API §4.7). */
  emailConfigurationId?: string | undefined;
}

/** A workspace's tie to the provider, without the key itself. */
export interface Connection {
  /** The last four characters of the key. */
  lastFour: string;
  by: string;
  at: Date;
}

export type ConnectResult =
  | { kind: 'connected'; connection: Connection }
  /** The provider, or a look at the key itself, says no: `problem` is for beside the field. */
  | { kind: 'refused'; problem: string }
  /** The provider gave no usable answer, so the key could not be tried; nothing was saved. */
  | { kind: 'untried'; problem: string };

export interface Workspaces {
  connection(workspaceId: string): Promise<Connection | undefined>;
  /** Tries the key with a harmless read (API §4.10) and keeps it, encrypted, only if the provider takes it. */
  connect(workspaceId: string, key: string, by: string): Promise<ConnectResult>;
  disconnect(workspaceId: string): Promise<void>;
  /** The provider's operations under the workspace's own key; undefined where none is connected. */
  account(workspaceId: string): Promise<ProviderAccount | undefined>;
  defaults(workspaceId: string): Promise<Defaults>;
  saveDefaults(workspaceId: string, defaults: Defaults): Promise<void>;
}

const connectionSchema = z.object({ key: z.string(), by: z.string(), at: z.number() });

const defaultsSchema = z.object({
  country: countryCodeSchema,
  route: routeSchema,
  senderId: z.string().optional(),
  emailConfigurationId: z.string().optional(),
});

/** In milliseconds: how late another process's change of a workspace's settings is noticed. */
const freshFor = 5_000;

export function createWorkspaces(options: {
  keyv: (workspaceId: string, area: string) => Keyv;
  provider: Provider;
  /** Takes what was deleted or replaced out of the files as well. */
  purge: () => Promise<void>;
  clock: Clock;
  elapsed: Stopwatch;
}): Workspaces {
  const { provider, purge, clock, elapsed } = options;
  const settings = (workspaceId: string) => options.keyv(workspaceId, 'settings');
  const esimTokens = (workspaceId: string) => options.keyv(workspaceId, 'esim-token');
  /** One for each workspace, so that all calls of a workspace share what an account keeps. */
  const accounts = new Map<string, { key: Secret; account: ProviderAccount }>();

  async function connected(workspaceId: string) {
    const value: unknown = await settings(workspaceId).get('connection');
    return value === undefined ? undefined : connectionSchema.parse(value);
  }

  /** Every command asks for these two; what is spent on is asked for anew each time, see `account`. */
  const connections = createTtlCache<Connection | undefined>({
    async ask(workspaceId) {
      const value = await connected(workspaceId);
      return value && { lastFour: new Secret(value.key).lastFour, by: value.by, at: new Date(value.at) };
    },
    freshFor,
    elapsed,
  });
  const defaults = createTtlCache<Defaults>({
    async ask(workspaceId) {
      const value: unknown = await settings(workspaceId).get('defaults');
      return value === undefined ? { country: 'NG', route: 'dnd' } : defaultsSchema.parse(value);
    },
    freshFor,
    elapsed,
  });

  /** What was known of a key, and obtained with it, goes when the key does. */
  async function forgetAccount(workspaceId: string) {
    connections.forget(workspaceId);
    accounts.delete(workspaceId);
    await esimTokens(workspaceId).clear();
    await purge();
  }

  return {
    connection: (workspaceId) => connections.get(workspaceId),

    async connect(workspaceId, typed, by) {
      const text = typed.trim();
      if (!/^[\x21-\x7e]{8,512}$/.test(text)) {
        return {
          kind: 'refused',
          problem:
            'This does not look like an API key: it is 8 or more letters, digits and signs, without spaces.',
        };
      }
      const key = new Secret(text);
      const answer = await provider.account(key).senderIds.list();
      if (answer.kind !== 'accepted') {
        const { reason, message, providerMessage } = answer.error;
        const said = providerMessage === undefined ? '' : ` It said: “${providerMessage}”.`;
        return reason === 'bad_key'
          ? {
              kind: 'refused',
              problem: `The provider does not know this key.${said} Copy it again from the provider’s dashboard.`,
            }
          : { kind: 'untried', problem: `The key could not be tried, so it was not saved. ${message}` };
      }
      const at = clock();
      await settings(workspaceId).set('connection', { key: text, by, at: at.getTime() });
      await forgetAccount(workspaceId);
      return { kind: 'connected', connection: { lastFour: key.lastFour, by, at } };
    },

    async disconnect(workspaceId) {
      await settings(workspaceId).delete('connection');
      await forgetAccount(workspaceId);
    },

    async account(workspaceId) {
      const value = await connected(workspaceId);
      if (value === undefined) {
        return undefined;
      }
      const known = accounts.get(workspaceId);
      if (known?.key.reveal() === value.key) {
        return known.account;
      }
      const key = new Secret(value.key);
      const tokenCache = esimTokenCache({ keyv: esimTokens(workspaceId), key, clock });
      const account = provider.account(key, { tokenCache });
      accounts.set(workspaceId, { key, account });
      return account;
    },

    defaults: (workspaceId) => defaults.get(workspaceId),

    async saveDefaults(workspaceId, changed) {
      await settings(workspaceId).set('defaults', changed);
      defaults.forget(workspaceId);
    },
  };
}
