import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clientId, oauthProbe } from '../oauth-app.ts';
import { refusal } from '../recorder.ts';

const harbor = { workspace: 'T0HARBOR', person: 'U0HARADMIN' };
const group = { enterprise: 'E0SWITCH', person: 'W0CHIEF' };

describe('Installing the app', () => {
  it('leads from the app over the authorize page back to the app, with a code and the state', async () => {
    await using probe = await oauthProbe();
    assert.deepEqual(probe.slack.snapshot('U0HARAGENT').commands, [], 'it has no commands before');
    const seen = await probe.install(harbor);
    assert.equal(seen.status, 200);
    assert.match(seen.text, /Back with .*app-state=state-1/, 'the browser keeps the app’s cookies');
    assert.equal(probe.returned().get('state'), 'state-1');
    const [grant] = probe.grants;
    assert.match(String(grant?.access_token), /^xoxb-T0HARBOR-/);
    const { access_token: _, ...rest } = grant ?? {};
    assert.deepEqual(rest, {
      ok: true,
      app_id: 'A0SWITCHBOARD',
      authed_user: { id: 'U0HARADMIN' },
      scope: 'commands,chat:write,users:read,channels:read',
      token_type: 'bot',
      bot_user_id: 'U0SWITCHHARBOR',
      team: { id: 'T0HARBOR', name: 'Harbor' },
      enterprise: null,
      is_enterprise_install: false,
    });
    const { team_id, is_enterprise_install } = await probe.client().auth.test();
    assert.deepEqual([team_id, is_enterprise_install], ['T0HARBOR', false]);
    assert.equal(probe.slack.snapshot('U0HARAGENT').commands.length, 1);
    assert.deepEqual(probe.slack.snapshot('U0AGENT').commands, [], 'other workspaces have none');
  });

  it('in an enterprise is for all of its workspaces', async () => {
    await using probe = await oauthProbe();
    await probe.install(group);
    const { team, enterprise, is_enterprise_install, bot_user_id } = probe.grants[0] ?? {};
    assert.deepEqual(
      { team, enterprise, is_enterprise_install, bot_user_id },
      {
        team: null,
        enterprise: { id: 'E0SWITCH', name: 'Sandbox Group' },
        is_enterprise_install: true,
        bot_user_id: 'W0SWITCHBOARD',
      },
    );
    const { team_id } = await probe.client().auth.test();
    assert.equal(team_id, 'E0SWITCH', 'Slack names the enterprise as the team');
    for (const person of ['U0AGENT', 'W0SISAGENT']) {
      assert.equal(probe.slack.snapshot(person).commands.length, 1);
    }
    assert.deepEqual(probe.slack.snapshot('U0HARAGENT').commands, []);
  });

  it('can be cancelled, and then changes nothing', async () => {
    await using probe = await oauthProbe();
    await probe.install({ ...harbor, cancel: true });
    assert.equal(probe.returned().get('error'), 'access_denied');
    assert.equal(probe.returned().get('state'), 'state-1');
    assert.deepEqual(probe.slack.snapshot('U0HARAGENT').commands, []);
  });

  it('is for those who may install apps there', async () => {
    await using probe = await oauthProbe();
    const refused = /You are not allowed to install apps here/;
    await assert.rejects(probe.install({ ...harbor, person: 'U0HARGUEST' }), refused);
    await assert.rejects(probe.install({ ...harbor, person: 'U0ADMIN' }), refused);
    await assert.rejects(probe.install({ ...group, person: 'U0ADMIN' }), refused);
    await assert.rejects(probe.install({ workspace: 'T0NOWHERE', person: 'U0ADMIN' }), refused);
    assert.deepEqual(probe.grants, []);
  });

  it('asks for scopes of the manifest, of which optional ones can be left out', async () => {
    await using probe = await oauthProbe();
    await probe.install({ ...harbor, scopes: ['users:read'] });
    assert.equal(probe.grants[0]?.scope, 'commands,chat:write,users:read', 'only optional ones');
    await assert.rejects(
      probe.client().conversations.info({ channel: 'C0HARDISPATCH' }),
      (error: { data?: unknown }) => {
        const { needed, provided } = error.data as Record<string, unknown>;
        assert.equal(needed, 'channels:read,groups:read,im:read');
        assert.equal(provided, 'commands,chat:write,users:read');
        return refusal('missing_scope')(error);
      },
    );
    probe.ask.scope = 'commands,admin';
    await assert.rejects(probe.install(harbor), /Invalid permissions requested: admin/);
  });

  it('is refused for another client or another redirect URL', async () => {
    await using probe = await oauthProbe();
    probe.ask.client_id = '3333.4444';
    await assert.rejects(probe.install(harbor), /Invalid client_id/);
    probe.ask.client_id = clientId;
    probe.ask.redirect_uri = 'http://127.0.0.1:1/elsewhere';
    await assert.rejects(probe.install(harbor), /redirect_uri did not match/);
  });

  it('again gives a new token and revokes the one before', async () => {
    await using probe = await oauthProbe();
    await probe.install(harbor);
    const first = probe.client();
    await probe.install(harbor);
    await assert.rejects(first.auth.test(), refusal('token_revoked'));
    await probe.client().auth.test();
  });

  it('is kept over a restart', async (test) => {
    const { mkdtemp, rm } = await import('node:fs/promises');
    const folder = await mkdtemp('/tmp/slack-installations-');
    test.after(() => rm(folder, { recursive: true }));
    const stateFile = `${folder}/slack.json`;
    let token = '';
    {
      await using probe = await oauthProbe({ stateFile });
      await probe.install(harbor);
      token = String(probe.grants[0]?.access_token);
    }
    await using probe = await oauthProbe({ stateFile });
    await probe.client(token).auth.test();
  });
});

describe('A code', () => {
  it('is exchanged once, within ten minutes, by the client and for the redirect URL that asked', async () => {
    let now = Date.now();
    await using probe = await oauthProbe({ clock: () => new Date(now) });
    await probe.install(harbor);
    const code = probe.returned().get('code') ?? '';
    const errorOf = async (fields: Record<string, string>) => (await probe.access(fields)).error;
    assert.equal(await errorOf({ code }), 'code_already_used');
    assert.equal(await errorOf({ code: 'unknown' }), 'invalid_code');
    assert.equal(await errorOf({ code, client_id: 'x' }), 'invalid_client_id');
    assert.equal(await errorOf({ code, client_secret: 'x' }), 'bad_client_secret');
    assert.equal(await errorOf({ code, grant_type: 'password' }), 'invalid_grant_type');

    probe.ask.redirect_uri = `${probe.url}/slack/oauth_redirect?from=here`;
    await probe.install(harbor);
    assert.equal(probe.grants.at(-1)?.error, 'bad_redirect_uri', 'it must be sent again');
    const unused = probe.returned().get('code') ?? '';
    now += 10 * 60_000 + 1;
    assert.equal(await errorOf({ code: unused, redirect_uri: probe.ask.redirect_uri }), 'invalid_code');
  });
});

describe('A rotating token', () => {
  const day = 86_400_000;

  it('expires after 12 hours, and is refreshed once by each refresh token', async () => {
    let now = Date.now();
    await using probe = await oauthProbe({ clock: () => new Date(now) }, true);
    await probe.install(harbor);
    const { access_token, refresh_token, expires_in } = probe.grants[0] ?? {};
    assert.match(String(access_token), /^xoxe\.xoxb-1-/);
    assert.match(String(refresh_token), /^xoxe-1-/);
    assert.equal(expires_in, 43_200);
    await probe.client().auth.test();
    now += 43_200_000;
    await assert.rejects(probe.client().auth.test(), refusal('token_expired'));

    const again = { grant_type: 'refresh_token', refresh_token: String(refresh_token) };
    const next = await probe.access(again);
    assert.equal(next.ok, true);
    assert.notEqual(next.refresh_token, refresh_token);
    await probe.client(String(next.access_token)).auth.test();
    assert.equal((await probe.access(again)).error, 'invalid_refresh_token');
    const refreshes = probe.slack.exchanges.filter(
      ({ what, request }) => what === 'oauth.v2.access' && JSON.stringify(request).includes('refresh_token'),
    );
    assert.equal(refreshes.length, 2, 'a test can count them');
    assert.ok(!JSON.stringify(probe.slack.exchanges).includes(String(refresh_token)), 'they are masked');
  });

  it('stays valid after a refresh, until two newer ones exist', async () => {
    await using probe = await oauthProbe({}, true);
    await probe.install(harbor);
    let refreshToken = String(probe.grants[0]?.refresh_token);
    const refresh = async () => {
      const next = await probe.access({ grant_type: 'refresh_token', refresh_token: refreshToken });
      refreshToken = String(next.refresh_token);
    };
    await refresh();
    await probe.client().auth.test();
    await refresh();
    await assert.rejects(probe.client().auth.test(), refusal('token_revoked'));
  });

  it('cannot be refreshed after the app was removed or installed again', async () => {
    let now = Date.now();
    await using probe = await oauthProbe({ clock: () => new Date(now) }, true);
    await probe.install(harbor);
    await probe.install(harbor);
    const [first, second] = probe.grants.map(({ refresh_token }) => String(refresh_token));
    const errorOf = async (refresh_token = '') =>
      (await probe.access({ grant_type: 'refresh_token', refresh_token })).error;
    assert.equal(await errorOf(first), 'invalid_refresh_token');
    await probe.slack.uninstall('T0HARBOR');
    now += day;
    assert.equal(await errorOf(second), 'invalid_refresh_token');
  });
});

describe('Removing the app', () => {
  it('tells the app, whose token is inactive, and leaves nothing of it', async () => {
    await using probe = await oauthProbe();
    await probe.install(harbor);
    await probe.install(group);
    const clientOf = (index: number) => probe.client(String(probe.grants[index]?.access_token));
    const results = await probe.slack.uninstall('T0HARBOR');
    assert.deepEqual(
      results.map(({ status }) => status),
      [200, 200],
    );
    const told = probe.requests.map(({ team_id, event }) => [team_id, (event as { type: string }).type]);
    assert.deepEqual(told.toSorted(), [
      ['T0HARBOR', 'app_uninstalled'],
      ['T0HARBOR', 'tokens_revoked'],
    ]);
    await assert.rejects(clientOf(0).auth.test(), refusal('account_inactive'));
    await clientOf(1).auth.test();
    const { commands, channels } = probe.slack.snapshot('U0HARAGENT');
    assert.deepEqual(commands, []);
    assert.ok(channels.every(({ botIsMember }) => !botIsMember));
    await assert.rejects(probe.slack.uninstall('T0HARBOR'), /not installed/);
  });

  it('from an enterprise names the enterprise and no workspace', async () => {
    await using probe = await oauthProbe();
    await probe.install(group);
    await probe.slack.uninstall('E0SWITCH');
    const [{ enterprise_id, authorizations } = {}] = probe.requests;
    assert.equal(enterprise_id, 'E0SWITCH');
    assert.deepEqual(authorizations, [
      {
        enterprise_id: 'E0SWITCH',
        team_id: null,
        user_id: 'W0SWITCHBOARD',
        is_bot: true,
        is_enterprise_install: true,
      },
    ]);
  });
});

describe('A fault of oauth.v2.access', () => {
  it('can follow the exchange, which then is done although no answer came', async () => {
    await using probe = await oauthProbe({}, true);
    await probe.install(harbor);
    const again = { grant_type: 'refresh_token', refresh_token: String(probe.grants[0]?.refresh_token) };
    probe.slack.fault('oauth.v2.access', { status: 500, after: true });
    assert.equal((await probe.access(again)).error, 'internal_error');
    assert.equal((await probe.access(again)).error, 'invalid_refresh_token');
  });
});
