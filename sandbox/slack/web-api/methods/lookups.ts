import type { JsonObject } from '../../../lib/json.ts';
import { ApiError } from '../../errors.ts';
import type { Person, SandboxChannel, UserGroup } from '../../protocol.ts';
import type { Slack, SlackState } from '../../slack.ts';
import type { Team } from '../../workspace/fixtures.ts';
import { type Arguments, type Caller, type Methods, missingScope } from '../method.ts';

/** Slack: conversations.open, conversations.info, conversations.join. */
export const conversations: Methods = {
  'conversations.open': {
    scopes: ['im:write'],
    run: (slack, args) => {
      if (args.text('channel') !== undefined) {
        return opened(slack, channelIn(slack, args.required('channel')), true);
      }
      const users = args.required('users').split(',');
      if (users.length > 1) {
        throw new ApiError('not_enough_users', ['[ERROR] the sandbox has no group messages']);
      }
      const known = slack.workspace.channels.length;
      const channel = slack.workspace.directMessagesOf(personIn(slack, args.required('users')).id);
      return opened(slack, channel, slack.workspace.channels.length === known, args.flag('return_im'));
    },
  },
  'conversations.info': {
    scopes: ['channels:read', 'groups:read', 'im:read'],
    run: (slack, args) => {
      const channel = channelIn(slack, args.required('channel'));
      const needed = { public: 'channels:read', private: 'groups:read', dm: 'im:read' }[channel.kind];
      const { scopes } = slack.installation;
      if (!scopes.includes(needed)) {
        throw missingScope([needed], scopes);
      }
      return { channel: channelPayload(slack, channel) };
    },
  },
  'conversations.join': {
    scopes: ['channels:join'],
    run: (slack, args) => {
      const channel = channelIn(slack, args.required('channel'));
      if (channel.kind !== 'public') {
        throw new ApiError('method_not_supported_for_channel_type');
      }
      if (channel.archived) {
        throw new ApiError('is_archived');
      }
      const already = channel.botIsMember;
      channel.botIsMember = true;
      slack.workspace.changed();
      return {
        channel: channelPayload(slack, channel),
        ...(already && {
          warning: 'already_in_channel',
          response_metadata: { warnings: ['already_in_channel'] },
        }),
      };
    },
  },
};

function opened(slack: Caller, channel: SandboxChannel, already: boolean, whole = false): JsonObject {
  return {
    ...(already && { no_op: true, already_open: true }),
    channel: whole ? channelPayload(slack, channel) : { id: channel.id },
  };
}

function channelPayload({ workspace }: Caller, channel: SandboxChannel): JsonObject {
  const shared = channel.members.some((id) => workspace.person(id)?.role === 'stranger');
  const direct = channel.kind === 'dm';
  return {
    id: channel.id,
    is_im: direct,
    is_channel: !direct,
    is_group: false,
    is_mpim: false,
    is_private: channel.kind !== 'public',
    is_archived: channel.archived,
    is_ext_shared: shared,
    is_shared: shared,
    is_org_shared: false,
    context_team_id: workspace.team.id,
    ...(direct
      ? { user: channel.members[0] ?? '' }
      : {
          name: channel.name,
          name_normalized: channel.name,
          is_member: channel.botIsMember,
          is_general: false,
        }),
  };
}

/**
 * Finds a channel by id or name, or the direct messages by a person's id. Throws `channel_not_found`, also for a private
 * channel without the app.
 */
export function channelIn({ workspace }: SlackState, id: string): SandboxChannel {
  const person = workspace.person(id);
  if (person) {
    return workspace.directMessagesOf(person.id);
  }
  const channel =
    workspace.channel(id) ??
    workspace.channels.find(({ name }) => name !== '' && name === id.replace(/^#/, ''));
  if (!channel || (channel.kind === 'private' && !channel.botIsMember)) {
    throw new ApiError('channel_not_found');
  }
  return channel;
}

/** Finds a channel that the app may write in. Throws `not_in_channel`, `is_archived`. */
export function channelToWriteIn(slack: Caller, id: string): SandboxChannel {
  const channel = channelIn(slack, id);
  if (channel.archived) {
    throw new ApiError('is_archived');
  }
  const open = channel.kind === 'public' && slack.installation.scopes.includes('chat:write.public');
  if (!channel.botIsMember && !open) {
    throw new ApiError('not_in_channel');
  }
  return channel;
}

/** Throws `user_not_found`. */
export function personIn({ workspace }: SlackState, id: string): Person {
  const person = workspace.person(id);
  if (!person) {
    throw new ApiError('user_not_found');
  }
  return person;
}

/** Slack: users.info. */
export const users: Methods = {
  'users.info': {
    scopes: ['users:read'],
    run: (caller, args) => {
      const person = personIn(caller, args.required('user'));
      return { user: userPayload(caller.slack, caller.workspace.team, person) };
    },
  },
};

function userPayload(slack: Slack, { enterprise }: Team, person: Person): JsonObject {
  const stranger = person.role === 'stranger';
  return {
    id: person.id,
    team_id: person.teamId,
    name: person.name,
    real_name: person.realName,
    deleted: person.deactivated === true,
    tz: /^[+-]/.test(person.timeZone) ? null : person.timeZone,
    tz_offset: offsetOf(person.timeZone),
    profile: { real_name: person.realName, display_name: person.name, team: person.teamId },
    is_bot: person.isBot === true,
    is_app_user: false,
    updated: 0,
    // Slack does not show the role of people from another organisation.
    ...(stranger ? { is_stranger: true } : !person.deactivated && rolePayload(person)),
    ...(!stranger &&
      enterprise && {
        enterprise_user: {
          id: person.id,
          enterprise_id: enterprise.id,
          enterprise_name: enterprise.name,
          is_admin: person.isEnterpriseAdmin === true,
          is_owner: false,
          teams: teamsOf(slack, enterprise.id, person),
        },
      }),
  };
}

function rolePayload({ role }: Person): JsonObject {
  return {
    is_admin: role === 'admin' || role === 'owner',
    is_owner: role === 'owner',
    is_primary_owner: false,
    is_restricted: role === 'guest',
    is_ultra_restricted: false,
  };
}

function teamsOf({ workspaces }: Slack, enterpriseId: string, { id, teamId }: Person): string[] {
  const teams = workspaces
    .filter(({ workspace }) => workspace.team.enterprise?.id === enterpriseId && workspace.person(id))
    .map(({ workspace }) => workspace.team.id);
  return [...new Set([...teams, teamId])];
}

/** Returns the current offset from UTC in seconds. */
function offsetOf(timeZone: string): number {
  const name = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
    .formatToParts()
    .find(({ type }) => type === 'timeZoneName')?.value;
  const [, sign = '+', hours = '0', minutes = '0'] = name?.match(/GMT([+-])(\d+):(\d+)/) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60);
}

/** Slack: usergroups.list, usergroups.users.list. */
export const usergroups: Methods = {
  'usergroups.list': {
    scopes: ['usergroups:read'],
    run: ({ workspace }, args) => ({
      usergroups: workspace.userGroups
        .filter(({ disabled }) => !disabled || args.flag('include_disabled'))
        .map((group) => groupPayload(workspace.team.id, group, args)),
    }),
  },
  'usergroups.users.list': {
    scopes: ['usergroups:read'],
    run: ({ workspace }, args) => {
      const id = args.required('usergroup');
      const group = workspace.userGroups.find((each) => each.id === id);
      if (!group || (group.disabled && !args.flag('include_disabled'))) {
        throw new ApiError('no_such_subteam');
      }
      return { users: group.users };
    },
  },
};

function groupPayload(teamId: string, group: UserGroup, args: Arguments): JsonObject {
  return {
    id: group.id,
    team_id: teamId,
    is_usergroup: true,
    is_subteam: true,
    name: group.name,
    description: '',
    handle: group.handle,
    is_external: false,
    date_create: 0,
    date_update: 0,
    date_delete: group.disabled ? 1 : 0,
    user_count: group.users.length,
    ...(args.flag('include_users') && { users: group.users }),
  };
}
