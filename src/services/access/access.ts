import {
  type AccessDecision,
  defaultGrants,
  type Grant,
  maxGrants,
  type PermissionState,
  permissionState,
} from '../../domain/access/decision.ts';
import type { Permission } from '../../domain/access/roles.ts';
import { createAsyncCache } from '../../lib/async-cache.ts';
import type { Store } from '../../store/store.ts';
import type { Context } from '../context.ts';

/** Who has which role in a workspace. */
export interface AccessSettings {
  /** Of the grants: a change is made to those that were shown. */
  version: number;
  grants: readonly Grant[];
  /** `default`: no admin has set them yet. */
  origin: 'set' | 'default';
  /** The user who changed them last. */
  changedBy?: string | undefined;
  changedAt?: Date | undefined;
}

export type AccessChange =
  | { kind: 'changed'; settings: AccessSettings }
  /** Somebody else was quicker, and nothing was changed. */
  | { kind: 'outdated'; settings: AccessSettings }
  | { kind: 'too_many' };

interface ChangeRequest {
  workspaceId: string;
  userId: string;
  /** Of the grants that were shown. */
  version: number;
  change: (grants: readonly Grant[]) => readonly Grant[];
}

/** Workspaces whose roles are kept. */
const maxWorkspaces = 1_000;
/**
 * In milliseconds: how late a new installer is known, who is an admin until roles are set, and another instance's change
 * where its broadcast is lost.
 */
const ttlMs = 5_000;

export type AccessService = ReturnType<typeof createAccessService>;

export interface AccessDeps {
  /** Decides what a person may do now, which only Slack knows. */
  decide: (workspaceId: string, userId: string) => Promise<AccessDecision>;
}

export function createAccessService(
  { store, broadcast, time: { elapsed } }: Context,
  { decide }: AccessDeps,
) {
  const cache = createAsyncCache<readonly Grant[]>({ max: maxWorkspaces, ttl: { ms: ttlMs, elapsed } });

  async function settings(workspaceId: string): Promise<AccessSettings> {
    const { version, grants, changedBy, changedAt } = await store.roles.read(workspaceId);
    if (grants !== undefined) {
      return { version, grants, origin: 'set', changedBy, changedAt };
    }
    const installer = await installerOf(workspaceId, store.slackInstallations);
    return { version, grants: defaultGrants(installer), origin: 'default' };
  }
  const readGrants = async (workspaceId: string) => (await settings(workspaceId)).grants;

  /** As `grants`, without asking the database each time: a change of another instance may be known five seconds late. */
  const recentGrants = (workspaceId: string) => cache.get(workspaceId, () => readGrants(workspaceId));

  /** Drops cached grants of a workspace, or of all workspaces, after a change. */
  function forget(workspaceId?: string): void {
    for (const each of workspaceId === undefined ? [...cache.keys()] : [workspaceId]) {
      cache.delete(each);
    }
  }
  broadcast.on('roles', forget);

  return {
    settings,
    /** Returns who has which role now: for requests that send, spend or change something. */
    grants: store.instances.isAlone ? recentGrants : readGrants,
    recentGrants,
    forget,

    /** Changes the grants of a version, in one step: of two admins who change the same version, one succeeds. */
    async change({ workspaceId, userId, version, change }: ChangeRequest): Promise<AccessChange> {
      const shown = await settings(workspaceId);
      if (shown.version !== version) {
        return { kind: 'outdated', settings: shown };
      }
      const grants = change(shown.grants);
      if (grants.length > maxGrants) {
        return { kind: 'too_many' };
      }
      const isChanged = await store.roles.replace({ workspaceId, version, grants, userId }).finally(() => {
        forget(workspaceId);
        broadcast.send('roles', workspaceId);
      });
      return { kind: isChanged ? 'changed' : 'outdated', settings: await settings(workspaceId) };
    },

    /** Returns whether a person may do something now: for work in the background, whose person does not wait. */
    async permissionState(
      workspaceId: string,
      userId: string,
      permission: Permission,
    ): Promise<PermissionState> {
      const decision = await decide(workspaceId, userId).catch(() => undefined);
      return decision === undefined ? 'unknown' : permissionState(decision, permission);
    },
  };
}

/** Returns who installed the app in a workspace, or in its whole enterprise; undefined with a bot token as a setting. */
async function installerOf(
  workspaceId: string,
  { find, enterpriseOf }: Store['slackInstallations'],
): Promise<string | undefined> {
  const installation = await find(workspaceId);
  if (installation !== undefined) {
    return installation.installedBy;
  }
  const enterpriseId = await enterpriseOf(workspaceId);
  return enterpriseId === undefined ? undefined : (await find(enterpriseId))?.installedBy;
}
