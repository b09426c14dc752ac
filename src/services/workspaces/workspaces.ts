import type { Keyv } from 'keyv';
import { z } from 'zod';
import { type Route, routeSchema } from '../../domain/messages/routes.ts';
import { type CountryCode, countryCodeSchema } from '../../domain/phone/countries.ts';
import { createAsyncCache } from '../../lib/async-cache.ts';
import { Secret } from '../../lib/secret.ts';
import type { Clock, Stopwatch } from '../../lib/time/clock.ts';
import type { Provider, ProviderAccount } from '../../provider/client.ts';
import { createEsimTokenCache } from './esim-token-cache.ts';

/** The defaults of a workspace's forms. */
export interface Defaults {
  /** ISO 3166-1 alpha-2: the country of numbers that are written without one. */
  country: CountryCode;
  route: Route;
  senderId?: string | undefined;
  /** The configuration on the provider's dashboard that sends one-time codes by e-mail (API §4.7). */
  emailConfigurationId?: string | undefined;
}

/** A workspace's connection to the provider, without the key itself. */
export interface Connection {
  /** The last four characters of the key. */
  lastFour: string;
  /** The user who connected it. */
  by: string;
  at: Date;
}

export type ConnectResult =
  | { kind: 'connected'; connection: Connection }
  /** The key is malformed, or the provider does not accept it. `problem` is shown beside the field. */
  | { kind: 'refused'; problem: string }
  /** The key could not be verified for another reason. Nothing was saved. */
  | { kind: 'untried'; problem: string };

export interface Workspaces {
  connection(workspaceId: string): Promise<Connection | undefined>;
  /** Verifies the key with a harmless read (API §4.10), and stores it, encrypted, only if the provider accepts it. */
  connect(workspaceId: string, key: string, by: string): Promise<ConnectResult>;
  disconnect(workspaceId: string): Promise<void>;
  /** Returns the provider's operations under the workspace's key; `undefined` if none is connected. */
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
const settingsTtlMs = 5_000;
/** Workspaces whose settings are cached. */
const maxWorkspaces = 1_000;

export function createWorkspaces(options: {
  keyv: (workspaceId: string, area: string) => Keyv;
  provider: Provider;
  /** Removes deleted and replaced data from the files as well. */
  purge: () => Promise<void>;
  clock: Clock;
  elapsed: Stopwatch;
}): Workspaces {
  const { provider, purge, clock, elapsed } = options;
  const settings = (workspaceId: string) => options.keyv(workspaceId, 'settings');
  const esimTokens = (workspaceId: string) => options.keyv(workspaceId, 'esim-token');
  /** One per workspace, so that all its requests share the account's state. */
  const accounts = new Map<string, { key: Secret; account: ProviderAccount }>();

  async function readKey(workspaceId: string) {
    const value: unknown = await settings(workspaceId).get('connection');
    return value === undefined ? undefined : connectionSchema.parse(value);
  }

  /** Every command reads these two, so both are cached. What spends money reads the key each time, see `account`. */
  const ttl = { ms: settingsTtlMs, elapsed };
  const connections = createAsyncCache<Connection | undefined>({ max: maxWorkspaces, ttl });
  const defaults = createAsyncCache<Defaults>({ max: maxWorkspaces, ttl });

  async function readConnection(workspaceId: string): Promise<Connection | undefined> {
    const value = await readKey(workspaceId);
    return value && { lastFour: new Secret(value.key).lastFour, by: value.by, at: new Date(value.at) };
  }

  async function readDefaults(workspaceId: string): Promise<Defaults> {
    const value: unknown = await settings(workspaceId).get('defaults');
    return value === undefined ? { country: 'NG', route: 'dnd' } : defaultsSchema.parse(value);
  }

  /** Deletes everything that was obtained with a key. */
  async function forgetAccount(workspaceId: string) {
    connections.delete(workspaceId);
    accounts.delete(workspaceId);
    await esimTokens(workspaceId).clear();
    await purge();
  }

  return {
    connection: (workspaceId) => connections.get(workspaceId, () => readConnection(workspaceId)),

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
      const value = await readKey(workspaceId);
      if (value === undefined) {
        return undefined;
      }
      const known = accounts.get(workspaceId);
      if (known?.key.reveal() === value.key) {
        return known.account;
      }
      const key = new Secret(value.key);
      const tokenCache = createEsimTokenCache({ keyv: esimTokens(workspaceId), key, clock });
      const account = provider.account(key, { tokenCache });
      accounts.set(workspaceId, { key, account });
      return account;
    },

    defaults: (workspaceId) => defaults.get(workspaceId, () => readDefaults(workspaceId)),

    async saveDefaults(workspaceId, changed) {
      await settings(workspaceId).set('defaults', changed);
      defaults.delete(workspaceId);
    },
  };
}
