import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { budgetPeriod } from '../../../src/domain/limits/budget-period.ts';
import { phoneNumberSchema, toE164 } from '../../../src/domain/phone/phone-number.ts';
import { erasedAreas } from '../../../src/services/erasure/erasure-service.ts';
import { asSeen, by, campaignHarness, startOf, workspaceId } from '../../support/campaign-harness.ts';
import { customers, limitedTeam, limitOf } from '../../support/limit-days.ts';
import { orReason, reasonOf } from '../../support/refusals.ts';

const ada = 'U0AGENT';
const admin = { workspaceId, userId: 'U0ADMIN' };
const minute = 60_000;
const [first, second, third] = customers(3);
assert.ok(first && second && third);
const inGhana = phoneNumberSchema.parse('+233241234567');

describe('messages', () => {
  it('are refused beyond a limit at no cost, until the moment that was said', async (test) => {
    const team = await limitedTeam(test, {
      limits: { numbers: { 'messages.minute.person': 3, 'messages.minute.workspace': 4 } },
    });
    const { harness, send, pass, clock } = team;
    const began = clock.now().getTime();
    assert.equal((await send(ada, [first, second])).kind, 'performed');
    pass(10_000);
    const limit = limitOf(await send(ada, [first, second]));
    assert.deepEqual(limit, {
      reason: { rule: 'rate', subject: 'messages', scope: 'person', window: 'minute', limit: 3, asked: 2 },
      freesAt: new Date(began + minute),
      waitMs: 50_000,
    });
    assert.equal(harness.provider.record.length, 1);
    assert.equal((await send(ada, [third])).kind, 'performed', 'what fits still goes out');
    assert.equal((await send('U0OTHER', [third])).kind, 'performed', 'others have a limit of their own');
    const whole = limitOf(await send('U0THIRD', [third])).reason;
    assert.ok(whole.rule === 'rate' && whole.scope === 'workspace');
    pass(minute - 10_000);
    assert.equal((await send(ada, [first, second])).kind, 'performed');
    const never = limitOf(await send('U0THIRD', customers(4)));
    assert.equal(never.freesAt, undefined, 'more than any minute takes');
  });

  it('that are asked for again count once, and those that were not sent count nothing', async (test) => {
    const { harness, send } = await limitedTeam(test, { limits: { numbers: { 'messages.day.person': 2 } } });
    const { messages } = harness.services;
    const content = { recipients: [first], route: 'dnd' as const, senderId: 'PalmMarket', text: 'Hello' };
    const draftId = 'a'.repeat(22);
    const { version } = await messages.save(workspaceId, draftId, ada, content);
    const again = () => messages.send({ workspaceId, userId: ada, draftId, version, seen: {} });
    const both = await Promise.all([again(), again()]);
    // Either may come first.
    assert.deepEqual(both.map((each) => each.kind === 'performed' && each.first).sort(), [false, true]);
    assert.equal((await again()).kind, 'performed');
    const cancelled = 'b'.repeat(22);
    await messages.save(workspaceId, cancelled, ada, content);
    await messages.cancel(workspaceId, cancelled, ada);
    assert.equal(
      (await reasonOf(messages.send({ workspaceId, userId: ada, draftId: cancelled, version, seen: {} })))
        .kind,
      'cancelled',
    );
    assert.equal((await send(ada, [second])).kind, 'performed', 'one was left');
    assert.equal((await send(ada, [third])).kind, 'limited');
  });

  it('go to the countries that are allowed, and to the workspace’s own', async (test) => {
    const { harness, send, sendCode } = await limitedTeam(test, {
      limits: { countries: { messages: ['KE'] } },
    });
    const { limits } = harness.services;
    assert.equal((await send(ada, [first])).kind, 'performed');
    assert.deepEqual(limitOf(await send(ada, [first, inGhana])), {
      reason: { rule: 'country', subject: 'messages', countries: ['Ghana'], recipients: 1 },
      freesAt: undefined,
    });
    await limits.choose(admin, { countries: { messages: ['GH'] } });
    assert.equal((await send(ada, [first, inGhana])).kind, 'performed');
    const { reason } = limitOf((await sendCode(ada, inGhana)).sent);
    assert.ok(
      reason.rule === 'country' && reason.subject === 'codes',
      'codes stay in the country by default',
    );
  });
});

describe('lookups', () => {
  it('count the requests that reach the provider, and are refused as a whole', async (test) => {
    const { harness } = await limitedTeam(test, { limits: { numbers: { 'lookups.day.person': 10 } } });
    const { dndChecker, numberLookup } = harness.services;
    const who = { workspaceId, userId: ada };
    assert.equal((await dndChecker.checkDnd(who, customers(7))).length, 7);
    assert.equal((await reasonOf(dndChecker.checkDnd(who, customers(4)))).kind, 'limited');
    assert.ok(await numberLookup.lookUp(who, first, 'NG'), 'two requests');
    const asked = harness.provider.arrivals.length;
    assert.equal((await reasonOf(numberLookup.lookUp(who, first, 'NG'))).kind, 'limited');
    assert.equal(harness.provider.arrivals.length, asked);
    assert.equal((await dndChecker.checkDnd(who, [first])).length, 1, 'one was left');
    const stopped = AbortSignal.abort();
    const other = { workspaceId, userId: 'U0OTHER' };
    await dndChecker.checkDnd(other, customers(10), { signal: stopped });
    const checked = await dndChecker.checkDnd(other, customers(5));
    assert.equal(checked.length, 5, 'what was not asked is given back');
  });
});

describe('codes', () => {
  it('to one recipient wait half a minute, and stop at five an hour and ten a day', async (test) => {
    const { sendCode, pass } = await limitedTeam(test);
    assert.equal((await sendCode(ada, first)).sent.kind, 'performed');
    const again = limitOf((await sendCode('U0OTHER', first)).sent);
    assert.equal(again.reason.rule, 'again');
    let sent = 1;
    const stops: unknown[] = [];
    for (let hour = 0; hour < 3; hour += 1) {
      for (let turn = 0; turn < 7; turn += 1) {
        pass(minute);
        const code = await sendCode(`U0TEAM${turn}`, first);
        if (code.sent.kind === 'limited') {
          const { reason } = limitOf(code.sent);
          stops.push(reason.rule === 'recipient' ? reason.window : reason.rule);
        } else {
          sent += 1;
          pass(10_000);
          assert.deepEqual((await code.verify()).verification, { kind: 'match' });
        }
      }
      pass(60 * minute);
    }
    assert.equal(sent, 10);
    assert.deepEqual([...new Set(stops)], ['hour', 'day']);
  });
});

describe('what admins see of limits', () => {
  const shown = async ({ harness }: Awaited<ReturnType<typeof limitedTeam>>) =>
    (await harness.services.limits.reachedNow(workspaceId, 5)).map(({ reason }) => reason.rule);

  it('is no longer what one of them has allowed since', async (test) => {
    const team = await limitedTeam(test, {
      limits: { pages: { day: 2 }, countries: { messages: 'own' } },
    });
    const { limits } = team.harness.services;
    await team.send(ada, [first, second]);
    limitOf(await team.send(ada, [third]));
    limitOf(await team.send(ada, [inGhana]));
    assert.deepEqual((await shown(team)).sort(), ['budget', 'country']);
    await limits.choose(admin, { countries: { messages: ['GH'] } });
    assert.deepEqual(await shown(team), ['budget']);
    await limits.choose(admin, { pages: { day: 3 }, countries: { messages: 'own' } });
    assert.deepEqual(await shown(team), ['country']);
  });

  it('is not a request that no window takes', async (test) => {
    const team = await limitedTeam(test, { limits: { numbers: { 'messages.minute.person': 2 } } });
    limitOf(await team.send(ada, customers(3)));
    assert.deepEqual(await shown(team), []);
  });
});

describe('a person who is erased', () => {
  it('is in nothing that counts towards a limit, or that admins see of it', async (test) => {
    const { harness, sendCode } = await limitedTeam(test);
    const { limits, db, erasure } = harness.store;
    await sendCode(ada, first);
    await sendCode(ada, first);
    await sendCode(ada, second);
    const { signal } = new AbortController();
    await erasure.erase({ workspaceIds: [workspaceId], number: first, areas: erasedAreas, signal });
    const [hash = ''] = await limits.hashes(workspaceId, [first]);
    const rows = [
      ...(await db.selectFrom('limitWindow').selectAll().execute()),
      ...(await db.selectFrom('limitReached').selectAll().execute()),
    ];
    assert.ok(!JSON.stringify(rows).includes(hash));
    assert.deepEqual(await harness.services.limits.reachedNow(workspaceId, 9), []);
  });
});

describe('a page budget', () => {
  const budget = { pages: { day: 1_000 } };

  it('refuses what exceeds it until the next day of Lagos, and warns once at four fifths', async (test) => {
    const { harness, send, pass, clock } = await limitedTeam(test, { limits: { pages: { day: 10 } } });
    const { store } = harness;
    const warned = async () =>
      (
        await store.db
          .selectFrom('outbox')
          .select(['userId', 'subjectId'])
          .where('subject', '=', 'limits')
          .execute()
      ).length;
    await send(ada, customers(7));
    assert.equal(await warned(), 0);
    await send(ada, [first]);
    await send(ada, [second]);
    assert.equal(await warned(), 1);
    const limit = limitOf(await send(ada, [first, second]));
    const { ends } = budgetPeriod('day', clock.now());
    const waitMs = ends.getTime() - clock.now().getTime();
    const { limits } = harness.services;
    await limits.choose(admin, { pages: { day: 11 } });
    await send(ada, [third]);
    assert.equal(await warned(), 2, 'of a budget that is changed, again');
    assert.deepEqual(limit, {
      reason: { rule: 'budget', window: 'day', limit: 10, used: 9, asked: 2 },
      freesAt: ends,
      waitMs,
    });
    pass(ends.getTime() - clock.now().getTime());
    assert.equal((await send(ada, [first, second])).kind, 'performed');
  });

  it('holds a campaign’s pages from its start, so that nothing else uses them, and gives back what was not sent', async (test) => {
    const harness = await campaignHarness(test, { limits: budget });
    const { campaigns, limits } = harness.services;
    const used = async () => (await limits.pagesUsed(workspaceId)).day;
    await harness.read('one', 800);
    await harness.read('two', 300);
    assert.equal((await campaigns.start(await asSeen(campaigns, startOf('one')))).kind, 'started');
    assert.equal(await used(), 800, 'before anything is sent');
    const refused = limitOf(await reasonOf(campaigns.start(await asSeen(campaigns, startOf('two')))));
    assert.deepEqual(refused.reason, { rule: 'budget', window: 'day', limit: 1_000, used: 800, asked: 300 });
    assert.equal((await campaigns.find(by('creator', 'two'), 'two'))?.state, 'ready');
    assert.equal((await campaigns.pause(by('creator', 'one'))).kind, 'done');
    await harness.stopSending();
    assert.equal(await used(), 0);
    const both = await Promise.all([
      orReason(campaigns.resume(await asSeen(campaigns, by('creator', 'one')))),
      orReason(campaigns.start(await asSeen(campaigns, startOf('two')))),
    ]);
    assert.equal(both.filter(({ kind }) => kind === 'limited').length, 1, 'of two at once one is refused');
  });

  it('counts what a campaign sent, and not what was cancelled', async (test) => {
    const harness = await campaignHarness(test, { limits: budget });
    const { campaigns, limits } = harness.services;
    await harness.send('one', 400);
    await harness.until('one', ({ state }) => state === 'done');
    await harness.read('two', 600);
    assert.equal((await campaigns.start(await asSeen(campaigns, startOf('two')))).kind, 'started');
    await campaigns.cancel(by('creator', 'two'));
    const ended = await harness.until('two', ({ endedAt }) => endedAt !== undefined);
    await harness.stopSending();
    assert.equal((await limits.pagesUsed(workspaceId)).day, 400 + ended.counts.accepted);
  });

  it('holds a scheduled campaign whose time comes when it is used up, with the reason', async (test) => {
    const { harness, send, pass, clock } = await limitedTeam(test, {
      limits: { pages: { month: 1_000 } },
    });
    const { campaigns } = harness.services;
    await harness.read('one', 950);
    const at = { time: new Date(clock.now().getTime() + minute), zone: 'Africa/Lagos' };
    assert.equal((await campaigns.start(await asSeen(campaigns, { ...startOf('one'), at }))).kind, 'started');
    await send(ada, customers(60));
    harness.begin();
    pass(minute);
    const held = await harness.advanceUntil('one', ({ state }) => state !== 'scheduled');
    assert.deepEqual([held.state, held.pause?.error?.reason, held.counts.accepted], ['paused', 'budget', 0]);
    const resumed = campaigns.resume(await asSeen(campaigns, by('creator', 'one')));
    assert.equal((await reasonOf(resumed)).kind, 'limited');
    await harness.services.limits.choose(admin, { pages: { month: 2_000 } });
    assert.equal((await campaigns.resume(await asSeen(campaigns, by('creator', 'one')))).kind, 'done');
    await harness.until('one', ({ state }) => state === 'done');
  });

  it('refuses a campaign to a country that is not allowed', async (test) => {
    const harness = await campaignHarness(test, { limits: { countries: { messages: 'own' } } });
    const { campaigns } = harness.services;
    await harness.read('one', [first, inGhana].map(toE164));
    const { reason } = limitOf(await reasonOf(campaigns.start(await asSeen(campaigns, startOf('one')))));
    assert.deepEqual(reason, { rule: 'country', subject: 'messages', countries: ['Ghana'], recipients: 1 });
  });

  it('is not exceeded across a crash: what is running keeps its pages, what is not gives them back', async (test) => {
    const harness = await campaignHarness(test, { limits: budget });
    const before = harness.services;
    await harness.read('one', 700);
    assert.equal(
      (await before.campaigns.start(await asSeen(before.campaigns, startOf('one')))).kind,
      'started',
    );
    await harness.restart();
    const { campaigns, limits } = harness.services;
    assert.equal((await limits.pagesUsed(workspaceId)).day, 700);
    harness.begin();
    await harness.until('one', ({ state }) => state === 'done');
    await harness.stopSending();
    assert.equal((await limits.pagesUsed(workspaceId)).day, 700);
    assert.equal((await campaigns.find(by('creator', 'one'), 'one'))?.counts.accepted, 700);
  });
});
