import { z } from 'zod';
import { type Grant, type Grantee, grantSchema } from '../../../domain/access/decision.ts';
import { maxGrants, withGrants, withoutGrant } from '../../../domain/access/grants.ts';
import { roles } from '../../../domain/access/roles.ts';
import type { AccessChange } from '../../../services/access/access.ts';
import { option } from '../../block-kit/build.ts';
import { limits } from '../../block-kit/limits.ts';
import { loadingView } from '../../block-kit/loading-view.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn, userMention } from '../../block-kit/text.ts';
import type { FormValues } from '../../block-kit/view-state.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { findMissingGrant } from '../../middleware/missing-grant.ts';
import type { User } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { openActions } from '../../navigation/open-actions.ts';
import {
  addRoleCallback,
  addRoleView,
  roleActions,
  roleGroupsAction,
  rolesTitle,
  rolesView,
  type ShownUserGroups,
} from './views.ts';

const versionSchema = z.object({ version: z.number() });
const removalSchema = versionSchema.extend({ grant: grantSchema });
const roleSchema = z.enum(roles);

/** *Roles*: who may do what in this workspace. Admins set it. */
export function registerRoles(router: Router, context: AppContext): void {
  const { services, userGroups } = context;
  const { access, audit } = services;

  async function shownGroups(workspaceId: string): Promise<ShownUserGroups> {
    const groups = await userGroups.list(workspaceId);
    if (groups.kind !== 'no_scope') {
      return groups;
    }
    const missing = await findMissingGrant(context, workspaceId);
    return { ...groups, installAddress: missing?.installAddress };
  }

  async function view(workspaceId: string, banner?: Markup) {
    const [settings, groups] = await Promise.all([access.settings(workspaceId), shownGroups(workspaceId)]);
    return rolesView(settings, groups, banner);
  }

  /** Changes the version that the user saw, and returns the banner that says so. */
  async function change(
    { workspaceId, userId }: User,
    { version, change, subject, action }: RoleChange,
  ): Promise<Markup> {
    const result = await access.change({ workspaceId, userId, version, change });
    await audit.record({ workspaceId, userId, action, subject, outcome: outcomes[result.kind] });
    return bannerOf(result);
  }

  router.action(openActions.roles, 'administer', async (call) => {
    const replace = await call.push(loadingView(rolesTitle, 'Loading roles…'));
    await replace(await view(call.user.workspaceId));
  });

  router.action(roleActions.add, 'administer', async ({ user, value, view: from }) => {
    const version = z.coerce.number().parse(value);
    await from?.replace(addRoleView(version, await shownGroups(user.workspaceId)));
  });

  router.action(roleActions.remove, 'administer', async ({ user, value, view: from }) => {
    const { version, grant } = removalSchema.parse(JSON.parse(value));
    const banner = await change(user, {
      version,
      action: 'role.remove',
      subject: describeGrant(grant),
      change: (grants) => withoutGrant(grants, grant),
    });
    await from?.replace(await view(user.workspaceId, banner));
  });

  router.submission(addRoleCallback, 'administer', async ({ user, values, metadata }) => {
    const { version } = versionSchema.parse(metadata);
    const role = roleSchema.safeParse(values.role?.text);
    const grantees = readGrantees(values);
    if (!role.success) {
      return { errors: { role: 'Choose a role.' } };
    }
    if (grantees.length === 0) {
      return { errors: { people: 'Choose people, user groups or everyone.' } };
    }
    const banner = await change(user, {
      version,
      action: 'role.add',
      subject: grantees.map((to) => describeGrant({ to, role: role.data })).join(', '),
      change: (grants) => withGrants(grants, role.data, grantees),
    });
    return { view: await view(user.workspaceId, banner) };
  });

  router.options(roleGroupsAction, 'administer', async ({ user, query }) => {
    const listed = await userGroups.list(user.workspaceId);
    const words = query.trim().replace(/^@/, '').toLowerCase();
    const found = (listed.kind === 'listed' ? listed.groups : []).filter(({ name, handle }) =>
      [name, handle].some((text) => text.toLowerCase().includes(words)),
    );
    return {
      options: found.slice(0, limits.options).map(({ id, name, handle }) => option(`@${handle}`, id, name)),
    };
  });
}

interface RoleChange {
  version: number;
  action: 'role.add' | 'role.remove';
  subject: string;
  change: (grants: readonly Grant[]) => readonly Grant[];
}

const outcomes = { changed: 'done', outdated: 'refused', too_many: 'refused' } as const;

function bannerOf(result: AccessChange): Markup {
  switch (result.kind) {
    case 'changed':
      return mrkdwn`${stateIcons.done} Saved.`;
    case 'outdated': {
      const { changedBy } = result.settings;
      const by = changedBy === undefined ? mrkdwn`Somebody` : userMention(changedBy);
      return mrkdwn`${stateIcons.unconfirmed} *Not saved.* ${by} changed the roles meanwhile. Check them below, then try again.`;
    }
    case 'too_many':
      return mrkdwn`${stateIcons.unconfirmed} *Not saved.* A workspace can have ${maxGrants} entries. Use user groups instead of people.`;
  }
}

function readGrantees({ people, groups, everyone }: FormValues): Grantee[] {
  return [
    ...(everyone?.ticked ?? []).map((): Grantee => ({ kind: 'everyone' })),
    ...(groups?.ticked ?? []).map((id): Grantee => ({ kind: 'group', id })),
    ...(people?.ticked ?? []).map((id): Grantee => ({ kind: 'person', id })),
  ];
}

/** For the audit. */
function describeGrant({ to, role }: Grant): string {
  return to.kind === 'everyone' ? `${role} to everyone` : `${role} to ${to.kind} ${to.id}`;
}
