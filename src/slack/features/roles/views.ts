import type { KnownBlock, ModalView, SectionBlock } from '@slack/types';
import type { Grant, Grantee } from '../../../domain/access/decision.ts';
import { type Role, roles } from '../../../domain/access/roles.ts';
import type { AccessSettings } from '../../../services/access/access.ts';
import { actions, button, context, input, modal, notice, option, section } from '../../block-kit/build.ts';
import { confirmDialog } from '../../block-kit/confirm-dialog.ts';
import { roleTexts } from '../../block-kit/descriptions/roles.ts';
import { type Markup, mrkdwn, timeFor, userMention } from '../../block-kit/text.ts';
import type { UserGroupsAnswer } from '../../client/user-groups.ts';
import { describeReinstall } from '../../middleware/missing-grant.ts';

export const rolesTitle = 'Roles';
export const addRoleCallback = 'role_add';
export const roleGroupsAction = 'role_groups';
export const roleActions = { add: 'roles_add', remove: 'roles_remove' } as const;

/** The user groups, or why there are none; `installAddress` is where an admin can have Slack grant them. */
export type ShownUserGroups =
  | Exclude<UserGroupsAnswer, { kind: 'no_scope' }>
  | { kind: 'no_scope'; installAddress?: URL | undefined };

/** How many people, or user groups, one form gives a role to. */
const maxChosen = 20;

/** Who has which role, for an admin. `banner` says what was just done, or why nothing was. */
export function rolesView(settings: AccessSettings, groups: ShownUserGroups, banner?: Markup): ModalView {
  const { grants, version, changedBy, changedAt } = settings;
  const inOrder = roles.flatMap((role) => grants.filter((grant) => grant.role === role));
  return notice(
    rolesTitle,
    ...(banner === undefined ? [] : [section(banner)]),
    ...originBlocks(settings),
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

function originBlocks({ origin }: AccessSettings): KnownBlock[] {
  switch (origin) {
    case 'set':
      return [];
    case 'default':
      return [section(mrkdwn`*No admin has set roles yet.* Until then:`)];
  }
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
      label: `Remove the role ${role}`,
      confirm: confirmDialog({
        title: 'Remove role?',
        text: `They can no longer do what only the role ${role} allows. Their scheduled campaigns wait for an admin if nothing else allows them.`,
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

/** The form that gives a role. Its fields for people and groups may both be filled in. */
export function addRoleView(version: number, groups: ShownUserGroups): ModalView {
  return modal({
    callbackId: addRoleCallback,
    title: 'Add role',
    submit: 'Add',
    close: 'Cancel',
    metadata: { version },
    blocks: [
      input('role', 'Role', {
        type: 'static_select',
        action_id: 'role',
        options: roles.map((role) => option(titleOf(role), role, roleTexts[role])),
      }),
      input(
        'people',
        'People',
        { type: 'multi_users_select', action_id: 'people', max_selected_items: maxChosen },
        { optional: true, hint: 'Guests and apps can’t use Switchboard, with or without a role.' },
      ),
      ...(groups.kind === 'listed'
        ? [
            input(
              'groups',
              'User groups',
              {
                type: 'multi_external_select',
                action_id: roleGroupsAction,
                min_query_length: 0,
                max_selected_items: maxChosen,
              },
              { optional: true },
            ),
          ]
        : []),
      input(
        'everyone',
        'All members',
        {
          type: 'checkboxes',
          action_id: 'everyone',
          options: [option('Everyone in this workspace', 'everyone')],
        },
        { optional: true },
      ),
      ...groupRemarks([], groups),
    ],
  });
}

function titleOf(role: Role): string {
  return role.charAt(0).toUpperCase() + role.slice(1);
}
