import { createHash } from 'node:crypto';
import type { Keyv } from 'keyv';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { createAsyncCache } from '../../lib/async-cache.ts';
import { Secret } from '../../lib/secret.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Provider, ProviderAccount } from '../../provider/client.ts';
import type { TokenCache } from '../../provider/esims/esim-token.ts';
import type { Context } from '../context.ts';
import { Refusal } from '../refusal.ts';
import { createPreferences, createWorkspaceSettings, settingsCache } from './workspace-settings.ts';

/** The one wording of a workspace without a provider key. */
export const notConnected = 'Switchboard isn’t connected to the provider';

/** A workspace's connection to the provider, without the key itself. */
export interface Connection {
  /** The last four characters of the key. */
  lastFour: string;
  /** The user who connected it. */
  by: string;
  at: Date;
}

type ConnectResult =
  | { kind: 'connected'; connection: Connection }
  /** The key is malformed, or the provider does not accept it. `problem` is shown beside the field. */
  | { kind: 'refused'; problem: string }
  /** The key could not be verified for another reason. Nothing was saved. */
  | { kind: 'untried'; problem: string };

type AccountListener = (workspaceId: string) => Promise<void> | void;

const connectionSchema = z.object({ key: z.string(), by: z.string(), at: z.number() });

/** Keeps the provider key of each workspace, and the account that is used under it. Of a key, the audit has the end. */
function createConnections(context: Context) {
  const { store, provider, broadcast } = context;
  const { record } = context.audit;
  const { now: clock } = context.time;
  const settings = (workspaceId: string) => store.keyv(workspaceId, 'settings');
  const esimTokens = (workspaceId: string) => store.keyv(workspaceId, 'esim-token');
  const cache = settingsCache(context);
  /** Cached, as every command reads it. What spends money reads the key each time, unless nobody else can change it. */
  const connections = createAsyncCache<Connection | undefined>(cache);
  /** One per workspace, so that all its requests share the account's state. */
  const accounts = new LRUCache<string, { key: Secret; account: ProviderAccount }>({ max: cache.max });
  /** Counts dropped keys, to discard a read that was under way. */
  let drops = 0;
  const accountListeners: AccountListener[] = [];

  async function readKey(workspaceId: string) {
    const value: unknown = await settings(workspaceId).get('connection');
    return value === undefined ? undefined : connectionSchema.parse(value);
  }

  function connection(workspaceId: string): Promise<Connection | undefined> {
    return connections.get(workspaceId, async () => {
      const value = await readKey(workspaceId);
      return value && { lastFour: new Secret(value.key).lastFour, by: value.by, at: new Date(value.at) };
    });
  }

  /** Drops the cached connection of a workspace; without one, of all. */
  function forget(workspaceId?: string): void {
    const all = workspaceId === undefined ? [...connections.keys(), ...accounts.keys()] : [workspaceId];
    for (const each of all) {
      drops += 1;
      connections.delete(each);
      accounts.delete(each);
    }
  }

  /** Changes the key, and deletes everything that was obtained with the one before. */
  async function changeKey(workspaceId: string, change: () => Promise<unknown>): Promise<void> {
    try {
      await change();
      forget(workspaceId);
      await esimTokens(workspaceId).clear();
      for (const listener of accountListeners) {
        await listener(workspaceId);
      }
      await store.purge();
    } finally {
      broadcast.send('settings', workspaceId);
    }
  }

  /** Returns the provider client for the workspace, or undefined if no key is connected. */
  async function findAccount(workspaceId: string): Promise<ProviderAccount | undefined> {
    const cached = store.instances.isAlone ? accounts.get(workspaceId) : undefined;
    if (cached !== undefined) {
      return cached.account;
    }
    const dropsBefore = drops;
    const value = await readKey(workspaceId);
    if (value === undefined) {
      return undefined;
    }
    const known = accounts.get(workspaceId);
    if (known?.key.reveal() === value.key) {
      return known.account;
    }
    const key = new Secret(value.key);
    const tokenCache = createEsimTokenCache(esimTokens(workspaceId), key, clock);
    const account = provider.account(key, { tokenCache });
    if (drops === dropsBefore) {
      accounts.set(workspaceId, { key, account });
    }
    return account;
  }

  return {
    forget,
    connection,
    account: findAccount,
    /** Calls the listener when a key was connected or removed: the account may have changed. */
    onAccountChange: (listener: AccountListener) => void accountListeners.push(listener),

    /** Like the above, but throws a Refusal if no key is connected. */
    async connected(workspaceId: string): Promise<ProviderAccount> {
      const account = await findAccount(workspaceId);
      if (account === undefined) {
        throw new Refusal({ kind: 'not_connected' });
      }
      return account;
    },

    /** Returns the key itself, for signing. */
    async providerKey(workspaceId: string): Promise<Secret | undefined> {
      const value = await readKey(workspaceId);
      return value && new Secret(value.key);
    },

    /** Verifies the key with a harmless read (API §4.10), and stores it, encrypted, only if the provider accepts it. */
    async connect(workspaceId: string, typed: string, by: string): Promise<ConnectResult> {
      const before = await connection(workspaceId);
      const key = new Secret(typed.trim());
      const refusal = await verifyKey(key, provider);
      const at = clock();
      if (refusal === undefined) {
        const value = { key: key.reveal(), by, at: at.getTime() };
        await changeKey(workspaceId, () => settings(workspaceId).set('connection', value));
      }
      await record({
        workspaceId,
        userId: by,
        action: before === undefined ? 'connection.connect' : 'connection.replace',
        outcome: refusal === undefined ? 'done' : 'failed',
        details: {
          ...(before !== undefined && { before: `…${before.lastFour}` }),
          ...(refusal === undefined && { key: `…${key.lastFour}` }),
        },
      });
      return refusal ?? { kind: 'connected', connection: { lastFour: key.lastFour, by, at } };
    },

    async disconnect(workspaceId: string): Promise<void> {
      const before = await connection(workspaceId);
      await changeKey(workspaceId, () => settings(workspaceId).delete('connection'));
      const details = before && { key: `…${before.lastFour}` };
      await record({ workspaceId, action: 'connection.disconnect', outcome: 'done', details });
    },
  };
}

/** Returns why the key cannot be stored; undefined if the provider accepts it. */
async function verifyKey(
  key: Secret,
  provider: Provider,
): Promise<Exclude<ConnectResult, { kind: 'connected' }> | undefined> {
  if (!/^[\x21-\x7e]{8,512}$/.test(key.reveal())) {
    return {
      kind: 'refused',
      problem:
        'This doesn’t look like an API key. An API key has at least 8 letters, digits and symbols, and no spaces.',
    };
  }
  const answer = await provider.account(key).senderIds.list();
  if (answer.kind === 'accepted') {
    return undefined;
  }
  const { reason, message, providerMessage } = answer.error;
  const quoted = providerMessage === undefined ? '' : ` It said: “${providerMessage}”.`;
  return reason === 'bad_key'
    ? {
        kind: 'refused',
        problem: `The provider does not know this key.${quoted} Copy it again from the provider’s dashboard.`,
      }
    : { kind: 'untried', problem: `The key could not be tested, so it was not saved. ${message}` };
}

/** In milliseconds, for an eSIM token without an expiry date: a day, the lifetime of those that have one. */
const tokenTtl = 24 * 60 * 60_000;

const tokenSchema = z.object({
  token: z.string(),
  expiresAt: z.number().exactOptional(),
  /** The digest of the key that the token was obtained with. */
  of: z.string(),
});

/**
 * Caches a workspace's eSIM token until it expires. A token is returned only for the key that it was obtained with: a
 * request that is under way while the key is replaced may still store the old key's token.
 */
function createEsimTokenCache(keyv: Keyv, key: Secret, clock: Clock): TokenCache {
  const of = createHash('sha256').update(key.reveal()).digest('base64');
  return {
    async get() {
      const { data } = tokenSchema.safeParse(await keyv.get('token'));
      if (data?.of !== of) {
        return undefined;
      }
      const { of: _, ...stored } = data;
      return stored;
    },
    async set(stored) {
      const ttl = stored.expiresAt === undefined ? tokenTtl : stored.expiresAt - clock().getTime();
      if (ttl > 0) {
        await keyv.set('token', { ...stored, of }, ttl);
      }
    },
    async delete() {
      await keyv.delete('token');
    },
  };
}

/** What is set for a workspace and its people: the provider's key, defaults, and what each person chose last. */
export type Workspaces = ReturnType<typeof createWorkspaces>;

export function createWorkspaces(context: Context) {
  const { forget: forgetConnection, ...connections } = createConnections(context);
  const { forget: forgetSettings, ...settings } = createWorkspaceSettings(context);

  /** Drops the cached connection and settings of a workspace, or of all workspaces, after a change. */
  function forget(workspaceId?: string): void {
    forgetConnection(workspaceId);
    forgetSettings(workspaceId);
  }
  context.broadcast.on('settings', forget);

  return { ...connections, ...settings, ...createPreferences(context), forget };
}
