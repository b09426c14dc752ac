import assert from 'node:assert/strict';
import { after } from 'node:test';
import type { LoggedRequest } from '../../../sandbox/lib/logged-request.ts';
import type { ProviderSandbox } from '../../../sandbox/provider/server.ts';
import { agencyAccount, harbourAccount, marketAccount } from '../../../sandbox/provider/state/seed.ts';
import type { SlackSandbox } from '../../../sandbox/slack/server.ts';
import { firstWorkspace } from '../../../sandbox/slack/workspace/fixtures.ts';
import type { Grant } from '../../../src/domain/access/decision.ts';
import type { ProviderLimits } from '../../../src/provider/client.ts';
import { hurriedTimers } from '../hurried-timers.ts';
import { leaksAtRest } from '../privacy/leaks.ts';
import { type RestingTimers, restingTimers } from '../resting-timers.ts';
import { slackUserAt } from '../slack/slack-user.ts';
import { showLogOfFailure, type TestEnd } from './log-of-failure.ts';
import { personalTexts, startTestApp, type TestApp, type Transport, testGrants } from './test-app.ts';
import type { ProviderView, SlackView, TestWorkspace } from './test-workspace.ts';

/** By transport and settings: the tests of a process with the same ones share an app, a Slack and a provider. */
const started = new Map<string, { app: Promise<TestApp>; timers: RestingTimers }>();
const endings: (() => void | Promise<void>)[] = [];
let joined = 0;

// In the order of their registration, as in a test: a folder is removed once it was searched for what is private and lies in
// the clear. One that fails does not keep the next from ending: the process would wait for its servers.
after(async () => {
  const errors: unknown[] = [];
  for (const end of endings) {
    await Promise.try(end).catch((error: unknown) => errors.push(error));
  }
  if (errors.length > 0) {
    throw errors.length === 1 ? errors[0] : new AggregateError(errors);
  }
});

/**
 * Joins the app that the tests of this process share, with a workspace, people, channels and provider accounts of the test's
 * own. A test that stops the app, turns its clock or breaks its database starts its own by `startTestApp`.
 *
 * @param options.grants who has which role at first, as in `startTestApp`
 */
export async function joinTestApp(
  test: TestEnd,
  options: {
    transport?: Transport;
    env?: Record<string, string>;
    providerLimits?: Partial<ProviderLimits>;
    grants?: readonly Grant[] | undefined;
  } = {},
): Promise<TestWorkspace> {
  const { transport = 'http', env = {}, providerLimits = {} } = options;
  const { app, timers } = sharedApp(transport, env, providerLimits);
  const leave = timers.wake();
  const shared = await app;
  joined += 1;
  const suffix = `N${joined}`;
  const fixture = firstWorkspace(suffix);
  const teamId = fixture.team.id;
  const idOf = (id: string) => `${id}${suffix}`;
  shared.slack.addWorkspace(fixture);
  await shared.install({ workspace: teamId, person: idOf('U0ADMIN') });
  // The welcome is posted after the page of the installation was answered. It would meet the faults that a test orders.
  await shared.app().settled();
  // Tests send the second code to a number at once.
  await shared.app().services.limits.workspace.save(teamId, { numbers: { 'codes.again': 0 } });
  const grants = 'grants' in options ? options.grants : testGrants;
  if (grants !== undefined) {
    await shared.app().services.access.change({
      workspaceId: teamId,
      userId: idOf('U0ADMIN'),
      version: 0,
      change: () => grants,
    });
  }

  const provider = providerView(shared.provider, suffix, test);
  const slack = slackView(shared.slack, teamId);
  const logged = shared.log().length;
  const log = () => shared.log().slice(logged);
  showLogOfFailure(test, log);
  const before = new Set(shared.faults);
  test.after(async () => {
    await shared.app().settled();
    leave();
    const faults = [...shared.faults].filter((fault) => !before.has(fault));
    assert.deepEqual(faults, [], 'what is wrong with the texts that this test made the app show');
    const texts = { keys: provider.keys, personal: personalTexts(provider) };
    assert.deepEqual(
      leaksAtRest({ log: log(), dataDir: '', ...texts }),
      [],
      'what is private, and in the log',
    );
  });

  const user = (id: string) => slackUserAt(shared.slack, idOf(id));
  const grace = user('U0ADMIN');
  return {
    slack,
    provider,
    ada: user('U0AGENT'),
    grace,
    guy: user('U0GUEST'),
    sam: user('U0STRANGER'),
    teamId,
    channels: { support: idOf('C0SUPPORT'), campaigns: idOf('C0CAMPAIGNS'), oldNews: idOf('C0OLD') },
    idOf,
    url: shared.url,
    app: shared.app,
    log,
    async connect(key = provider.account.key) {
      const { kind } = await shared.app().services.workspaces.connect(teamId, key, grace.id);
      assert.equal(kind, 'connected');
    },
  };
}

function sharedApp(
  transport: Transport,
  env: Record<string, string>,
  providerLimits: Partial<ProviderLimits>,
): { app: Promise<TestApp>; timers: RestingTimers } {
  const key = JSON.stringify([transport, Object.entries(env).sort(), providerLimits]);
  const known = started.get(key);
  if (known !== undefined) {
    return known;
  }
  const timers = restingTimers(hurriedTimers);
  endings.push(() => void timers.wake());
  const app = startTestApp(
    { after: (end) => void endings.push(end) },
    { transport, env, providerLimits, timers, install: 'oauth', grants: undefined },
  );
  started.set(key, { app, timers });
  return { app, timers };
}

function slackView(slack: SlackSandbox, teamId: string): SlackView {
  const isOwn = ({ place, request }: LoggedRequest) =>
    place === teamId || JSON.stringify(request).includes(`"${teamId}"`);
  return {
    url: slack.url,
    perform: (action) => slack.perform(action),
    snapshot: (personId, team) => slack.snapshot(personId, team),
    topModal: (personId, team) => slack.topModal(personId, team),
    get exchanges() {
      return slack.exchanges.filter(isOwn);
    },
    onChange: (listener) => slack.onChange(listener),
    until: (look, what, within) => slack.until(look, what, within),
    redeliver: (what) => slack.redeliver(what, teamId),
    later: (action) => slack.later(action),
    forge: (action, forgery) => slack.forge(action, forgery),
    sendEvent: (event, team = teamId) => slack.sendEvent(event, team),
    setUserGroup: (groupId, users) => slack.setUserGroup(groupId, users),
    fault: (method, fault) => slack.fault(method, { place: teamId, ...fault }),
    hold: (method) => slack.hold(method, teamId),
    setRole: (personId, role) => slack.setRole(personId, role),
    setDeactivated: (personId, deactivated) => slack.setDeactivated(personId, deactivated),
  };
}

function providerView(
  provider: ProviderSandbox,
  suffix: string,
  test: { after(end: () => void): void },
): ProviderView {
  const now = new Date();
  const accounts = [marketAccount, agencyAccount, harbourAccount].map((make) => {
    const account = make(now);
    return { ...account, key: account.key.replace('key', `key-${suffix.toLowerCase()}`) };
  });
  for (const account of accounts) {
    provider.addAccount(account);
  }
  const [market, agency, harbour] = accounts.map(({ key }) => key) as [string, string, string];
  const keys = accounts.map(({ key }) => key);
  const arrived = provider.arrivals.length;
  return {
    url: provider.url,
    get account() {
      return provider.accountWith(market);
    },
    get otherAccount() {
      return provider.accountWith(agency);
    },
    get fullAccount() {
      return provider.accountWith(harbour);
    },
    get record() {
      return provider.record.filter(({ account }) => keys.includes(account));
    },
    get arrivals() {
      return provider.arrivals
        .slice(arrived)
        .filter(({ account }) => account === undefined || keys.includes(account));
    },
    keys,
    accountWith: (key) => provider.accountWith(key),
    get emptiedPhonebooks() {
      return provider.emptiedPhonebooks.filter(({ account }) => keys.includes(account));
    },
    setBalance: (naira, key = market) => provider.setBalance(naira, key),
    approveSenderId: (name, key = market) => provider.approveSenderId(name, key),
    webhook: {
      set: (webhook, key = market) => provider.webhook.set(webhook, key),
      get posts() {
        return provider.webhook.posts.filter(({ account }) => keys.includes(account));
      },
      deliver: (messageId, status) => provider.webhook.deliver(messageId, status),
    },
    receive: (text, key = market) => provider.receive(text, key),
    orderFault(order) {
      // A fault that leaves the body unread is ordered before anything is known of the account.
      const own = order.fault.kind === 'cut_unread' ? order : { account: market, ...order };
      const ordered = provider.orderFault(own);
      test.after(() => ordered.cancel());
      return ordered;
    },
  };
}
