import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '../../../lib/json.ts';
import { type OAuthProbe, oauthProbe } from '../oauth-app.ts';
import { refusal, textInput, words } from '../recorder.ts';

const scope = 'commands,chat:write,users:read,channels:read,files:read,files:write,im:write,usergroups:read';
const modal = {
  type: 'modal' as const,
  title: words('Form'),
  submit: words('Go'),
  blocks: [textInput('who', 'name')],
};

/** Installs the app in Harbor and in the enterprise. */
async function installed(): Promise<OAuthProbe> {
  const probe = await oauthProbe();
  probe.ask.scope = scope;
  await probe.install({ workspace: 'T0HARBOR', person: 'U0HARADMIN' });
  await probe.install({ enterprise: 'E0SWITCH', person: 'W0CHIEF' });
  return probe;
}

const harborOf = ({ client, grants }: OAuthProbe) => client(String(grants[0]?.access_token));
const groupOf = ({ client, grants }: OAuthProbe) => client(String(grants[1]?.access_token));

async function commanded(
  probe: OAuthProbe,
  person: string,
  channel: string,
  team?: string,
): Promise<JsonObject> {
  await probe.slack.perform({
    do: 'command',
    person,
    channel,
    command: '/probe',
    text: '',
    ...(team && { team }),
  });
  return probe.requests.at(-1) ?? {};
}

describe('The token of a workspace', () => {
  it('reaches nothing of another workspace', async () => {
    await using probe = await installed();
    const [harbor, group] = [harborOf(probe), groupOf(probe)];
    const { ts = '' } = await group.chat.postMessage({ channel: 'C0SUPPORT', text: 'Hi' });
    await group.files.uploadV2({
      channel_id: 'C0SUPPORT',
      file: Buffer.from('x'),
      filename: 'x.txt',
    });
    const id = probe.slack.snapshot('U0AGENT').messages.at(-1)?.files?.[0]?.id ?? '';
    const address = `${probe.slack.url}/files-pri/T0SWITCH-${id}/x.txt`;
    const { trigger_id } = await commanded(probe, 'U0AGENT', 'C0SUPPORT');
    const { view } = await group.views.open({ trigger_id: String(trigger_id), view: modal });
    const { trigger_id: unused } = await commanded(probe, 'U0AGENT', 'C0SUPPORT');
    const people = { user: 'U0AGENT' };
    await assert.rejects(
      harbor.chat.postMessage({ channel: 'C0SUPPORT', text: 'Hi' }),
      refusal('channel_not_found'),
    );
    await assert.rejects(
      harbor.chat.postMessage({ channel: 'U0AGENT', text: 'Hi' }),
      refusal('channel_not_found'),
    );
    await assert.rejects(
      harbor.chat.update({ channel: 'C0SUPPORT', ts, text: 'x' }),
      refusal('channel_not_found'),
    );
    await assert.rejects(harbor.conversations.info({ channel: 'C0SUPPORT' }), refusal('channel_not_found'));
    await assert.rejects(harbor.conversations.open({ users: 'U0AGENT' }), refusal('user_not_found'));
    await assert.rejects(harbor.users.info(people), refusal('user_not_found'));
    await assert.rejects(harbor.files.info({ file: id }), refusal('file_not_found'));
    await assert.rejects(harbor.views.update({ view_id: view?.id ?? '', view: modal }), refusal('not_found'));
    await assert.rejects(
      harbor.views.open({ trigger_id: String(unused), view: modal }),
      refusal('invalid_trigger_id'),
    );
    await assert.rejects(
      harbor.views.publish({ user_id: 'U0AGENT', view: { type: 'home', blocks: [] } }),
      refusal('user_not_found'),
    );
    await assert.rejects(
      harbor.usergroups.users.list({ usergroup: 'S0CAMPAIGNERS' }),
      refusal('no_such_subteam'),
    );
    const statusFor = async (token: unknown) =>
      (await fetch(address, { redirect: 'manual', headers: { authorization: `Bearer ${token}` } })).status;
    assert.equal(await statusFor(probe.grants[0]?.access_token), 302);
    assert.equal(await statusFor(probe.grants[1]?.access_token), 200);
    const { id: last } = probe.slack.exchanges.findLast(({ what }) => what === 'usergroups.users.list') ?? {};
    assert.equal(probe.slack.exchanges.find((each) => each.id === last)?.place, 'T0HARBOR');
  });

  it('lists the user groups of its workspace', async () => {
    await using probe = await installed();
    const { usergroups } = await harborOf(probe).usergroups.list({ include_users: true });
    assert.deepEqual(
      usergroups?.map(({ id, handle, users }) => ({ id, handle, users })),
      [{ id: 'S0HARCREW', handle: 'crew', users: ['U0HARMEMBER'] }],
    );
    probe.slack.setUserGroup('S0HARCREW', ['U0HARAGENT', 'U0HARGUEST']);
    const { users } = await harborOf(probe).usergroups.users.list({ usergroup: 'S0HARCREW' });
    assert.deepEqual(users, ['U0HARAGENT', 'U0HARGUEST']);
    assert.throws(() => probe.slack.setUserGroup('S0NONE', []), /S0NONE/);
  });
});

describe('The token of an enterprise', () => {
  it('reaches each of its workspaces, by what a call names or by team_id', async () => {
    await using probe = await installed();
    const group = groupOf(probe);
    await group.chat.postMessage({ channel: 'C0SISDESK', text: 'To the sister' });
    await group.chat.postMessage({ channel: 'W0SISTER', text: 'At home' });
    await group.apiCall('chat.postMessage', { channel: 'W0SISTER', text: 'Away', team_id: 'T0SWITCH' });
    const textsOf = (person: string, team?: string) =>
      probe.slack.snapshot(person, team).messages.map(({ text }) => text);
    assert.deepEqual(textsOf('W0SISTER', 'T0SISTER'), ['To the sister', 'At home']);
    assert.deepEqual(textsOf('W0SISTER', 'T0SWITCH'), ['Away']);
    assert.deepEqual(textsOf('W0SISTER'), ['Away'], 'the first of their workspaces by default');
    await assert.rejects(group.usergroups.list({ team_id: 'T0HARBOR' }), refusal('team_access_not_granted'));
    const { usergroups } = await group.usergroups.list({ team_id: 'T0SISTER' });
    assert.deepEqual(
      usergroups?.map(({ team_id }) => team_id),
      ['T0SISTER'],
    );
    await assert.rejects(group.users.info({ user: 'U0HARAGENT' }), refusal('user_not_found'));
  });

  it('is not let into a workspace that is taken out of the installation', async () => {
    await using probe = await installed();
    const group = groupOf(probe);
    const granted = async () => (await group.auth.teams.list()).teams?.map(({ id }) => id);
    assert.deepEqual(await granted(), ['T0SWITCH', 'T0SISTER']);
    probe.slack.setAccess('T0SISTER', 'E0SWITCH', false);
    assert.deepEqual(await granted(), ['T0SWITCH']);
    await assert.rejects(group.usergroups.list({ team_id: 'T0SISTER' }), refusal('team_access_not_granted'));
    await assert.rejects(
      group.chat.postMessage({ channel: 'C0SISDESK', text: 'Hello' }),
      refusal('channel_not_found'),
    );
    probe.slack.setAccess('T0SISTER', 'E0SWITCH', true);
    await group.chat.postMessage({ channel: 'C0SISDESK', text: 'Hello' });
  });

  it('tells to which workspaces of the enterprise a person belongs', async () => {
    await using probe = await installed();
    const look = async (client: ReturnType<typeof groupOf>, user: string) => {
      const { team_id, enterprise_user, is_admin } = (await client.users.info({ user })).user ?? {};
      return { team_id, teams: enterprise_user?.teams, orgAdmin: enterprise_user?.is_admin, is_admin };
    };
    assert.deepEqual(await look(groupOf(probe), 'W0SISTER'), {
      team_id: 'T0SISTER',
      teams: ['T0SWITCH', 'T0SISTER'],
      orgAdmin: false,
      is_admin: false,
    });
    assert.deepEqual((await look(groupOf(probe), 'U0AGENT')).teams, ['T0SWITCH']);
    assert.equal((await look(groupOf(probe), 'W0CHIEF')).orgAdmin, true);
    const harborAdmin = await look(harborOf(probe), 'U0HARADMIN');
    assert.deepEqual(harborAdmin, {
      team_id: 'T0HARBOR',
      teams: undefined,
      orgAdmin: undefined,
      is_admin: true,
    });
  });
});

describe('Requests to the app', () => {
  it('name the workspace and its enterprise', async () => {
    await using probe = await installed();
    const named = ({ team_id, enterprise_id, is_enterprise_install, user_id }: JsonObject) => [
      team_id,
      enterprise_id,
      is_enterprise_install,
      user_id,
    ];
    assert.deepEqual(named(await commanded(probe, 'U0HARAGENT', 'C0HARDISPATCH')), [
      'T0HARBOR',
      undefined,
      'false',
      'U0HARAGENT',
    ]);
    assert.deepEqual(named(await commanded(probe, 'W0SISTER', 'C0SISDESK')), [
      'T0SISTER',
      'E0SWITCH',
      'true',
      'W0SISTER',
    ]);
    await probe.slack.perform({ do: 'home', person: 'W0SISTER', team: 'T0SISTER' });
    const { team_id, context_team_id, enterprise_id, authorizations } = probe.requests.at(-1) ?? {};
    assert.deepEqual([team_id, context_team_id, enterprise_id], ['T0SISTER', 'T0SISTER', 'E0SWITCH']);
    assert.deepEqual(authorizations, [
      {
        enterprise_id: 'E0SWITCH',
        team_id: 'T0SISTER',
        user_id: 'W0SWITCHBOARD',
        is_bot: true,
        is_enterprise_install: true,
      },
    ]);
  });

  it('in a view name no workspace under an enterprise-wide installation, and the view has its own and the enterprise', async () => {
    await using probe = await installed();
    for (const [client, person, channel, team] of [
      [harborOf(probe), 'U0HARAGENT', 'C0HARDISPATCH', { id: 'T0HARBOR', domain: 'harbor' }],
      [groupOf(probe), 'W0SISTER', 'C0SISDESK', null],
    ] as const) {
      const { trigger_id } = await commanded(probe, person, channel);
      const { view } = await client.views.open({ trigger_id: String(trigger_id), view: modal });
      const viewId = view?.id ?? '';
      const state = { type: 'plain_text_input', value: 'Ada' };
      await probe.slack.perform({ do: 'fill', person, viewId, blockId: 'who', actionId: 'name', state });
      await probe.slack.perform({ do: 'submit', person, viewId });
      const payload = probe.requests.at(-1) ?? {};
      const { team_id, app_installed_team_id } = payload.view as JsonObject;
      assert.equal(payload.type, 'view_submission');
      assert.deepEqual(payload.team, team);
      assert.equal(payload.is_enterprise_install, team === null);
      assert.equal(team_id, person === 'W0SISTER' ? 'T0SISTER' : 'T0HARBOR');
      assert.equal(app_installed_team_id, team === null ? 'E0SWITCH' : team_id);
    }
    const global = { do: 'shortcut', person: 'U0AGENT', callbackId: 'probe_global' } as const;
    await probe.slack.perform(global);
    assert.equal(probe.requests.at(-1)?.team, null);
  });

  it('are not sent where the app is not installed', async () => {
    await using probe = await oauthProbe();
    const channel = 'C0HARDISPATCH';
    const person = 'U0HARAGENT';
    const { trouble } = await probe.slack.perform({
      do: 'command',
      person,
      channel,
      command: '/probe',
      text: '',
    });
    assert.equal(trouble, '/probe is not a valid command.');
    await probe.slack.perform({ do: 'home', person });
    await assert.rejects(
      probe.slack.perform({ do: 'shortcut', person, callbackId: 'probe_global' }),
      /has no global shortcut/,
    );
    assert.deepEqual(probe.requests, []);
  });

  it('are also forged from another workspace', async () => {
    await using probe = await installed();
    const action = {
      do: 'command',
      person: 'U0HARAGENT',
      channel: 'C0HARDISPATCH',
      command: '/probe',
      text: '',
    } as const;
    await probe.slack.forge(action, { team: 'T0SWITCH' });
    assert.equal(probe.requests.at(-1)?.team_id, 'T0SWITCH');
  });
});

describe('A deactivated person', () => {
  it('is deleted in users.info', async () => {
    await using probe = await installed();
    const look = async () => {
      const { deleted, is_admin } = (await harborOf(probe).users.info({ user: 'U0HARADMIN' })).user ?? {};
      return { deleted, is_admin };
    };
    assert.deepEqual(await look(), { deleted: false, is_admin: true });
    probe.slack.setDeactivated('U0HARADMIN', true);
    assert.deepEqual(await look(), { deleted: true, is_admin: undefined });
    probe.slack.setDeactivated('U0HARADMIN', false);
    assert.deepEqual(await look(), { deleted: false, is_admin: true });
  });
});
