import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import fc from 'fast-check';
import {
  outcomeOf,
  readReportedStatus,
  reportedProgress,
} from '../../../src/domain/deliveries/delivery-status.ts';
import { exampleOptOutLink, withOptOutToken } from '../../../src/domain/messages/opt-out-link.ts';
import { provenNumberSchema } from '../../../src/domain/phone/phone-number.ts';
import type { ChunkEnding } from '../../../src/store/campaigns/campaigns.ts';
import { createDeliveries, type DeliveryReport } from '../../../src/store/deliveries/deliveries.ts';
import { createEncryption } from '../../../src/store/engine/encryption/cipher.ts';
import { rounds } from '../../support/sizes.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { performIn } from '../../support/store/perform-in.ts';
import { sentTo } from '../../support/store/sent-to.ts';
import { recipient, runningCampaign, settleAndClaim } from '../../support/store/stored-campaigns.ts';
import { newEncryptionKey, temporaryStore } from '../../support/store/temporary-store.ts';
import { testStoreContext } from '../../support/store/test-store-context.ts';

const never = new AbortController().signal;
const encryptionKey = newEncryptionKey();
const numbers = Array.from({ length: 5 }, (_, index) => `+23480312345${60 + index}`);
const campaign = { workspaceId: 'T1', id: 'sale' };
const statuses = [
  'Message Sent',
  'DELIVERED',
  'Message Failed',
  'Expired',
  'DND Active on Phone Number',
  'Odd',
];

const reportOf = (change: Partial<DeliveryReport>): DeliveryReport => ({
  providerId: 'c1',
  number: numbers[0] ?? '',
  sender: 'PalmMarket',
  text: 'Everything must go',
  status: 'DELIVERED',
  reportedAt: new Date(),
  source: 'report',
  ...change,
});

interface Reported {
  number: number;
  status: string;
  at: number;
}

/** What each recipient is counted as once everything is reported: the furthest of what was. */
function modelOf(reported: readonly Reported[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const own of Map.groupBy(reported, ({ number }) => number).values()) {
    const furthest = own.reduce((best, each) => {
      const order = [reportedProgress[readReportedStatus(each.status).state], each.at, each.status] as const;
      const bestOrder = [
        reportedProgress[readReportedStatus(best.status).state],
        best.at,
        best.status,
      ] as const;
      const differs = order.findIndex((value, index) => value !== bestOrder[index]);
      return differs >= 0 && (order[differs] ?? 0) > (bestOrder[differs] ?? 0) ? each : best;
    });
    const outcome = outcomeOf(furthest.status);
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

forEachDatabase((database) => {
  /** A campaign that was accepted in one chunk, as `c1`, or whose answer was lost. */
  async function begin(
    test: TestContext,
    ending: Partial<ChunkEnding> = { state: 'accepted', providerId: 'c1' },
  ) {
    const store = await temporaryStore(test, { database, encryptionKeys: [encryptionKey] });
    const finish = async (id: string) => {
      await runningCampaign(
        store,
        numbers.map((number) => recipient(number)),
        { id },
      );
      await settleAndClaim(store, { workspaceId: 'T1', id }, [], 1);
      await settleAndClaim(
        store,
        { workspaceId: 'T1', id },
        [{ number: 0, state: 'accepted', ...ending }],
        0,
      );
    };
    await finish('sale');
    const report = async (...reports: DeliveryReport[]) => {
      await store.deliveries.record('T1', reports);
      return store.deliveries.follow(never);
    };
    const deliveries = async (id = 'sale') => (await store.campaigns.find('T1', id))?.deliveries;
    return { store, report, deliveries, finish };
  }

  describe('what became of the recipients of a campaign', () => {
    it('is counted as a simple model does, twice, in any order, and by several at once', async (test) => {
      const { store, finish } = await begin(test);
      let runs = 0;
      const reports = fc.array(
        fc.record({
          number: fc.integer({ min: 0, max: numbers.length - 1 }),
          status: fc.constantFrom(...statuses),
          at: fc.integer({ min: 1, max: 3 }),
        }),
        { minLength: 1, maxLength: 12 },
      );
      const plan = reports.chain((all) =>
        fc.record({
          all: fc.constant(all),
          shuffled: fc.shuffledSubarray([...all, ...all], { minLength: all.length * 2 }),
          followed: fc.array(fc.nat(all.length * 2), { minLength: 2, maxLength: 5 }),
          isAtOnce: fc.boolean(),
        }),
      );
      await fc.assert(
        fc.asyncProperty(plan, async ({ all, shuffled, followed, isAtOnce }) => {
          runs += 1;
          const id = `run${runs}`;
          await finish(id);
          await store.db
            .updateTable('campaignChunk')
            .set({ providerId: id })
            .where('campaign', '=', (eb) => eb.selectFrom('campaign').select('sequence').where('id', '=', id))
            .execute();
          const follow = () =>
            isAtOnce
              ? Promise.all([store.deliveries.follow(never), store.deliveries.follow(never)])
              : store.deliveries.follow(never);
          const sent = shuffled.map(({ number, status, at }) =>
            reportOf({ providerId: id, number: numbers[number] ?? '', status, reportedAt: new Date(at) }),
          );
          // Those in between come in one request.
          let from = 0;
          for (const to of [...followed.toSorted((one, other) => one - other), sent.length]) {
            await store.deliveries.record('T1', sent.slice(from, to));
            await follow();
            from = to;
          }
          const rows = await store.db
            .selectFrom('campaignDelivery')
            .innerJoin('campaign', 'campaign.sequence', 'campaignDelivery.campaign')
            .select(['outcome', 'campaignDelivery.recipients'])
            .where('campaign.id', '=', id)
            .where('campaignDelivery.recipients', '>', 0)
            .execute();
          assert.deepEqual(
            Object.fromEntries(rows.map(({ outcome, recipients }) => [outcome, Number(recipients)])),
            modelOf(all),
          );
          const { deliveries, counts } = (await store.campaigns.find('T1', id)) ?? assert.fail('it is gone');
          const { delivered, onTheWay, failed, other, waiting } =
            deliveries ?? assert.fail('nothing is known');
          const worded = [...failed, ...other].reduce((sum, { recipients }) => sum + recipients, 0);
          assert.equal(delivered + onTheWay + worded + waiting, counts.accepted);
        }),
        { numRuns: rounds(60) },
      );
    });

    it('waits for the answer to a request that is under way', async (test) => {
      const { store, report, deliveries } = await begin(test);
      const running = { workspaceId: 'T1', id: 'second' };
      await runningCampaign(store, [recipient(numbers[0] ?? '')], { id: 'second' });
      await settleAndClaim(store, running, [], 1);
      await report(reportOf({ providerId: 'c2', reportedAt: undefined, text: undefined }));
      assert.equal(await deliveries('second'), undefined);
      await settleAndClaim(store, running, [{ number: 0, state: 'accepted', providerId: 'c2' }], 0);
      assert.equal((await store.deliveries.follow(never)).campaigns, 1);
      assert.equal((await deliveries('second'))?.delivered, 1);
    });

    it('is of its own numbers alone, by reason, and stays while the recipients are kept', async (test) => {
      const { store, report, deliveries } = await begin(test);
      assert.equal(await deliveries(), undefined);
      await report(
        reportOf({}),
        reportOf({ number: numbers[1] ?? '', status: 'Expired' }),
        reportOf({ number: numbers[2] ?? '', status: 'Failed' }),
        reportOf({ number: numbers[3] ?? '', status: 'Sent' }),
        reportOf({ number: '+2348039999999' }),
      );
      const counted = {
        delivered: 1,
        onTheWay: 1,
        failed: [{ reason: 'the phone wasn’t reached in time', recipients: 1 }, { recipients: 1 }],
        other: [],
        waiting: 1,
      };
      const sorted = async () => {
        const known = await deliveries();
        return (
          known && { ...known, failed: known.failed.toSorted((one) => (one.reason === undefined ? 1 : -1)) }
        );
      };
      assert.deepEqual(await sorted(), counted);
      const later = new Date(Date.now() + 60_000);
      await store.deliveries.expire(later);
      await report(reportOf({}), reportOf({ number: numbers[1] ?? '', status: 'Expired' }));
      assert.deepEqual(await sorted(), counted);
      await store.campaigns.expire(later, later);
      await store.deliveries.expire(later);
      assert.deepEqual(await store.db.selectFrom('delivery').selectAll().execute(), []);
      assert.deepEqual(await sorted(), counted);
    });

    it('is told from what came in by the id of its request, or by its sender', async (test) => {
      const { store } = await begin(test);
      const cases = [
        [reportOf({ sender: undefined }), true],
        [reportOf({ providerId: 'c2' }), true],
        [reportOf({ providerId: 'c2', sender: 'Another' }), false],
        [reportOf({ number: '+2348039999999' }), false],
      ] as const;
      const own = await store.deliveries.ownReports(
        'T1',
        cases.map(([report]) => report),
      );
      assert.deepEqual(
        cases.map(([report]) => own.has(report)),
        cases.map(([, isOwn]) => isOwn),
      );
    });

    it('is counted by at most twenty words of the provider’s own, and as many explanations of failures', async (test) => {
      const many = Array.from({ length: 25 }, (_, index) => `+23480312${45600 + index}`);
      const store = await temporaryStore(test, { database });
      await runningCampaign(
        store,
        many.map((number) => recipient(number)),
      );
      await settleAndClaim(store, campaign, [], 1);
      await settleAndClaim(store, campaign, [{ number: 0, state: 'accepted', providerId: 'c1' }], 0);
      const reportAll = async (statusOf: (index: number) => string) => {
        const reports = many.map((number, index) => reportOf({ number, status: statusOf(index) }));
        await store.deliveries.record('T1', reports);
        await store.deliveries.follow(never);
        return (await store.campaigns.find('T1', 'sale'))?.deliveries ?? assert.fail('nothing is known');
      };
      const word = (index: number) => `Held at ${String.fromCharCode(65 + index)}`;
      const { other } = await reportAll(word);
      assert.equal(other.length, 21);
      assert.deepEqual(other[0], { words: undefined, recipients: 5 });
      const { failed, other: left } = await reportAll((index) => `Failed | ${word(index)}`);
      assert.deepEqual([failed.length, left], [21, []]);
      assert.deepEqual(failed[0], { recipients: 5 });
      assert.equal((await reportAll(() => 'DELIVERED')).delivered, 25);
    });

    it('is shown though a text of another workspace cannot be read', async (test) => {
      const store = await temporaryStore(test, { database });
      await runningCampaign(store, [recipient(numbers[0] ?? '')], { workspaceId: 'T2', id: 'damaged' });
      await runningCampaign(store, [recipient(numbers[0] ?? '')]);
      await store.db.updateTable('campaign').set({ text: 'damaged' }).where('id', '=', 'damaged').execute();
      for (const shown of [store.campaigns.unshown(), store.campaigns.inState(['running'])]) {
        assert.deepEqual(
          (await shown).map(({ id }) => id),
          ['sale'],
        );
      }
      await assert.rejects(store.campaigns.find('T2', 'damaged'));
    });

    it('has the message changed once for all that was reported, until it shows that', async (test) => {
      const { store, report } = await begin(test);
      const unshown = async () => (await store.campaigns.unshown()).map(({ id }) => id);
      await store.campaigns.setMessage('T1', 'sale', { channel: 'C1', ts: '1.1' });
      assert.deepEqual(await unshown(), []);
      await report(reportOf({}), reportOf({ providerId: 'c2' }));
      assert.deepEqual(await unshown(), ['sale']);
      const shown = (await store.campaigns.find('T1', 'sale')) ?? assert.fail('it is gone');
      await report(reportOf({ number: numbers[2] ?? '' }));
      await store.campaigns.setShown(shown);
      assert.deepEqual(await unshown(), ['sale']);
      await store.campaigns.setShown((await store.campaigns.find('T1', 'sale')) ?? shown);
      assert.deepEqual(await unshown(), []);
      await report(reportOf({ number: numbers[2] ?? '' }));
      assert.deepEqual(await unshown(), []);
    });
  });

  describe('an unconfirmed recipient of a campaign', () => {
    it('stays so where the answer to their own request names another message', async (test) => {
      const { store, report } = await begin(test, { state: 'unconfirmed', receiptId: 'c9' });
      const number = '+2348039999999';
      const alone = await runningCampaign(store, [recipient(number)], { id: 'alone' });
      await settleAndClaim(store, alone, [], 1);
      const ending = { number: 0, state: 'unconfirmed', receiptId: 'c8' } as const;
      await settleAndClaim(store, alone, [ending], 0);
      assert.equal((await report(reportOf({ number }))).recipients, 0);
      // To several recipients, the provider may have a message each.
      assert.equal((await report(reportOf({ number: numbers[1] ?? '' }))).recipients, 1);
    });

    const lost = { state: 'unconfirmed', error: { reason: 'no_response' } } as const;

    async function recipients(
      { store }: Awaited<ReturnType<typeof begin>>,
      state: 'accepted' | 'unconfirmed',
    ) {
      const chunks = await Array.fromAsync(store.campaigns.chunks('T1', 'sale', [state]));
      return chunks.flatMap(({ to }) => to).sort();
    }

    it('is accepted once a report shows its message, one by one and never more than was shown', async (test) => {
      const begun = await begin(test, lost);
      const { store, report } = begun;
      const [first = '', second = '', ...rest] = numbers;
      await store.db.deleteFrom('outbox').execute();
      const followed = await report(
        reportOf({ providerId: 'x1', number: first }),
        reportOf({ providerId: 'x2', number: second, status: 'Expired' }),
        reportOf({ providerId: 'x3', number: rest[0] ?? '', text: 'Something else' }),
      );
      assert.deepEqual([followed.recipients, followed.resolved], [2, 0]);
      const { counts, deliveries } = (await store.campaigns.find('T1', 'sale')) ?? assert.fail('it is gone');
      assert.deepEqual([counts.accepted, counts.unconfirmed, counts.recipients], [2, 3, 5]);
      assert.deepEqual([deliveries?.delivered, deliveries?.failed.length, deliveries?.waiting], [1, 1, 0]);
      assert.deepEqual(await recipients(begun, 'accepted'), [first, second].sort());
      assert.deepEqual(await recipients(begun, 'unconfirmed'), [...rest].sort());
      const all = await Array.fromAsync(store.campaigns.chunks('T1', 'sale', ['accepted', 'unconfirmed']));
      assert.deepEqual(all.flatMap(({ to }) => to).sort(), [...numbers].sort());
      const parts = all
        .filter(({ state }) => state === 'accepted')
        .map(({ providerId, error }) => [providerId, error]);
      assert.deepEqual(parts.sort(), [
        ['x1', undefined],
        ['x2', undefined],
      ]);
      const found = await sentTo(store, 'T1', first);
      assert.equal(found.campaigns[0]?.state, 'accepted');
      assert.equal((await sentTo(store, 'T1', rest[0] ?? '')).campaigns[0]?.state, 'unconfirmed');
      const known = await store.deliveries.ofResolved('T1', 'sale');
      assert.deepEqual([known.resolved, known.delivered, known.sources], [2, 1, ['report']]);
      const notices = await store.db.selectFrom('outbox').select('subject').execute();
      assert.deepEqual(notices, [{ subject: 'campaign_resolved' }]);

      await store.db.deleteFrom('outbox').execute();
      assert.equal(
        (await report(...rest.map((number) => reportOf({ providerId: 'x4', number })))).recipients,
        3,
      );
      assert.deepEqual((await store.campaigns.find('T1', 'sale'))?.counts.unconfirmed, 0);
      assert.deepEqual(await recipients(begun, 'unconfirmed'), []);
      assert.deepEqual(await store.db.selectFrom('outbox').select('subject').execute(), [], 'told once');
      const entries = await Array.fromAsync(store.audit.all({ workspaceId: 'T1' }));
      assert.equal(entries.filter(({ action }) => action === 'campaign.resolve').length, 2);
    });

    it('stays so where two messages, two campaigns or a message of its own may be meant', async (test) => {
      const { store, report, finish } = await begin(test, lost);
      const [first = '', second = '', third = ''] = numbers;
      await report(
        reportOf({ providerId: 'x1', number: first }),
        reportOf({ providerId: 'x2', number: first }),
      );
      const summary = { senderId: 'PalmMarket', recipients: 1 };
      const intent = { workspaceId: 'T1', key: 'a', kind: 'sms.send', userId: 'U1', summary };
      await performIn(
        store.ledger,
        { ...intent, numbers: [second], text: 'Everything must go' },
        async () => ({
          state: 'unconfirmed',
          error: { reason: 'no_response' },
        }),
      );
      await report(reportOf({ providerId: 'x3', number: second }));
      await finish('again');
      await report(reportOf({ providerId: 'x4', number: third }));
      for (const id of ['sale', 'again']) {
        assert.equal((await store.campaigns.find('T1', id))?.counts.unconfirmed, 5);
      }
    });

    it('stays so where its time, its sender or its workspace is another', async (test) => {
      const { store, report } = await begin(test, lost);
      const hour = 60 * 60_000;
      await report(
        reportOf({ providerId: 'x1', reportedAt: new Date(Date.now() - hour) }),
        reportOf({ providerId: 'x2', reportedAt: undefined }),
        reportOf({ providerId: 'x3', sender: 'Palm' }),
      );
      await store.deliveries.record('T2', [reportOf({ providerId: 'x4' })]);
      await store.deliveries.follow(never);
      assert.equal((await store.campaigns.find('T1', 'sale'))?.counts.unconfirmed, 5);
    });

    it('is claimed once, however many follow the reports at once', async (test) => {
      const { store, deliveries } = await begin(test, lost);
      await store.deliveries.record(
        'T1',
        numbers.map((number) => reportOf({ providerId: 'x1', number })),
      );
      const followed = await Promise.all([1, 2, 3].map(() => store.deliveries.follow(never)));
      assert.equal(
        followed.reduce((sum, { recipients }) => sum + recipients, 0),
        5,
      );
      const { counts } = (await store.campaigns.find('T1', campaign.id)) ?? assert.fail('it is gone');
      assert.deepEqual([counts.accepted, counts.unconfirmed], [5, 0]);
      assert.deepEqual((await deliveries())?.delivered, 5);
    });

    it('is counted also where the instance that found its message ends before it has counted it', async (test) => {
      const { store, deliveries } = await begin(test, lost);
      const [number = ''] = numbers;
      await store.deliveries.record('T1', [reportOf({ providerId: 'x1', number })]);
      const encryption = createEncryption([encryptionKey]);
      const context = testStoreContext(store, { encryption });
      const slower = createDeliveries({
        ...context,
        log: { ...context.log, error: (fault: unknown) => assert.fail(String(fault)) },
        // The other instance is first, and is killed after that.
        audit: {
          ...store.audit,
          prepare: async () => {
            const row = await store.db
              .selectFrom('delivery')
              .select(['workspaceId', 'providerId', 'hash', 'source'])
              .executeTakeFirstOrThrow();
            await store.db
              .insertInto('messageClaim')
              .values({ ...row, campaign: 1, chunk: 0, claimedAt: new Date() })
              .execute();
            await store.db
              .updateTable('campaign')
              .set((eb) => ({ accepted: eb('accepted', '+', 1), unconfirmed: eb('unconfirmed', '-', 1) }))
              .execute();
            return store.audit.prepare();
          },
        },
      });
      assert.equal((await slower.follow(never)).recipients, 0);
      await store.deliveries.follow(never);
      assert.equal((await deliveries())?.delivered, 1);
      const rows = await store.db.selectFrom('delivery').select('pending').execute();
      assert.deepEqual(rows, [{ pending: false }]);
    });

    it('who is erased leaves the counts as they are, also where their message is reported once more', async (test) => {
      const { store, report } = await begin(test, lost);
      const [first = ''] = numbers;
      await report(reportOf({ providerId: 'x1', number: first }));
      const before = await store.campaigns.find('T1', 'sale');
      await store.erasure.erase({
        workspaceIds: ['T1'],
        number: provenNumberSchema.parse(first),
        areas: { drafts: 'delete', preferences: 'redact' },
        signal: never,
      });
      assert.deepEqual(await store.db.selectFrom('messageClaim').selectAll().execute(), []);
      assert.deepEqual(await store.db.selectFrom('delivery').selectAll().execute(), []);
      await report(reportOf({ providerId: 'x1', number: first }));
      const after = await store.campaigns.find('T1', 'sale');
      assert.deepEqual([after?.counts, after?.deliveries], [before?.counts, before?.deliveries]);
    });

    it('of a personal campaign is known by the text that it got, with the token of its opt-out link', async (test) => {
      const store = await temporaryStore(test, { database });
      const own = (name: string) => `Dear ${name}, stop: ${exampleOptOutLink('https://sms.example')}`;
      const [ada = '', bola = ''] = numbers;
      await runningCampaign(
        store,
        [recipient(ada, { text: own('Ada') }), recipient(bola, { text: own('Bola') })],
        {
          personal: true,
        },
      );
      const claimed = (await settleAndClaim(store, campaign, [], 2))?.claimed ?? [];
      await settleAndClaim(
        store,
        campaign,
        claimed.map(({ number }) => ({ number, ...lost })),
        0,
      );
      const makeToken = (await store.campaigns.optOutTokens('T1', 'sale')) ?? assert.fail('no tokens');
      const textTo = (number: string, name: string) => {
        const chunk = claimed.find(({ digits }) => `+${digits[0]}` === number)?.number ?? -1;
        return withOptOutToken(own(name), makeToken({ chunk, number }));
      };
      await store.deliveries.record('T1', [
        reportOf({ providerId: 'x1', number: ada, text: textTo(ada, 'Ada') }),
        reportOf({ providerId: 'x2', number: bola, text: own('Bola') }),
      ]);
      assert.equal((await store.deliveries.follow(never)).recipients, 1);
      const left = await Array.fromAsync(store.campaigns.chunks('T1', 'sale', ['unconfirmed']));
      assert.deepEqual(
        left.flatMap(({ to }) => to),
        [bola],
      );
    });
  });
});
