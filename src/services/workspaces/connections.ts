import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { type AsyncCacheOptions, createAsyncCache } from '../../lib/async-cache.ts';
import { Secret } from '../../lib/secret.ts';
import type { Provider, ProviderAccount } from '../../provider/client.ts';
import type { Context } from '../context.ts';
import { createEsimTokenCache } from './esim-token-cache.ts';
import type { Connection, ConnectResult, Workspaces } from './workspaces.ts';

const connectionSchema = z.object({ key: z.string(), by: z.string(), at: z.number() });

/** Keeps the provider key of each workspace, and the account that is used under it. */
export function createConnections(
  { store: { keyv, purge, instances }, provider, time: { now: clock } }: Context,
  {
    onAccountChange,
    cache,
  }: { onAccountChange: (workspaceId: string) => Promise<void>; cache: AsyncCacheOptions },
): Pick<Workspaces, 'connection' | 'connect' | 'disconnect' | 'account' | 'providerKey'> & {
  forgetConnection(workspaceId: string): void;
  /** Returns the workspaces of which something is in memory. */
  known(): Iterable<string>;
} {
  const settings = (workspaceId: string) => keyv(workspaceId, 'settings');
  const esimTokens = (workspaceId: string) => keyv(workspaceId, 'esim-token');
  const { isAlone } = instances;
  /** Cached, as every command reads it. What spends money reads the key each time, unless nobody else can change it. */
  const connections = createAsyncCache<Connection | undefined>(cache);
  /** One per workspace, so that all its requests share the account's state. */
  const accounts = new LRUCache<string, { key: Secret; account: ProviderAccount }>({
    max: cache.max,
  });
  /** How often a key was dropped: what was read before is kept no longer. */
  let drops = 0;

  async function readKey(workspaceId: string) {
    const value: unknown = await settings(workspaceId).get('connection');
    return value === undefined ? undefined : connectionSchema.parse(value);
  }

  async function readConnection(workspaceId: string): Promise<Connection | undefined> {
    const value = await readKey(workspaceId);
    return value && { lastFour: new Secret(value.key).lastFour, by: value.by, at: new Date(value.at) };
  }

  function forgetConnection(workspaceId: string): void {
    drops += 1;
    connections.delete(workspaceId);
    accounts.delete(workspaceId);
  }

  /** Deletes everything that was obtained with a key. */
  async function forgetAccount(workspaceId: string) {
    forgetConnection(workspaceId);
    await esimTokens(workspaceId).clear();
    await onAccountChange(workspaceId);
    await purge();
  }

  return {
    forgetConnection,
    known: () => [...connections.keys(), ...accounts.keys()],
    connection: (workspaceId) => connections.get(workspaceId, () => readConnection(workspaceId)),

    async providerKey(workspaceId) {
      const value = await readKey(workspaceId);
      return value && new Secret(value.key);
    },

    async connect(workspaceId, typed, by) {
      const key = new Secret(typed.trim());
      const refusal = await verifyKey(key, provider);
      if (refusal !== undefined) {
        return refusal;
      }
      const at = clock();
      await settings(workspaceId).set('connection', { key: key.reveal(), by, at: at.getTime() });
      await forgetAccount(workspaceId);
      return { kind: 'connected', connection: { lastFour: key.lastFour, by, at } };
    },

    async disconnect(workspaceId) {
      await settings(workspaceId).delete('connection');
      await forgetAccount(workspaceId);
    },

    async account(workspaceId) {
      const own = isAlone ? accounts.get(workspaceId) : undefined;
      if (own !== undefined) {
        return own.account;
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
      const tokenCache = createEsimTokenCache({ keyv: esimTokens(workspaceId), key, clock });
      const account = provider.account(key, { tokenCache });
      if (drops === dropsBefore) {
        accounts.set(workspaceId, { key, account });
      }
      return account;
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
        'This does not look like an API key: it is 8 or more letters, digits and signs, without spaces.',
    };
  }
  const answer = await provider.account(key).senderIds.list();
  if (answer.kind === 'accepted') {
    return undefined;
  }
  const { reason, message, providerMessage } = answer.error;
  const said = providerMessage === undefined ? '' : ` It said: “${providerMessage}”.`;
  return reason === 'bad_key'
    ? {
        kind: 'refused',
        problem: `The provider does not know this key.${said} Copy it again from the provider’s dashboard.`,
      }
    : { kind: 'untried', problem: `The key could not be tried, so it was not saved. ${message}` };
}
