import type { KnownBlock, ModalView, SectionBlock } from '@slack/types';
import { z } from 'zod';
import {
  type Grant,
  type Grantee,
  grantSchema,
  maxGrants,
  withGrants,
  withoutGrant,
} from '../../domain/access/decision.ts';
import { type Role, roles } from '../../domain/access/roles.ts';
import type { AccessChange, AccessSettings } from '../../services/access/access.ts';
import {
  actions,
  banner,
  button,
  confirmDialog,
  context,
  loadingView,
  notice,
  option,
  present,
  section,
} from '../block-kit/build.ts';
import { roleNames, roleTexts } from '../block-kit/descriptions/workspace.ts';
import { limits } from '../block-kit/limits.ts';
import { capitalize } from '../block-kit/plural.ts';
import { stateIcons } from '../block-kit/state-icons.ts';
import { type Markup, mrkdwn, timeFor, userMention } from '../block-kit/text.ts';
import type { UserGroupsAnswer } from '../client/user-groups.ts';
import { optionsField, severalField, tickField } from '../kit/fields.ts';
import { defineForm } from '../kit/form.ts';
import { saved } from '../kit/settings.ts';
import type { AppContext } from '../middleware/app-context.ts';
import { describeReinstall, findMissingGrant } from '../middleware/missing-grant.ts';
import type { User } from '../middleware/requests.ts';
import type { Router } from '../middleware/router/router.ts';
import { openActions } from '../navigation/open-actions.ts';

const versionSchema = z.object({ version: z.number() });
const removalSchema = versionSchema.extend({ grant: grantSchema });
const roleSchema = z.enum(roles);

const title = 'Roles';
const roleActions = { add: 'roles_add', remove: 'roles_remove' } as const;

/** *Roles*: who may do what in this workspace. Admins set it. */
export function registerRoles(router: Router, context: AppContext): void {
  const form = createRoleForm(context);
  form.register(router);
  router.options(groupsAction, 'administer', async ({ user, query }) => {
    const listed = await context.userGroups.list(user.workspaceId);
    const words = query.trim().replace(/^@/, '').toLowerCase();
    const found = (listed.kind === 'listed' ? listed.groups : []).filter(({ name, handle }) =>
      [name, handle].some((text) => text.toLowerCase().includes(words)),
    );
    return {
      options: found.slice(0, limits.options).map(({ id, name, handle }) => option(`@${handle}`, id, name)),
    };
  });

  router.action(openActions.roles, 'administer', async ({ user, push }) => {
    const replace = await push(loadingView(title, 'Loading roles…'));
    await replace(await viewOf(context, user.workspaceId));
  });

  router.action(roleActions.add, 'administer', async ({ user, value, view }) => {
    await view?.replace(await form.view(user, { version: z.coerce.number().parse(value) }));
  });

  router.action(roleActions.remove, 'administer', async ({ user, value, view }) => {
    const { version, grant } = removalSchema.parse(JSON.parse(value));
    const feedback = await change(context, user, {
      version,
      action: 'role.remove',
      subject: describeGrant(grant),
      change: (grants) => withoutGrant(grants, grant),
    });
    await view?.replace(await viewOf(context, user.workspaceId, feedback));
  });
}

/** At most these people, or user groups, in one form. */
const maxChosen = 20;
const groupsAction = 'role_add.groups';

const fields = {
  role: optionsField('Role'),
  people: severalField(
    'People',
    (action) => ({ type: 'multi_users_select', action_id: action, max_selected_items: maxChosen }),
    { optional: true, hint: 'Guests and apps can’t use Switchboard, with or without a role.' },
  ),
  groups: severalField(
    'User groups',
    (action) => ({
      type: 'multi_external_select',
      action_id: action,
      min_query_length: 0,
      max_selected_items: maxChosen,
    }),
    { optional: true },
  ),
  everyone: tickField('All members', 'Everyone in this workspace'),
};

/** The form for a role. Its fields for people and groups may both be filled in. */
function createRoleForm(context: AppContext) {
  return defineForm({
    id: 'role_add',
    title: 'New role',
    submit: 'Add',
    needs: 'administer',
    meta: versionSchema,
    fields,
    load: ({ workspaceId }) => groupsOf(context, workspaceId),
    when: { groups: (_form, { kind }) => kind === 'listed' },
    overrides: {
      role: () => ({ options: roles.map((role) => option(titleOf(role), role, roleTexts[role])) }),
    },
    below: ({ data }) => groupRemarks([], data),
    async submitted({ user, form: { role: chosen, everyone, groups, people }, meta: { version } }) {
      const { data: role } = roleSchema.safeParse(chosen);
      const grantees: Grantee[] = [
        ...(everyone ? [{ kind: 'everyone' } as const] : []),
        ...groups.map((id) => ({ kind: 'group', id }) as const),
        ...people.map((id) => ({ kind: 'person', id }) as const),
      ];
      if (role === undefined) {
        return { faults: { role: 'Choose a role.' } };
      }
      if (grantees.length === 0) {
        return { faults: { people: 'Choose people, user groups or everyone.' } };
      }
      const feedback = await change(context, user, {
        version,
        action: 'role.add',
        subject: grantees.map((to) => describeGrant({ to, role })).join(', '),
        change: (grants) => withGrants(grants, role, grantees),
      });
      return { view: await viewOf(context, user.workspaceId, feedback) };
    },
  });
}

async function viewOf(context: AppContext, workspaceId: string, feedback?: Markup): Promise<ModalView> {
  const [settings, groups] = await Promise.all([
    context.services.access.settings(workspaceId),
    groupsOf(context, workspaceId),
  ]);
  return rolesView(settings, groups, feedback);
}

/** The user groups, or why they can't be listed; `installAddress` is where an admin can have Slack grant them. */
type ShownUserGroups =
  | Exclude<UserGroupsAnswer, { kind: 'no_scope' }>
  | { kind: 'no_scope'; installAddress?: URL | undefined };

async function groupsOf(context: AppContext, workspaceId: string): Promise<ShownUserGroups> {
  const groups = await context.userGroups.list(workspaceId);
  if (groups.kind !== 'no_scope') {
    return groups;
  }
  const missing = await findMissingGrant(context, workspaceId);
  return { ...groups, installAddress: missing?.installAddress };
}

/** Changes the version that the user saw, and returns what says so. */
async function change(
  { services: { access, audit } }: AppContext,
  { workspaceId, userId }: User,
  {
    version,
    change,
    ...entry
  }: {
    version: number;
    change: (grants: readonly Grant[]) => readonly Grant[];
    action: 'role.add' | 'role.remove';
    subject: string;
  },
): Promise<Markup> {
  const result = await access.change({ workspaceId, userId, version, change });
  await audit.record({ workspaceId, userId, ...entry, outcome: outcomes[result.kind] });
  return bannerOf(result);
}

const outcomes = { changed: 'done', outdated: 'refused', too_many: 'refused' } as const;

function bannerOf(result: AccessChange): Markup {
  switch (result.kind) {
    case 'changed':
      return saved;
    case 'outdated': {
      const { changedBy } = result.settings;
      const by = changedBy === undefined ? mrkdwn`Somebody` : userMention(changedBy);
      return mrkdwn`${stateIcons.unconfirmed} *Not saved.* ${by} changed the roles in the meantime. Check them below, then try again.`;
    }
    case 'too_many':
      return mrkdwn`${stateIcons.unconfirmed} *Not saved.* A workspace can have ${maxGrants} entries. Use user groups instead of people.`;
  }
}

/** For the audit. */
function describeGrant({ to, role }: Grant): string {
  return to.kind === 'everyone' ? `${role} to everyone` : `${role} to ${to.kind} ${to.id}`;
}

/** Who has which role, for an admin. `feedback`: the outcome of the last action, or why it failed. */
export function rolesView(settings: AccessSettings, groups: ShownUserGroups, feedback?: Markup): ModalView {
  const { grants, version, origin, changedBy, changedAt } = settings;
  const inOrder = roles.flatMap((role) => grants.filter((grant) => grant.role === role));
  return notice(
    title,
    ...banner(feedback),
    ...present(origin === 'default' && section(mrkdwn`*No admin has set roles yet.* Until then:`)),
    ...(inOrder.length === 0
      ? [section(mrkdwn`*Only admins of this Slack workspace have a role.*`)]
      : inOrder.map((grant, at) =>
          grantLine(grant, groups, { version, isFirst: inOrder[at - 1]?.role !== grant.role }),
        )),
    actions('roles', button(roleActions.add, 'Add role', { style: 'primary', value: String(version) })),
    context(mrkdwn`Admins and owners of this Slack workspace are always admins here.`),
    ...groupRemarks(grants, groups),
    ...(changedBy === undefined || changedAt === undefined
      ? []
      : [context(mrkdwn`Changed by ${userMention(changedBy)}, ${timeFor(changedAt)}`)]),
  );
}

/** The first line of a role says what it allows. */
function grantLine(
  grant: Grant,
  groups: ShownUserGroups,
  { version, isFirst }: { version: number; isFirst: boolean },
): SectionBlock {
  const { role, to } = grant;
  const name = mrkdwn`*${titleOf(role)}* · ${granteeName(to, groups)}`;
  return {
    ...section(isFirst ? mrkdwn`${name}\n${roleTexts[role]}` : name),
    accessory: button(roleActions.remove, 'Remove', {
      value: JSON.stringify({ version, grant }),
      label: `Remove the role ${titleOf(role)}`,
      confirm: confirmDialog({
        title: 'Remove role?',
        text: `They lose what this role allows, unless another role allows it too. If they can no longer run campaigns, their scheduled campaigns wait for an admin.`,
        yes: 'Remove',
        no: 'Keep',
      }),
    }),
  };
}

function granteeName(to: Grantee, groups: ShownUserGroups): Markup {
  switch (to.kind) {
    case 'everyone':
      return mrkdwn`Everyone in this workspace`;
    case 'person':
      return userMention(to.id);
    case 'group': {
      const known = groups.kind === 'listed' ? groups.groups.find(({ id }) => id === to.id) : undefined;
      return known === undefined ? mrkdwn`a user group (${to.id})` : mrkdwn`@${known.handle}`;
    }
  }
}

/** What keeps roles of user groups from having an effect. */
function groupRemarks(grants: readonly Grant[], groups: ShownUserGroups): KnownBlock[] {
  const hasGroups = grants.some(({ to }) => to.kind === 'group');
  if (groups.kind === 'no_scope') {
    return [
      context(
        mrkdwn`${hasGroups ? 'Roles of user groups have no effect.' : 'Roles can’t be given to user groups.'} Slack doesn’t let Switchboard see them: it lacks the permission \`usergroups:read\`. ${describeReinstall(groups.installAddress)}`,
      ),
    ];
  }
  return groups.kind === 'unknown'
    ? [context(mrkdwn`Slack didn’t list the user groups. Try again in a minute.`)]
    : [];
}

function titleOf(role: Role): string {
  return capitalize(roleNames[role]);
}
