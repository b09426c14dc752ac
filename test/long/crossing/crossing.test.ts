import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { LoggedRequest } from '../../../sandbox/lib/logged-request.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { eventually, reached } from '../../support/campaigns.ts';
import { adminStory } from '../../support/crossing/admin-story.ts';
import { agentStory, leavingDrafts } from '../../support/crossing/agent-stories.ts';
import { attemptsOf, typedBy } from '../../support/crossing/attempts.ts';
import { heldNumbers, startHeld, steeringStory } from '../../support/crossing/campaign-story.ts';
import type { Cast } from '../../support/crossing/cast.ts';
import { colleagueStory } from '../../support/crossing/colleague-story.ts';
import {
  askedOfProvider,
  misplacedCalls,
  peopleOf,
  saidToSlack,
  seenIn,
  storedIn,
} from '../../support/crossing/evidence.ts';
import { submitsForeignFiles } from '../../support/crossing/foreign-files.ts';
import { createMarks, type Item } from '../../support/crossing/marks.ts';
import { requestsOf } from '../../support/crossing/removal.ts';
import { everyRow, type Row } from '../../support/crossing/rows.ts';
import { settingUp } from '../../support/crossing/setting-up.ts';
import { strangerPresses, strangerStory } from '../../support/crossing/stranger-story.ts';
import { accountOf, groupsOf, type Tenant, tenants } from '../../support/crossing/tenants.ts';
import { createTurns, type Turns } from '../../support/crossing/turns.ts';
import { setLimits, unlimited } from '../../support/limits.ts';
import { heldResponses } from '../../support/provider/held-responses.ts';
import { profileEnv } from '../../support/provider/profile-file.ts';
import { everySeed } from '../../support/sizes.ts';
import { intruder, normalised, unknownIds } from '../../support/slack/forged-requests.ts';
import { messageButtons } from '../../support/slack/message-buttons.ts';
import { slackUserAt } from '../../support/slack/slack-user.ts';

const stranger = 'U0STRANGER';

/** Installs the app in the enterprise, and in the company. All people of the stories administer their workspace. */
async function installed(test: Parameters<typeof startTestApp>[0]) {
  const exchanges: LoggedRequest[] = [];
  const steered = heldResponses(test);
  const removed = heldResponses(test);
  const held = { now: steered, steered, removed };
  const testApp = await startTestApp(test, {
    install: 'oauth',
    tokenRotation: true,
    patience: 30_000,
    wait: (...given) => held.now.wait(...given),
    env: profileEnv({ contactDeleteBy: 'query:contact_id' }),
    accounts: tenants.map((tenant) => accountOf(tenant, new Date())),
    onExchange: (exchange) => void exchanges.push(exchange),
  });
  for (const { agent, colleague, approver } of tenants) {
    for (const person of [agent, colleague, approver]) {
      testApp.slack.setRole(person, 'admin');
    }
  }
  // At home in one workspace of the enterprise, and an admin of the other too.
  testApp.slack.setEnterpriseAdmin('W0SISTER');
  await testApp.install({ enterprise: 'E0SWITCH', person: 'W0CHIEF' });
  await testApp.install({ workspace: 'T0HARBOR', person: 'U0HARADMIN' });
  // The welcomes are of an installation, which in the enterprise is not of one workspace.
  for (const installer of ['W0CHIEF', 'U0HARADMIN']) {
    await slackUserAt(testApp.slack, installer).sees('Connect your messaging provider');
  }
  for (const { workspaceId } of tenants) {
    // Whether somebody has used up a limit must not decide what they are answered.
    const numbers = unlimited('codes', 'purchases');
    await setLimits(testApp.app().services, workspaceId, { numbers });
  }
  exchanges.length = 0;
  return { testApp, exchanges, held };
}

function castOf(testApp: TestApp, turns: Turns, tenant: Tenant): Cast {
  const person = (id: string) =>
    turns.of(slackUserAt(testApp.slack, id, { team: tenant.workspaceId, patience: 12_000 }));
  return {
    tenant,
    testApp,
    admin: person(tenant.admin),
    agent: person(tenant.agent),
    approver: person(tenant.approver),
    colleague: person(tenant.colleague),
  };
}

/** What the services have of a workspace, for its admins. */
async function keptOf({ app }: TestApp, { workspaceId, agent }: Tenant): Promise<string> {
  const { operations, campaigns, approvals, suppressionList } = app().services;
  const kept = [
    await operations.recent(workspaceId, agent, 1_000),
    await campaigns.listRecent({ workspaceId, userId: agent, limit: 100 }),
    await approvals.waiting({ workspaceId }),
    await suppressionList.count(workspaceId),
  ];
  return JSON.stringify(kept);
}

/** Returns the ids of a workspace's operations and campaigns, without their user. */
async function idsOf({ app, slack }: TestApp, tenant: Tenant): Promise<string[]> {
  const { operations, campaigns } = app().services;
  const { workspaceId } = tenant;
  const ids: string[] = [];
  for (const { id: userId } of peopleOf(slack, tenant)) {
    const performed = await operations.recent(workspaceId, userId, 1_000);
    const composed = await campaigns.listRecent({ workspaceId, userId, limit: 100 });
    ids.push(...performed.flatMap(({ id, key }) => [id, key]), ...composed.map(({ id }) => id));
  }
  return ids.flatMap((id) => id.split('.').filter((part) => part.length > 20));
}

/** Tries ids of one workspace as an admin of another. Returns how many were tried. */
async function forges(
  test: Parameters<typeof intruder>[0],
  testApp: TestApp,
  { attacker, victim, exchanges }: { attacker: Tenant; victim: Tenant; exchanges: readonly LoggedRequest[] },
): Promise<number> {
  const person = slackUserAt(testApp.slack, attacker.agent, { team: attacker.workspaceId });
  const before = await keptOf(testApp, victim);
  const button = messageButtons(person)[0] ?? assert.fail('no button');
  const tries = await intruder(test, testApp, person, button);
  const withUnknown = unknownIds();
  const marks = createMarks(tenants);
  const crossed: string[] = [];
  const attempts = attemptsOf(exchanges, victim);
  const attack = {
    attacker: { ...attacker, iccids: simsOf(testApp, attacker).iccids },
    victim: { ...victim, iccids: simsOf(testApp, victim).iccids },
  };
  for (const genuine of attempts) {
    const attempt = typedBy(attack, genuine);
    const unknown = await tries(withUnknown(attempt));
    const foreign = await tries(attempt);
    const what = `${attempt.kind} ${attempt.name} with ids of ${victim.word} in ${attacker.word}`;
    const [told, expected] = [foreign, unknown].map(({ answer, asked }) =>
      [normalised(answer), ...asked].join('\n'),
    );
    crossed.push(...(told === expected ? [] : [`${what} is answered ${told} instead of ${expected}`]));
    crossed.push(...marks.foreignIn({ what, owners: [attacker.workspaceId], text: foreign.answer }));
  }
  assert.deepEqual(crossed, []);
  assert.equal(await keptOf(testApp, victim), before, `nothing of ${victim.word} has changed`);
  return attempts.length;
}

/** Counts the rows of each table that a workspace has. */
function tablesOf(rows: readonly Row[], { workspaceId }: Tenant): string[] {
  return [...new Set(rows.filter((row) => row.workspaceId === workspaceId).map(({ table }) => table))].sort();
}

it(`three workspaces and a stranger never cross, in the order of seed ${everySeed}`, async (test) => {
  const { testApp, exchanges, held } = await installed(test);
  const { slack, provider } = testApp;
  const turns = createTurns(everySeed);
  const casts = tenants.map((tenant) => castOf(testApp, turns, tenant));
  const sam = turns.of(slackUserAt(slack, stranger));

  await turns.run(casts.map((cast) => () => settingUp(cast)));
  await turns.run([
    ...casts.flatMap((cast) => [() => agentStory(cast), () => colleagueStory(cast), () => adminStory(cast)]),
    () => strangerStory({ sam, slack }),
  ]);
  await turns.run(casts.map((cast) => () => steeringStory(cast)));
  held.steered.release();
  for (const { tenant, agent } of casts) {
    await agent.sees(new RegExp(`${tenant.word} steered[\\s\\S]*\\*Done:\\*`));
    const numbers = heldNumbers(tenant, 70).toSorted();
    const own = provider.record.filter(({ account }) => account === tenant.key);
    assert.deepEqual(
      reached(own).filter((number) => numbers.includes(number)),
      numbers,
      `each of ${tenant.word} once`,
    );
  }
  await turns.run(casts.map((cast) => () => leavingDrafts(cast)));
  const pressedByStranger = await strangerPresses({ sam: slackUserAt(slack, stranger), slack });
  for (const label of ['Approve', 'Reject', 'Follow up…']) {
    assert.ok(pressedByStranger.includes(label), pressedByStranger.join());
  }
  await testApp.app().settled();

  // Everything until here, before anybody uses an id of others.
  const said = saidToSlack(exchanges, tenants);
  const asked = askedOfProvider(provider, tenants);
  const seen = (await Promise.all(tenants.map((tenant) => seenIn(slack, tenant)))).flat();
  assert.deepEqual(misplacedCalls(exchanges, { slack, tenants }), []);
  const genuine = [...exchanges];
  const ids = new Map<string, string[]>();
  for (const tenant of tenants) {
    ids.set(tenant.workspaceId, await idsOf(testApp, tenant));
  }
  const [first, sister, harbor] = tenants;
  assert.ok(first && sister && harbor);
  let forged = 0;
  // The same person is the agent of the first two: only the workspace tells what is whose.
  for (const [attacker, victim] of [
    [sister, first],
    [harbor, sister],
  ] as const) {
    forged += await forges(test, testApp, { attacker, victim, exchanges: genuine });
    // A token of the enterprise opens the files of both its workspaces, and the person is in both.
    if (attacker.ownerId !== victim.ownerId) {
      const person = slackUserAt(slack, attacker.agent, { team: attacker.workspaceId });
      forged += await submitsForeignFiles(testApp, person, { attacker, victim, exchanges: genuine });
    }
  }

  await testApp.stopApp();
  const rows = await everyRow(testApp);
  await testApp.startApp();
  const stored = storedIn(rows, tenants);
  const marks = createMarks(tenants);
  for (const tenant of tenants) {
    const others = tenants.filter((other) => other !== tenant);
    const elsewhere = new Set(others.flatMap((other) => peopleOf(slack, other).map(({ id }) => id)));
    const people = peopleOf(slack, tenant).map(({ id }) => id);
    const own = people.filter((id) => !elsewhere.has(id) && id !== stranger);
    const { iccids, codes } = simsOf(testApp, tenant);
    marks.add(tenant.workspaceId, [
      tenant.workspaceId,
      tenant.channel,
      tenant.key,
      ...own,
      ...iccids,
      ...codes,
      ...groupsOf(tenant).flatMap(({ id, handle }) => [id, handle]),
    ]);
  }
  const crossings = (items: readonly Item[]) => [...new Set(items.flatMap((item) => marks.foreignIn(item)))];
  assert.deepEqual(crossings(stored), [], 'rows');
  // Not in rows: a person who used an id of others has something of their own under it.
  const idMarks = createMarks([]);
  for (const [workspaceId, own] of ids) {
    idMarks.add(workspaceId, own);
  }
  const idCrossings = [...said, ...asked, ...seen].flatMap((item) => idMarks.foreignIn(item));
  assert.deepEqual([...new Set(idCrossings)], [], 'ids');
  assert.deepEqual(crossings(said), [], 'answers and calls to Slack');
  assert.deepEqual(crossings(asked), [], 'requests to the provider');
  assert.deepEqual(crossings(seen), [], 'what people see');
  for (const [what, items, least] of [
    ['answers and calls', said, 150],
    ['requests', asked, 20],
    ['views and files', seen, 5],
    ['rows', stored, 100],
  ] as const) {
    const owners = items.map(({ text }) => marks.ownersOf(text));
    for (const { workspaceId, word } of tenants) {
      const own = owners.filter((each) => each.has(workspaceId)).length;
      assert.ok(own >= least, `${own} ${what} with marks of ${word}`);
    }
  }
  const ofStranger = rows.filter(({ columns }) => JSON.stringify(columns).includes(stranger));
  assert.ok(ofStranger.length > 0);
  assert.deepEqual(
    ofStranger.filter(({ table, columns }) => table !== 'audit_entry' || columns.action !== 'access.refuse'),
    [],
    'the stranger leaves nothing but refusals',
  );

  // All are sending when one of them removes the app.
  held.now = held.removed;
  const isHarbor = ({ account }: { account?: string }) => account === harbor.key;
  const sentBefore = provider.record.length;
  const arrivedBefore = provider.arrivals.length;
  for (const { tenant, agent } of casts) {
    const person = slackUserAt(slack, agent.id, { team: tenant.workspaceId });
    await startHeld(person, tenant, { from: 90, name: 'last' });
  }
  await held.removed.held(tenants.length);
  const sendsOfHarbor = () =>
    provider.arrivals.slice(arrivedBefore).filter((arrival) => isHarbor(arrival) && arrival.method === 'POST')
      .length;
  await eventually(() => sendsOfHarbor() === heldNumbers(harbor, 90).length, 'the requests of one');
  const ofHarbor = casts.find(({ tenant }) => tenant === harbor) ?? assert.fail();
  const late = await requestsOf(ofHarbor);
  const askedByHarbor = provider.arrivals.filter(isHarbor).length;
  await slack.uninstall(harbor.workspaceId);
  await testApp.app().settled();
  const toldUntilThen = exchanges.length;
  for (const deliver of late) {
    const { status, answer } = await deliver();
    assert.ok(status === 200 && !JSON.stringify(answer ?? '').includes(harbor.word), 'nobody answers');
  }
  held.removed.release();
  for (const { tenant, agent } of casts.filter((cast) => cast.tenant !== harbor)) {
    const person = slackUserAt(slack, agent.id, { team: tenant.workspaceId });
    await person.sees(new RegExp(`${tenant.word} last[\\s\\S]*\\*Done:\\*`));
    const sent = provider.record.slice(sentBefore).filter(({ account }) => account === tenant.key);
    const numbers = heldNumbers(tenant, 90).toSorted();
    assert.deepEqual(reached(sent), numbers, `each of ${tenant.word} once`);
  }
  await testApp.stopApp();
  assert.equal(
    provider.arrivals.filter(isHarbor).length,
    askedByHarbor,
    'nothing more with the key of the one',
  );
  const withToken = exchanges.slice(toldUntilThen).filter(({ place }) => place === harbor.ownerId);
  assert.deepEqual(withToken, [], 'nothing more with the token of the one');
  const left = await everyRow(testApp);
  assert.deepEqual(tablesOf(left, harbor), ['audit_chain', 'audit_entry', 'slack_removal']);
  for (const tenant of [first, sister]) {
    assert.deepEqual(missing(rows, left, tenant), [], `nothing of ${tenant.word} is gone`);
  }
  assert.deepEqual(crossings(storedIn(left, tenants)), [], 'rows after the removal');
  test.diagnostic(
    `${turns.taken} actions, ${said.length} answers and calls to Slack, ${asked.length} requests to the provider, ${seen.length} views of people and files, ${stored.length} rows, ${forged} forged requests`,
  );
});

/** Returns the ids of a workspace's operations, campaigns and approvals that are no longer there. */
function missing(before: readonly Row[], after: readonly Row[], { workspaceId }: Tenant): string[] {
  const idsIn = (rows: readonly Row[]) =>
    rows
      .filter(
        (row) => row.workspaceId === workspaceId && ['operation', 'campaign', 'approval'].includes(row.table),
      )
      .flatMap(({ columns: { id } }) => (typeof id === 'string' ? [id] : []));
  const there = new Set(idsIn(after));
  return idsIn(before).filter((id) => !there.has(id));
}

function simsOf({ provider }: TestApp, { key }: Tenant): { iccids: string[]; codes: string[] } {
  const { sims } = provider.accountWith(key);
  return { iccids: sims.map(({ iccid }) => iccid), codes: sims.map(({ activationCode }) => activationCode) };
}
