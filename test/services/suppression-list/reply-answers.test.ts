import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { phoneNumberSchema, toE164 } from '../../../src/domain/phone/phone-number.ts';
import type { AuditRecord } from '../../../src/services/audit/audit-service.ts';
import { answerReply } from '../../../src/services/replies/stops.ts';
import { createServices } from '../../../src/services/services.ts';
import {
  createOptOutService,
  createSuppressionService,
} from '../../../src/services/suppression-list/suppression-list.ts';
import type { Store } from '../../../src/store/store.ts';
import { admitted } from '../../support/decisions.ts';
import { signReport } from '../../support/reports/signed-report.ts';
import { rounds } from '../../support/sizes.ts';
import { type DatabaseName, forEachDatabase } from '../../support/store/databases.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';
import { testContext } from '../../support/test-context.ts';
import { stoppedClock } from '../../support/time/test-clock.ts';

const workspaceId = 'T1';
const number = phoneNumberSchema.parse('+2348051234500');
const areas = {};
const minutes = 60_000;
/** A quarter of an hour. With less, a time in a wrong zone would often count as the arrival. */
const quarters = 15 * minutes;
const days = 24 * 60 * minutes;

/**
 * A time as the webhook writes it, and whether its zone is certain: always, never, or if the profile defines
 * one.
 */
type WrittenTime = (at: number) => { fields: object; isCertain: boolean | 'named' };

const hour = 60 * minutes;
const iso = (at: number) => new Date(at).toISOString();
const inLagos = (at: number) => iso(at + hour).slice(0, 19);

const writtenTimes: readonly WrittenTime[] = [
  (at) => ({ fields: { received_at: iso(at) }, isCertain: true }),
  (at) => ({ fields: { received_at: iso(at).replace(/\.000Z$/, '.000000Z') }, isCertain: true }),
  (at) => ({ fields: { received_at: `${inLagos(at)}+01:00` }, isCertain: true }),
  // Of two times, the time of arrival counts.
  (at) => ({ fields: { received_at: iso(at), sent_at: inLagos(at - hour) }, isCertain: true }),
  (at) => ({ fields: { sent_at: `${iso(at).slice(0, 19)}Z` }, isCertain: true }),
  (at) => ({ fields: { sent_at: inLagos(at).replace('T', ' ') }, isCertain: 'named' }),
  () => ({ fields: {}, isCertain: false }),
  () => ({ fields: { received_at: 'yesterday' }, isCertain: false }),
];

/** An incoming message, as webhooks write it. */
const webhookShapes: readonly ((body: object, from: string) => object)[] = [
  (body, sender) => ({ type: 'inbound', sender, ...body }),
  (body, sender) => ({ type: 'inbound', data: { sender: `+${sender}`, ...body } }),
  (body, from) => ({ type: 'Inbound_Message', from, ...body }),
  (body, msisdn) => ({ status: 'Received', msisdn, ...body }),
  (body, sender) => ({ data: [{ type: 'sms', status: 'RECEIVED', sender, ...body }] }),
];

function answering(store: Store) {
  const list = store.suppressionList;
  const recorded: AuditRecord[] = [];
  const record = async (entry: AuditRecord) => void recorded.push(entry);
  const suppressionList = createSuppressionService(testContext(store, { record }), {
    campaigns: { lostRecipients: async () => {} },
  });
  const optOut = createOptOutService(
    testContext({
      ...store,
      campaigns: {
        ...store.campaigns,
        findByOptOutToken: async () => ({
          workspaceId,
          number: toE164(number),
          campaign: { id: 'sale', name: 'Sale', senderId: 'PalmMarket' },
        }),
      },
    }),
    { suppressionList },
  );
  return {
    recorded,
    suppressionList,
    /** What the owner of the number does by the link in a message. */
    pressesLink: () => optOut.optOut('token'),
    /** Returns what the reply did. */
    async answer(
      text: string,
      sentAt?: Date,
      { identity = `${text} ${sentAt}`, from = toE164(number) } = {},
    ) {
      const reply = { workspaceId, from, text, sentAt, identity };
      return answerReply(suppressionList, reply, { stop: [], start: [] });
    },
    isListed: async (of = number) => (await list.among(workspaceId, [of])).length === 1,
  };
}

/** Opens a store whose clock stands still, and returns what makes times of this clock. */
async function open(t: Parameters<typeof temporaryStore>[0], database: DatabaseName) {
  const { clock, pass } = stoppedClock();
  const store = await temporaryStore(t, { database, time: clock });
  const start = clock.now().getTime();
  return { store, pass, ...answering(store), at: (since: number) => new Date(start + since * minutes) };
}

forEachDatabase((database) => {
  it('holds the order in which stops and starts were written, of which each may come late and again', async (t) => {
    const { answer, isListed, at, pass, recorded } = await open(t, database);
    pass(60 * minutes);
    const steps = [
      ['stop', 0, 'stop'],
      // The number is on the list already.
      ['stop', 10, 'stop'],
      ['start', 5, 'older_start'],
      ['start', 20, 'start'],
      // The first ones, again.
      ['stop', 0, 'older_stop'],
      ['stop', 10, 'older_stop'],
      // It was under way for long.
      ['stop', 15, 'older_stop'],
      ['stop', 20, 'stop'],
      ['start', 20, 'older_start'],
    ] as const;
    for (const [index, [text, time, came]] of steps.entries()) {
      const said = `step ${index}: ${text} of minute ${time}`;
      assert.equal((await answer(text, at(time)))?.answer, came, said);
      assert.equal(await isListed(), came === 'stop' || came === 'older_start', said);
    }
    assert.deepEqual(
      recorded.map(({ action }) => action),
      ['suppression.add', 'suppression.remove', 'suppression.add'],
    );
  });

  it('ends with the latest by the provider’s times, however late and often each webhook comes', async (t) => {
    const { store, pass, isListed } = await open(t, database);
    const secret = 'tsk_0000000000';
    const signed = { header: 'x-signature', key: 'secret', hash: 'sha512', encoding: 'hex' } as const;
    const reportsBy = (sentAtZone: string | undefined) =>
      createServices(testContext(store, { settings: { reportSignature: signed, sentAtZone } }), {
        decide: async () => admitted('admin'),
        maxCampaignRequests: 1,
      }).reports;
    const reports = { named: reportsBy('Africa/Lagos'), unnamed: reportsBy(undefined) };
    await store.jobs.start();
    await reports.named.saveSecret(workspaceId, secret);
    await reports.named.createAddress(workspaceId, 'U1');
    const token = (await store.reportAddresses.find(workspaceId)) ?? assert.fail();
    const now = () => store.time.now().getTime();
    const message = fc.record({
      answer: fc.constantFrom('stop', 'start'),
      please: fc.constantFrom('', 'please'),
      // From before the first arrival until after the last.
      time: fc.integer({ min: -5, max: 20 }),
      written: fc.constantFrom(...writtenTimes),
      id: fc.nat(2),
    });
    const histories = fc
      .uniqueArray(message, {
        selector: (each) => JSON.stringify(each),
        minLength: 3,
        maxLength: 7,
        size: 'max',
      })
      .chain((sent) =>
        fc.record({
          arrivals: fc
            .array(fc.constantFrom(...sent), { maxLength: 6 })
            .chain((again) =>
              fc.shuffledSubarray([...sent, ...again], { minLength: sent.length + again.length }),
            ),
          shapes: fc.array(fc.constantFrom(...webhookShapes), { minLength: 13, maxLength: 13 }),
          zone: fc.constantFrom('named', 'unnamed'),
          come: fc.constantFrom('in turn', 'at once', 'in one body'),
          passing: fc.array(fc.nat(3), { minLength: 13, maxLength: 13 }),
        }),
      );
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(histories, async ({ arrivals, shapes, zone, come, passing }) => {
        runs += 1;
        // Written times have whole seconds.
        const start = Math.floor(now() / 1_000) * 1_000;
        const from = phoneNumberSchema.parse(`+234805123${String(runs).padStart(4, '0')}`);
        const latest = { stop: Number.NEGATIVE_INFINITY, start: Number.NEGATIVE_INFINITY };
        const known = new Set<string>();
        const shaped = ({ answer, please, time, written, id }: (typeof arrivals)[number], index: number) => {
          const text = `${answer} ${please}`;
          const sentAt = start + time * quarters;
          const { fields, isCertain } = written(sentAt);
          const identity = JSON.stringify([id, text, fields]);
          const isDated = isCertain === true || isCertain === zone;
          if (!known.has(identity) && (isDated || answer === 'stop')) {
            latest[answer] = Math.max(latest[answer], isDated ? Math.min(sentAt, now()) : now());
          }
          known.add(identity);
          const body = { message: text, message_id: `${runs}00${id}`, receiver: '55019', ...fields };
          return shapes[index]?.(body, toE164(from).slice(1)) ?? assert.fail();
        };
        const deliver = async (value: unknown) => {
          const body = JSON.stringify(value);
          const request = { body: Buffer.from(body), signature: signReport(body, secret) };
          assert.equal(await reports[zone].receive(token, request), 'taken');
        };
        if (come === 'in one body') {
          await deliver(arrivals.map(shaped));
        } else if (come === 'at once') {
          await Promise.all(arrivals.map((each, index) => deliver(shaped(each, index))));
        } else {
          for (const [index, each] of arrivals.entries()) {
            pass((passing[index] ?? 0) * quarters);
            await deliver(shaped(each, index));
          }
        }
        assert.equal(await isListed(from), Number.isFinite(latest.stop) && latest.stop >= latest.start);
      }),
      { numRuns: rounds(250) },
    );
  });

  it('takes a time that is still to come for the arrival', async (t) => {
    const { answer, isListed, at, pass } = await open(t, database);
    const days = 24 * 60;
    await answer('stop', at(2 * days));
    assert.equal(await isListed(), true);
    pass(5 * minutes);
    await answer('start', at(5));
    assert.equal(await isListed(), false, 'no stop holds until its time has come');
    pass(5 * minutes);
    await answer('stop', at(7));
    pass(5 * minutes);
    const early = { identity: 'early' };
    await answer('start', at(3 * days), early);
    assert.equal(await isListed(), false);
    pass(5 * minutes);
    await answer('stop', at(20));
    pass(3 * days * minutes);
    await answer('start', at(3 * days), early);
    assert.equal(await isListed(), true, 'a copy undoes no later stop');
  });

  it('asks a person about a start without a time, who takes the number off unless a stop came since', async (t) => {
    const { store, answer, isListed, at, pass, suppressionList } = await open(t, database);
    const asks = async (identity: string) => (await answer('start', undefined, { identity }))?.answer;
    assert.equal(await asks('first'), 'start', 'there is nothing to ask');
    pass(20 * minutes);
    await answer('stop', at(10));
    pass(minutes);
    assert.deepEqual([await asks('second'), await asks('second')], ['undated_start', 'undated_start']);
    assert.equal(await isListed(), true);
    const decide = (receivedAt: Date) => suppressionList.removeAsAsked({ workspaceId, number, receivedAt });
    const asked = store.time.now();
    pass(minutes);
    await answer('stop', at(22));
    assert.deepEqual([await decide(asked), await isListed()], ['listed_since', true]);
    pass(minutes);
    assert.deepEqual([await decide(store.time.now()), await isListed()], ['removed', false]);
    assert.equal(await decide(store.time.now()), 'was_not_listed');
    const later = store.time.now();
    pass(minutes);
    await suppressionList.add({ workspaceId, userId: 'U1', numbers: [number], source: { kind: 'typed' } });
    assert.equal(await decide(later), 'listed_since');
  });

  it('keeps a number on the list that its owner or a person put there later than a start was written', async (t) => {
    const { answer, isListed, at, pass, suppressionList, pressesLink } = await open(t, database);
    const add = () =>
      suppressionList.add({ workspaceId, userId: 'U1', numbers: [number], source: { kind: 'typed' } });
    await add();
    pass(3 * days);
    await answer('stop', at(3 * 24 * 60));
    await answer('start', at(2 * 24 * 60));
    assert.equal(await isListed(), true, 'a start from before the stop');

    pass(3 * days);
    await add();
    await answer('start', at(5 * 24 * 60));
    assert.equal(await isListed(), true, 'a start from before somebody added it again');
    pass(3 * days);
    assert.deepEqual(await pressesLink(), { senderId: 'PalmMarket', isOptedOut: true });
    await answer('start', at(8 * 24 * 60));
    assert.equal(await isListed(), true, 'a start from before the link was used');
    pass(minutes);
    await answer('start', at(9 * 24 * 60 + 1));
    assert.equal(await isListed(), false);
  });

  it('counts a stop without a time from when it came, and a copy of it not at all', async (t) => {
    const { answer, isListed, at, pass } = await open(t, database);
    pass(10 * minutes);
    const stop = async (identity: string) => (await answer('stop', undefined, { identity }))?.isListed;
    assert.deepEqual(
      [await stop('first'), await stop('first')],
      [true, true],
      'as if the first were cut off',
    );
    pass(minutes);
    assert.equal(await stop('second'), false, 'the number was on the list before');
    pass(5 * minutes);
    await answer('start', at(11));
    assert.equal(await isListed(), true);
    await answer('start', at(12));
    assert.equal(await isListed(), false);
    assert.deepEqual([await stop('first'), await stop('second'), await isListed()], [false, false, false]);
    assert.equal(await stop('third'), true);
  });

  it('does nothing again that a person undid', async (t) => {
    const { answer, isListed, at, pass, suppressionList } = await open(t, database);
    pass(20 * minutes);
    await answer('stop', at(10));
    await suppressionList.remove(workspaceId, [number]);
    await answer('stop', at(10));
    await answer('stop', at(5));
    assert.equal(await isListed(), false);
    assert.equal((await answer('stop', at(11)))?.isListed, true);
  });

  it('forgets an erased number without letting it off the list, and what is too old to come again', async (t) => {
    const { store, answer, isListed, at, pass, suppressionList } = await open(t, database);
    const rows = async () => (await store.db.selectFrom('replyAnswer').selectAll().execute()).length;
    await suppressionList.add({ workspaceId, userId: 'U1', numbers: [number] });
    pass(30 * days);
    await answer('stop', at(30 * 24 * 60));
    pass(days);
    const other = phoneNumberSchema.parse('+2348051234511');
    await answer('stop', at(30 * 24 * 60), { from: toE164(other), identity: 'other' });
    await store.erasure.erase({
      workspaceIds: [workspaceId],
      number,
      areas,
      signal: new AbortController().signal,
    });
    assert.equal(await rows(), 1);
    await answer('start', at(29 * 24 * 60));
    assert.equal(await isListed(), true);
    await store.suppressionList.expireAnswers(at(31 * 24 * 60));
    assert.equal(await rows(), 2);
    await store.suppressionList.expireAnswers(at(31 * 24 * 60 + 1));
    assert.deepEqual([await rows(), await isListed(other)], [0, true]);
  });
});
