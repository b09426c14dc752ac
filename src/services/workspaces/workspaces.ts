import type { Route } from '../../domain/messages/routes.ts';
import type { CountryCode } from '../../domain/phone/countries.ts';
import type { Secret } from '../../lib/secret.ts';
import type { ProviderAccount } from '../../provider/client.ts';
import type { Context } from '../context.ts';
import { type CodeDefaultsStore, createCodeDefaults } from './code-defaults.ts';
import { createConnections } from './connections.ts';
import { createDefaults } from './defaults.ts';
import { createDeliveryChecks, type DeliveryCheckStore } from './delivery-checks.ts';
import { createPreferences, type Preferences } from './preferences.ts';

/** The defaults of a workspace's forms, and what its people can do. */
export interface Defaults {
  /** ISO 3166-1 alpha-2: the country of numbers that are written without one. */
  country: CountryCode;
  route: Route;
  senderId?: string | undefined;
  /** Whether eSIMs can be created and topped up. */
  esimPurchases: boolean;
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

export interface Workspaces extends Preferences, CodeDefaultsStore, DeliveryCheckStore {
  connection(workspaceId: string): Promise<Connection | undefined>;
  /** Verifies the key with a harmless read (API §4.10), and stores it, encrypted, only if the provider accepts it. */
  connect(workspaceId: string, key: string, by: string): Promise<ConnectResult>;
  disconnect(workspaceId: string): Promise<void>;
  /** Returns the provider's operations under the workspace's key; `undefined` if none is connected. */
  account(workspaceId: string): Promise<ProviderAccount | undefined>;
  /** Returns the key itself, for what is signed with it. */
  providerKey(workspaceId: string): Promise<Secret | undefined>;
  defaults(workspaceId: string): Promise<Defaults>;
  saveDefaults(workspaceId: string, defaults: Defaults): Promise<void>;
  /** Called when a workspace was deleted: nothing of it stays in memory. */
  forget(workspaceId: string): void;
  /** Called when any workspace may have been changed or deleted by another instance. */
  forgetAll(): void;
}

/** In milliseconds: how late another instance's change is noticed where its broadcast is lost. */
const settingsTtlMs = 5_000;
/** Workspaces whose settings are cached. */
const maxWorkspaces = 1_000;

export function createWorkspaces(
  context: Context,
  {
    onAccountChange,
  }: {
    /** Called when a key was connected or removed: from then on, the account may be another one. */
    onAccountChange: (workspaceId: string) => Promise<void>;
  },
): Workspaces {
  const { broadcast } = context;
  const { keyv } = context.store;
  const settings = (workspaceId: string) => keyv(workspaceId, 'settings');
  const cache = { max: maxWorkspaces, ttl: { ms: settingsTtlMs, elapsed: context.time.elapsed } };
  const connections = createConnections(context, { onAccountChange, cache });
  const defaults = createDefaults({ settings, cache });
  const codeDefaults = createCodeDefaults({ settings, cache });
  const deliveryChecks = createDeliveryChecks({ settings, cache });

  function forget(workspaceId: string): void {
    connections.forgetConnection(workspaceId);
    defaults.forgetDefaults(workspaceId);
    codeDefaults.forgetCodeDefaults(workspaceId);
    deliveryChecks.forgetDeliveryChecks(workspaceId);
  }

  function forgetAll(): void {
    for (const cached of [connections, defaults, codeDefaults, deliveryChecks]) {
      for (const workspaceId of [...cached.known()]) {
        forget(workspaceId);
      }
    }
  }
  broadcast.on('settings', (workspaceId) => (workspaceId === undefined ? forgetAll() : forget(workspaceId)));

  /** Has the other instances read the settings again once a change is stored. */
  function broadcasting<Changed extends unknown[], Result>(
    change: (workspaceId: string, ...changed: Changed) => Promise<Result>,
  ): (workspaceId: string, ...changed: Changed) => Promise<Result> {
    return (workspaceId, ...changed) =>
      change(workspaceId, ...changed).finally(() => broadcast.send('settings', workspaceId));
  }

  return {
    connection: connections.connection,
    account: connections.account,
    providerKey: connections.providerKey,
    connect: broadcasting(connections.connect),
    disconnect: broadcasting(connections.disconnect),
    defaults: defaults.defaults,
    saveDefaults: broadcasting(defaults.saveDefaults),
    codeDefaults: codeDefaults.codeDefaults,
    saveCodeDefaults: broadcasting(codeDefaults.saveCodeDefaults),
    rulesOff: deliveryChecks.rulesOff,
    saveRulesOff: broadcasting(deliveryChecks.saveRulesOff),
    ...createPreferences(context),
    forget,
    forgetAll,
  };
}
