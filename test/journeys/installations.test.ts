import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { request } from 'undici';
import { systemTimers, type Timers } from '../../src/lib/time/timers.ts';
import { testedInstances } from '../support/app/instances.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { profileEnv } from '../support/provider/profile-file.ts';
import { opensReports } from '../support/reports/report-address.ts';
import { slackUserAt } from '../support/slack/slack-user.ts';
import { connectAs, looksUp } from '../support/slack/workspace-steps.ts';
import { runningClock } from '../support/time/test-clock.ts';

const harbor = { workspace: 'T0HARBOR', person: 'U0HARADMIN' };
const orchard = { workspace: 'T0ORCHARD', person: 'U0ORCADMIN' };
const number = '+2348031234567';

/** The keys that the provider was called with, one for each call. */
const keysAt = ({ provider }: TestApp) => provider.arrivals.map(({ query }) => query.api_key);

describe('an installation by OAuth', () => {
  it('leads straight to Slack, back to a page, and by a welcome to the connection', async (test) => {
    const testApp = await startTestApp(test, { install: 'oauth' });
    const { install, slack, provider, url, log } = testApp;
    const begun = await fetch(`${url()}/slack/install`, { redirect: 'manual' });
    assert.equal(begun.status, 302);
    assert.ok(begun.headers.get('location')?.startsWith(`${slack.url}/oauth/v2/authorize?`));
    assert.match(await (await fetch(url())).text(), /href="\/slack\/install"/);
    assert.equal((await fetch(`${url()}/readyz`)).status, 200, 'ready before the first installation');

    const seen = await install(harbor);
    assert.equal(seen.status, 200);
    assert.match(seen.text, /Switchboard is installed.*Harbor.*slack:\/\/app\?team=T0HARBOR/s);
    const hana = slackUserAt(slack, 'U0HARADMIN');
    await hana.sees('Connect your messaging provider');
    await hana.presses('Connect');
    await hana.fills('API key', provider.account.key);
    await hana.submits();
    await hana.seesModal('Switchboard', 'Connected');
    await hana.closes();
    await hana.sees('Switchboard is connected to the provider.');
    await looksUp(testApp.slack, 'U0HARAGENT');

    await install(harbor);
    await looksUp(testApp.slack, 'U0HARAGENT');
    assert.equal(
      hana.messages().some(({ text }) => text.includes('Switchboard is installed')),
      false,
      'a reinstall keeps everything, and says nothing',
    );
    assert.doesNotMatch(log(), /xoxb-T0HARBOR|code=[0-9a-f]{8}/);
  });

  it('that does not succeed says why, and changes nothing', async (test) => {
    const { install, slack, url } = await startTestApp(test, { install: 'oauth' });
    const cancelled = await install({ ...harbor, cancel: true });
    assert.equal(cancelled.status, 200);
    assert.match(cancelled.text, /cancelled in Slack.*href="\/slack\/install"/s);

    const begun = await fetch(`${url()}/slack/install`, { redirect: 'manual' });
    const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state') ?? '';
    const [cookie = ''] = begun.headers.getSetCookie()[0]?.split(';') ?? [];
    const backWith = (query: Record<string, string>, cookies: string) =>
      fetch(`${url()}/slack/oauth_redirect?${new URLSearchParams(query)}`, { headers: { cookie: cookies } });
    const refused = async (query: Record<string, string>, cookies: string, status: number, words: RegExp) => {
      const answer = await backWith(query, cookies);
      assert.equal(answer.status, status);
      assert.match(await answer.text(), words);
    };
    const otherBrowser = /started in another browser/;
    await refused({ code: 'x', state }, '', 400, otherBrowser);
    await refused({ code: 'x', state: `${state}x` }, cookie, 400, otherBrowser);
    await refused({ code: 'x', state: 'x'.repeat(5_000) }, `${cookie}`, 400, otherBrowser);
    await refused({ code: 'x' }, cookie, 400, otherBrowser);
    await refused({ state }, cookie, 400, /sent no confirmation/);
    await refused({ code: 'unknown', state }, cookie, 400, /has expired or was already used/);
    await refused({ code: 'unknown', state }, cookie, 400, otherBrowser);
    assert.deepEqual(slack.snapshot('U0HARAGENT').commands, []);
  });

  it('shows admins the public address of the settings, whatever host the installer’s browser names', async (test) => {
    const env = {
      PUBLIC_ADDRESS: 'https://sms.acme.example',
      ...profileEnv({ reportSignature: { header: 'X-Signature' } }),
    };
    const { slack, provider, url } = await startTestApp(test, { install: 'oauth', env });
    const begun = await fetch(`${url()}/slack/install`, { redirect: 'manual' });
    const asked = new URL(begun.headers.get('location') ?? '').searchParams;
    const allowed = await fetch(`${slack.url}/oauth/v2/authorize`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams([
        ...asked,
        ['place', 'workspace:T0HARBOR'],
        ['person', harbor.person],
        ['decision', 'allow'],
      ]),
    });
    const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const back = allowed.headers.get('location') ?? '';
    const evil = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' };
    assert.equal((await request(back, { headers: { cookie, ...evil } })).statusCode, 200);

    await connectAs(slack, harbor.person, provider.account.key);
    const hana = slackUserAt(slack, harbor.person);
    await opensReports(hana);
    await hana.presses('Create webhook URL');
    await hana.seesModal('Delivery reports', '`https://sms.acme.example/provider/reports/');
    await hana.closes();
    await hana.closes();
    slack.fault('views.open', { error: 'missing_scope' });
    await hana.types('/sms');
    await hana.sees('<https://sms.acme.example/slack/install|Reinstall Switchboard>');
    assert.doesNotMatch(JSON.stringify(slack.exchanges), /evil\.example/);
  });

  it('is refused once its state has expired', async (test) => {
    const { clock, pass } = runningClock();
    const { url } = await startTestApp(test, { install: 'oauth', clock });
    const begun = await fetch(`${url()}/slack/install`, { redirect: 'manual' });
    const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state') ?? '';
    const [cookie = ''] = begun.headers.getSetCookie()[0]?.split(';') ?? [];
    pass(11 * 60_000);
    const answer = await fetch(`${url()}/slack/oauth_redirect?${new URLSearchParams({ code: 'x', state })}`, {
      headers: { cookie },
    });
    assert.equal(answer.status, 400);
  });
});

it('serves workspaces side by side, each with its own key', async (test) => {
  const testApp = await startTestApp(test, { install: 'oauth' });
  const { install, slack, provider, restart } = testApp;
  await install(harbor);
  await install(orchard);
  await connectAs(slack, 'U0HARADMIN', provider.account.key);
  await connectAs(slack, 'U0ORCADMIN', provider.otherAccount.key);
  await restart();
  for (const [person, key] of [
    ['U0HARAGENT', provider.account.key],
    ['U0ORCAGENT', provider.otherAccount.key],
  ] as const) {
    const before = keysAt(testApp).length;
    await looksUp(testApp.slack, person);
    assert.deepEqual(new Set(keysAt(testApp).slice(before)), new Set([key]));
  }
});

const group = { enterprise: 'E0SWITCH', person: 'W0CHIEF' };

it('of an enterprise serves each of its workspaces, each with its own key, and nobody else', async (test) => {
  const testApp = await startTestApp(test, { install: 'oauth' });
  const { install, slack, provider, restart, stopApp, log } = testApp;
  const seen = await install(group);
  assert.match(seen.text, /Sandbox Group/);
  await slackUserAt(slack, 'W0CHIEF').sees('Connect your messaging provider');
  await connectAs(slack, 'U0ADMIN', provider.account.key);
  await connectAs(slack, 'W0SISADMIN', provider.otherAccount.key);
  await restart();
  for (const [person, key] of [
    ['U0AGENT', provider.account.key],
    ['W0SISAGENT', provider.otherAccount.key],
  ] as const) {
    const before = keysAt(testApp).length;
    await looksUp(testApp.slack, person);
    assert.deepEqual(new Set(keysAt(testApp).slice(before)), new Set([key]));
  }
  // A request with the ids of a workspace that the app is not installed in.
  const calls = keysAt(testApp).length;
  const command = {
    do: 'command',
    person: 'U0AGENT',
    channel: 'C0SUPPORT',
    command: '/number',
    text: number,
  } as const;
  const foreign = { team_id: 'T0NOWHERE', enterprise_id: 'E0NOWHERE' };
  for (let time = 0; time < 3; time += 1) {
    const { status, answer } = await slack.forge(command, {
      rewrite: (payload) => ({ ...payload, ...foreign }),
    });
    assert.deepEqual([status, answer ?? ''], [200, '']);
  }
  // Of the enterprise, but not one that the person belongs to.
  await slack.forge(command, { team: 'T0NOWHERE' });
  await stopApp();
  assert.equal(keysAt(testApp).length, calls);
  const logged = log().match(/a request was not served/g)?.length ?? 0;
  assert.ok(logged > 0 && logged <= testedInstances, 'logged at most once a minute by each instance');
});

const patience = 60_000;

it('a token that expires is refreshed once for all who need it, and none of them is refused', async (test) => {
  const { clock, pass } = runningClock();
  // A busy machine may need longer for a refresh than a person is looked up for, or than Slack waits. What went on after that
  // would meet the clock of the next day.
  const sleep: Timers['sleep'] = (ms, signal) => systemTimers.sleep(ms === 1_500 ? patience : ms, signal);
  const testApp = await startTestApp(test, {
    install: 'oauth',
    tokenRotation: true,
    clock,
    patience,
    timers: { ...systemTimers, sleep },
  });
  const { install, slack, provider, app, restart } = testApp;
  const refreshes = () =>
    slack.exchanges.filter(
      ({ what, request }) => what === 'oauth.v2.access' && JSON.stringify(request).includes('refresh_token'),
    ).length;
  await install(harbor);
  await connectAs(slack, 'U0HARADMIN', provider.account.key);
  await restart();
  assert.equal(refreshes(), 0);
  for (let day = 1; day <= 3; day += 1) {
    pass(13 * 60 * 60_000);
    await Promise.all(
      ['U0HARAGENT', 'U0HARMEMBER', 'U0HARAPPROVER', 'U0HARADMIN'].flatMap((person) => [
        slackUserAt(slack, person).types('/number', number),
        slackUserAt(slack, person).types('/sms', 'history'),
      ]),
    );
    await app().settled();
    assert.equal(refreshes(), day);
    assert.doesNotMatch(JSON.stringify(slack.exchanges), /token_expired|token_revoked/);
  }
  await slackUserAt(slack, 'U0HARADMIN').seesHome('Team activity');
});

it('what needs a scope that was not granted says so, and the rest works', async (test) => {
  const env = { PUBLIC_ADDRESS: 'https://sms.acme.example' };
  const testApp = await startTestApp(test, { install: 'oauth', env });
  const { install, slack, provider } = testApp;
  await install({ ...harbor, scopes: [] });
  await connectAs(slack, 'U0HARADMIN', provider.account.key);
  await looksUp(testApp.slack, 'U0HARAGENT');
  const hana = slackUserAt(slack, 'U0HARADMIN');
  const home = JSON.stringify(await hana.seesHome('Team activity'));
  assert.doesNotMatch(home, /missing Slack permissions/, 'no optional scope is missed');
  await hana.presses('Open settings');
  await hana.presses('Change roles');
  await hana.seesModal(
    'Roles',
    /lacks the permission `usergroups:read`.*\/slack\/install\|Reinstall Switchboard>/s,
  );
  await hana.closes();
  slack.fault('views.open', { error: 'missing_scope' });
  await hana.types('/sms');
  await hana.sees('Slack doesn’t let Switchboard do this');
  const toAdmin = JSON.stringify(hana.messages().at(-1));
  assert.match(
    toAdmin,
    /<https:\/\/sms\.acme\.example\/slack\/install\|Reinstall Switchboard>/,
    'an admin gets the way',
  );
  slack.fault('views.open', { error: 'missing_scope' });
  const agent = slackUserAt(slack, 'U0HARAGENT');
  await agent.types('/sms');
  await agent.sees('Ask an admin of this workspace to reinstall Switchboard');
  assert.doesNotMatch(JSON.stringify(agent.messages()), /slack\/install/);
  slack.fault('users.info', { error: 'missing_scope' });
  const member = slackUserAt(slack, 'U0HARMEMBER');
  await member.types('/sms');
  await member.sees('Slack doesn’t let Switchboard see who you are');
});
