import {
  type AccessDecision,
  defaultGrants,
  type Grant,
  maxGrants,
  type Standing,
  standingOf,
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

export interface AccessService {
  settings(workspaceId: string): Promise<AccessSettings>;
  /** Returns who has which role now: for what sends, spends or changes something. */
  grants(workspaceId: string): Promise<readonly Grant[]>;
  /** The same without asking the database each time: a change of another instance may be known five seconds late. */
  recentGrants(workspaceId: string): Promise<readonly Grant[]>;
  /** Called when a workspace was deleted: nothing of it stays in memory. */
  forget(workspaceId: string): void;
  /** Changes the grants of a version, in one step: of two admins who change the same version, one succeeds. */
  change(request: {
    workspaceId: string;
    userId: string;
    version: number;
    change: (grants: readonly Grant[]) => readonly Grant[];
  }): Promise<AccessChange>;
  /** Returns whether a person may do something now: for work in the background, whose person does not wait. */
  standing(workspaceId: string, userId: string, permission: Permission): Promise<Standing>;
}

/** Workspaces whose roles are kept. */
const maxWorkspaces = 1_000;
/**
 * In milliseconds: how late a new installer is known, who is an admin until roles are set, and another instance's change
 * where its broadcast is lost.
 */
const ttlMs = 5_000;

export function createAccessService(
  { store: { roles, instances, slackInstallations }, broadcast, time: { elapsed } }: Context,
  {
    decide,
  }: {
    /** Decides what a person may do now. */
    decide: (workspaceId: string, userId: string) => Promise<AccessDecision>;
  },
): AccessService {
  const { isAlone } = instances;
  const kept = createAsyncCache<readonly Grant[]>({ max: maxWorkspaces, ttl: { ms: ttlMs, elapsed } });

  async function settings(workspaceId: string): Promise<AccessSettings> {
    const { version, grants, changedBy, changedAt } = await roles.read(workspaceId);
    if (grants !== undefined) {
      return { version, grants, origin: 'set', changedBy, changedAt };
    }
    return {
      version,
      grants: defaultGrants(await installerOf(workspaceId, slackInstallations)),
      origin: 'default',
    };
  }

  const readGrants = async (workspaceId: string) => (await settings(workspaceId)).grants;
  const recentGrants = (workspaceId: string) => kept.get(workspaceId, () => readGrants(workspaceId));
  const forget = (workspaceId: string) => kept.delete(workspaceId);

  broadcast.on('roles', (workspaceId) => {
    for (const each of workspaceId === undefined ? [...kept.keys()] : [workspaceId]) {
      forget(each);
    }
  });

  return {
    settings,
    grants: isAlone ? recentGrants : readGrants,
    recentGrants,
    forget,

    async change({ workspaceId, userId, version, change }) {
      const shown = await settings(workspaceId);
      if (shown.version !== version) {
        return { kind: 'outdated', settings: shown };
      }
      const grants = change(shown.grants);
      if (grants.length > maxGrants) {
        return { kind: 'too_many' };
      }
      const isChanged = await roles.replace({ workspaceId, version, grants, userId }).finally(() => {
        forget(workspaceId);
        broadcast.send('roles', workspaceId);
      });
      return { kind: isChanged ? 'changed' : 'outdated', settings: await settings(workspaceId) };
    },

    async standing(workspaceId, userId, permission) {
      const decision = await decide(workspaceId, userId).catch(() => undefined);
      return decision === undefined ? 'unknown' : standingOf(decision, permission);
    },
  };
}

/** Returns who installed the app in a workspace, or in its whole enterprise; undefined with a bot token as a setting. */
async function installerOf(
  workspaceId: string,
  { find, enterpriseOf }: Store['slackInstallations'],
): Promise<string | undefined> {
  const own = await find(workspaceId);
  if (own !== undefined) {
    return own.installedBy;
  }
  const enterpriseId = await enterpriseOf(workspaceId);
  return enterpriseId === undefined ? undefined : (await find(enterpriseId))?.installedBy;
}
