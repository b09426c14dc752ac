import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import fc from 'fast-check';
import { readMoney, writeMoney } from '../../../src/domain/money/money.ts';
import { provenNumberSchema } from '../../../src/domain/phone/phone-number.ts';
import { createCostMonths, createCosts } from '../../../src/services/costs/costs.ts';
import { noSenderId } from '../../../src/store/deliveries/costs/cost-subjects.ts';
import type { CountryCost } from '../../../src/store/deliveries/costs/costs-store.ts';
import type { DeliveryReport } from '../../../src/store/deliveries/deliveries.ts';
import type { Store } from '../../../src/store/store.ts';
import { rounds } from '../../support/sizes.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { performIn } from '../../support/store/perform-in.ts';
import { recipient, runningCampaign, settleAndClaim } from '../../support/store/stored-campaigns.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';
import { testContext } from '../../support/test-context.ts';
import { stoppedClock } from '../../support/time/test-clock.ts';

const nigerian = (index: number) => `+23480312345${String(index).padStart(2, '0')}`;
const ghanaian = (index: number) => `+23324412345${index}`;
const report = (
  change: Partial<DeliveryReport> & { providerId: string; number: string },
): DeliveryReport => ({
  status: 'DELIVERED',
  source: 'report',
  ...change,
});
const never = new AbortController().signal;

/** Sends a message that is accepted under an id of the provider. */
async function sent(
  { ledger }: Store,
  {
    key,
    providerId,
    numbers,
    userId = 'U1',
    senderId = 'PalmMarket',
    pagesEach = 1,
  }: {
    key: string;
    providerId: string;
    numbers: readonly string[];
    userId?: string;
    senderId?: string;
    pagesEach?: number;
  },
) {
  await performIn(
    ledger,
    {
      workspaceId: 'T1',
      key,
      kind: 'sms.send',
      userId,
      numbers,
      summary: {
        route: 'dnd',
        recipients: numbers.length,
        senderId,
      },
    },
    async () => ({ state: 'accepted', providerId, pages: pagesEach * numbers.length }),
  );
}

const count = ({ costs }: Store, currency?: string) => costs.count(async () => () => currency, never);

async function chargedOf({ costs }: Store, subject: 'operation' | 'campaign', id: string) {
  return (await costs.of('T1', subject, [id])).get(id)?.charged ?? [];
}

async function monthOf({ costs }: Store) {
  const [month = ''] = await costs.months('T1');
  return (await costs.month('T1', month)).sort((one, other) => (one.userId < other.userId ? -1 : 1));
}

forEachDatabase((database) => {
  const open = (test: TestContext) => temporaryStore(test, { database });

  describe('the costs that were reported', () => {
    it('are summed by what sent the messages, by country, and by month, person and sender', async (test) => {
      const store = await open(test);
      await sent(store, { key: 'a', providerId: 'm1', numbers: [nigerian(1), ghanaian(1)], pagesEach: 2 });
      await sent(store, {
        key: 'b',
        providerId: 'm2',
        numbers: [nigerian(2)],
        userId: 'U2',
        senderId: 'Shop',
      });
      await store.deliveries.record('T1', [
        report({ providerId: 'm1', number: nigerian(1), cost: '8.5' }),
        report({ providerId: 'm1', number: ghanaian(1), cost: '40.000001' }),
        report({ providerId: 'm2', number: nigerian(2), cost: '0', status: 'Rejected' }),
        report({ providerId: 'of-another-program', number: nigerian(3), cost: '999' }),
      ]);
      await count(store, 'NGN');
      const charged: CountryCost[] = [
        { country: 'GH', amount: '40.000001', messages: 1, free: 0, pages: 2 },
        { country: 'NG', amount: '8.5', messages: 1, free: 0, pages: 2 },
      ];
      assert.deepEqual(await chargedOf(store, 'operation', 'a'), charged);
      assert.deepEqual(await chargedOf(store, 'operation', 'b'), [
        { country: 'NG', amount: '0', messages: 1, free: 1, pages: 0 },
      ]);
      assert.deepEqual(await monthOf(store), [
        { userId: 'U1', senderId: 'PalmMarket', currency: 'NGN', amount: '48.500001', messages: 2 },
        { userId: 'U2', senderId: 'Shop', currency: 'NGN', amount: '0', messages: 1 },
      ]);
      const [month = ''] = await store.costs.months('T1', 'U2');
      assert.deepEqual(await store.costs.month('T1', month, 'U2'), (await monthOf(store)).slice(1));
      assert.deepEqual(await store.costs.months('T1', 'U3'), []);
    });

    it('are in the currency of the account that paid for them, which is not named where it is not known', async (test) => {
      const began = Date.parse('2026-11-20T12:00:00Z');
      const clock = { ...stoppedClock().clock, now: () => new Date(began) };
      const store = await temporaryStore(test, { database, time: clock });
      await sent(store, { key: 'a', providerId: 'm1', numbers: [nigerian(1)] });
      const changedAt = began + 1;
      const currencyAt = async () => (begunAt: Date) => (begunAt.getTime() >= changedAt ? 'USD' : undefined);
      await store.deliveries.record('T1', [report({ providerId: 'm1', number: nigerian(1), cost: '4.25' })]);
      await store.costs.count(currencyAt, never);
      assert.equal((await monthOf(store))[0]?.currency, '');
      assert.deepEqual(await store.costs.begunIn('T1', '2026-11'), new Date(began));
      assert.equal(await store.costs.begunIn('T1', '2026-12'), undefined);

      const { month } = createCostMonths(testContext(store), { currencyAt });
      const reader = { workspaceId: 'T1', userId: 'U1', scope: 'everyone' } as const;
      assert.deepEqual((await month(reader)).total.amounts, ['4.25'], 'begun before the change');
      const named = createCostMonths(testContext(store), { currencyAt: async () => () => 'NGN' });
      assert.deepEqual((await named.month(reader)).total.amounts, ['4.25 NGN']);
    });

    it('stay whole where some of the reports are deleted already', async (test) => {
      const store = await open(test);
      const numbers = [nigerian(1), nigerian(2)];
      await sent(store, { key: 'a', providerId: 'm1', numbers });
      await store.deliveries.record(
        'T1',
        numbers.map((number) => report({ providerId: 'm1', number, cost: '4.25' })),
      );
      await count(store);
      const operation = await store.ledger.find('T1', { key: 'a' });
      const costs = createCosts(
        testContext(store, { dialect: { chatChannel: 'chatapp', currency: 'NGN' } }),
        {
          workspaces: { connection: async () => undefined },
          checks: { last: async () => undefined },
          prices: { list: async () => [] },
        },
      );
      const chargedBy = async (reported: readonly string[]) => {
        const deliveries = reported.map((cost) => ({ cost }));
        const charges = operation && (await costs.ofOperation(operation, deliveries));
        return [charges?.total, charges?.messages];
      };
      assert.deepEqual(await chargedBy(['4.25', '4.25']), ['8.5 NGN', 2]);
      assert.deepEqual(await chargedBy([]), ['8.5 NGN', 2]);
      assert.deepEqual(await chargedBy(['4.25']), ['8.5 NGN', 2], 'one of them is deleted');
      assert.deepEqual(
        await chargedBy(['4.25', '5']),
        ['9.25 NGN', 2],
        'reported once more, not counted yet',
      );
    });

    it('are of no contact with the id of a message', async (test) => {
      const store = await open(test);
      const numbers = [nigerian(1)];
      const contact = {
        workspaceId: 'T1',
        key: 'c',
        kind: 'contact.add',
        userId: 'U2',
        summary: {},
        numbers,
      };
      await performIn(store.ledger, contact, async () => ({ state: 'accepted', providerId: 'm1' }));
      await sent(store, { key: 'a', providerId: 'm1', numbers });
      await store.deliveries.record('T1', [report({ providerId: 'm1', number: nigerian(1), cost: '4.25' })]);
      await count(store);
      assert.deepEqual(await chargedOf(store, 'operation', 'c'), []);
      assert.equal((await chargedOf(store, 'operation', 'a'))[0]?.amount, '4.25');
    });

    it('tell what has no sender', async (test) => {
      const store = await open(test);
      await sent(store, { key: 'a', providerId: 'm1', numbers: [nigerian(1)], senderId: '' });
      await store.deliveries.record('T1', [report({ providerId: 'm1', number: nigerian(1), cost: '4' })]);
      await count(store);
      assert.deepEqual(
        (await monthOf(store)).map(({ senderId }) => senderId),
        [noSenderId],
      );
    });

    it('of a campaign are counted where a report came before the answer that names its message', async (test) => {
      const { clock, pass } = stoppedClock();
      const store = await temporaryStore(test, { database, time: clock });
      const campaign = await runningCampaign(store, [
        recipient(nigerian(1), { pages: 3 }),
        recipient(nigerian(2), { pages: 3 }),
        recipient(ghanaian(1), { pages: 3 }),
      ]);
      assert.deepEqual(campaign.countryPages, { NG: 6, GH: 3 });
      await settleAndClaim(store, campaign, [], 1);
      await store.deliveries.record('T1', [report({ providerId: 'c1', number: nigerian(1), cost: '12.75' })]);
      await count(store);
      assert.deepEqual(await chargedOf(store, 'campaign', 'sale'), []);
      await settleAndClaim(store, campaign, [{ number: 0, state: 'accepted', providerId: 'c1' }], 0);
      await count(store);
      assert.deepEqual(await chargedOf(store, 'campaign', 'sale'), [], 'it is not looked at all the time');
      pass(31_000);
      await count(store);
      await store.deliveries.record('T1', [report({ providerId: 'c1', number: nigerian(2), cost: '12.75' })]);
      await count(store);
      assert.deepEqual(await chargedOf(store, 'campaign', 'sale'), [
        { country: 'NG', amount: '25.5', messages: 2, free: 0, pages: 6 },
      ]);
    });

    it('of recipients and operations whose answers were lost are counted once their messages are known', async (test) => {
      const store = await open(test);
      const lost = { state: 'unconfirmed', error: { reason: 'no_response' } } as const;
      const text = 'Everything must go';
      const campaign = await runningCampaign(
        store,
        [nigerian(1), nigerian(2), ghanaian(1)].map((number) => recipient(number, { pages: 3 })),
        { text },
      );
      await settleAndClaim(store, campaign, [], 1);
      await settleAndClaim(store, campaign, [{ number: 0, ...lost }], 0);
      await performIn(
        store.ledger,
        {
          workspaceId: 'T1',
          key: 'a',
          kind: 'sms.send',
          userId: 'U2',
          numbers: [nigerian(8), nigerian(9)],
          summary: { route: 'dnd', senderId: 'PalmMarket', recipients: 2 },
          text,
        },
        async () => ({ ...lost, pages: 4 }),
      );
      const shown = (providerId: string, number: string, cost: string) =>
        report({ providerId, number, cost, text, sender: 'PalmMarket', reportedAt: new Date() });
      const reports = [
        shown('x1', nigerian(1), '12.75'),
        shown('x2', ghanaian(1), '60'),
        shown('x8', nigerian(8), '8.5'),
        shown('x9', nigerian(9), '8.5'),
      ];
      await store.deliveries.record('T1', reports);
      await count(store);
      assert.deepEqual(await chargedOf(store, 'campaign', 'sale'), []);
      assert.deepEqual(await chargedOf(store, 'operation', 'a'), []);
      const followed = await store.deliveries.follow(never);
      assert.deepEqual([followed.recipients, followed.resolved], [2, 1]);
      const charged = [
        { country: 'GH', amount: '60', messages: 1, free: 0, pages: 3 },
        { country: 'NG', amount: '12.75', messages: 1, free: 0, pages: 3 },
      ];
      for (const again of [[], reports, reports.toReversed()]) {
        await store.deliveries.record('T1', again);
        await Promise.all([count(store), store.deliveries.follow(never), count(store)]);
        await count(store);
        assert.deepEqual(await chargedOf(store, 'campaign', 'sale'), charged);
        assert.deepEqual(await chargedOf(store, 'operation', 'a'), [
          { country: 'NG', amount: '17', messages: 2, free: 0, pages: 4 },
        ]);
        assert.deepEqual(
          (await monthOf(store)).map(({ userId, amount, messages }) => [userId, amount, messages]),
          [
            ['U1', '72.75', 2],
            ['U2', '17', 2],
          ],
        );
      }
    });

    it('agree with the provider’s book, whatever the order of reports and however often they come', async (test) => {
      const store = await open(test);
      const messages = ['p0', 'p1', 'p2', 'p3'].map((providerId, index) => ({
        providerId,
        number: index % 2 === 0 ? nigerian(index) : ghanaian(index),
        userId: `U${index % 3}`,
      }));
      const cost = fc.option(fc.constantFrom('0', '4.25', '4.250001', '20', '999999999.999999', '0.000001'), {
        nil: undefined,
      });
      const reports = fc.array(
        fc.record({
          message: fc.nat(messages.length - 1),
          status: fc.constantFrom('Message Sent', 'DELIVERED', 'Message Failed'),
          at: fc.nat(3),
          cost,
        }),
        { minLength: 1, maxLength: 12 },
      );
      let runs = 0;
      await fc.assert(
        fc.asyncProperty(
          reports.chain((all) =>
            fc.tuple(
              fc.constant(all),
              fc.shuffledSubarray([...all, ...all], { minLength: all.length * 2 }),
              fc.array(fc.boolean(), { minLength: all.length * 2, maxLength: all.length * 2 }),
              fc.nat(3),
            ),
          ),
          async ([all, shuffled, counts, unnamed]) => {
            runs += 1;
            const name = (providerId: string) => `${runs}-${providerId}`;
            const before = await monthOf(store);
            for (const [index, { providerId, number, userId }] of messages.entries()) {
              if (index !== unnamed) {
                await sent(store, {
                  key: name(providerId),
                  providerId: name(providerId),
                  numbers: [number],
                  userId,
                });
              }
            }
            for (const [index, { message, status, at, cost: named }] of shuffled.entries()) {
              const { providerId = '', number = '' } = messages[message] ?? {};
              await store.deliveries.record('T1', [
                report({
                  providerId: name(providerId),
                  number,
                  status,
                  reportedAt: new Date(at),
                  cost: named,
                }),
              ]);
              if (counts[index]) {
                await Promise.all([count(store), count(store)]);
              }
            }
            await count(store);
            // The book: of each message, the cost that its furthest report with a cost names.
            const rank = { 'Message Sent': 1, 'Message Failed': 2, DELIVERED: 3 } as const;
            const byUser = new Map<string, bigint>();
            for (const [index, { providerId, userId }] of messages.entries()) {
              const furthest = all
                .filter((each) => each.message === index && each.cost !== undefined)
                .sort(
                  (one, other) =>
                    rank[one.status as keyof typeof rank] - rank[other.status as keyof typeof rank] ||
                    one.at - other.at ||
                    (String(one.cost) < String(other.cost) ? -1 : 1),
                )
                .at(-1);
              const [charged, ...others] = await chargedOf(store, 'operation', name(providerId));
              const expected = index === unnamed ? undefined : furthest?.cost;
              assert.deepEqual(others, []);
              assert.equal(charged?.amount, expected);
              assert.equal(charged?.messages, expected === undefined ? undefined : 1);
              assert.equal(charged?.free, expected === undefined ? undefined : Number(expected === '0'));
              assert.equal(charged?.pages, expected === undefined ? undefined : Number(expected !== '0'));
              byUser.set(userId, (byUser.get(userId) ?? 0n) + (readMoney(expected ?? '0')?.nanos ?? 0n));
            }
            for (const { userId, amount } of await monthOf(store)) {
              const earlier = before.find((each) => each.userId === userId)?.amount ?? '0';
              const nanos = (readMoney(earlier)?.nanos ?? 0n) + (byUser.get(userId) ?? 0n);
              assert.equal(amount, writeMoney({ nanos }));
            }
          },
        ),
        { numRuns: rounds(25) },
      );
    });

    it('are counted once by instances that count at the same time', async (test) => {
      const store = await open(test);
      await sent(store, {
        key: 'a',
        providerId: 'm1',
        numbers: Array.from({ length: 90 }, (_, i) => nigerian(i)),
      });
      await store.deliveries.record(
        'T1',
        Array.from({ length: 90 }, (_, index) =>
          report({ providerId: 'm1', number: nigerian(index), cost: '4.25' }),
        ),
      );
      await Promise.all([count(store), count(store), count(store)]);
      await count(store);
      const [charged] = await chargedOf(store, 'operation', 'a');
      assert.deepEqual(charged, { country: 'NG', amount: '382.5', messages: 90, free: 0, pages: 90 });
    });

    it('of who is erased stay counted, and count no second time where they are reported once more', async (test) => {
      const store = await open(test);
      await sent(store, { key: 'a', providerId: 'm1', numbers: [nigerian(1), nigerian(2)] });
      const campaign = await runningCampaign(store, [recipient(nigerian(1)), recipient(nigerian(2))]);
      await settleAndClaim(store, campaign, [], 1);
      await settleAndClaim(store, campaign, [{ number: 0, state: 'accepted', providerId: 'c1' }], 0);
      const reports = ['m1', 'c1'].flatMap((providerId) =>
        [nigerian(1), nigerian(2)].map((number) => report({ providerId, number, cost: '4.25' })),
      );
      const counted = { country: 'NG', amount: '8.5', messages: 2, free: 0, pages: 2 };
      const takeIn = async () => {
        await store.deliveries.record('T1', reports);
        await count(store);
        assert.deepEqual(await chargedOf(store, 'operation', 'a'), [counted]);
        assert.deepEqual(await chargedOf(store, 'campaign', 'sale'), [counted]);
      };
      await takeIn();
      await store.erasure.erase({
        workspaceIds: ['T1'],
        number: provenNumberSchema.parse(nigerian(1)),
        areas: { drafts: 'delete', preferences: 'redact' },
        signal: never,
      });
      await takeIn();
    });

    it('of messages that nothing here has sent are put off together', async (test) => {
      const { clock, pass } = stoppedClock();
      let statements = 0;
      const onStatement = () => {
        statements += 1;
      };
      const store = await temporaryStore(test, { database, time: clock, onStatement });
      for (let index = 0; index < 30; index += 1) {
        await store.deliveries.record('T1', [
          report({ providerId: `foreign${index}`, number: nigerian(1), cost: '4.25' }),
        ]);
        pass(1_000);
      }
      const due = async () => {
        const rows = await store.db.selectFrom('delivery').select(['receivedAt', 'countAfter']).execute();
        return rows
          .map(({ receivedAt, countAfter }) => [
            clock.now().getTime() - receivedAt.getTime(),
            countAfter - clock.now().getTime(),
          ])
          .sort(([one = 0], [other = 0]) => one - other);
      };
      statements = 0;
      await count(store);
      assert.ok(statements < 20, `${statements} statements`);
      assert.deepEqual(
        await due(),
        Array.from({ length: 30 }, (_, index) => (index + 1) * 1_000).map((age) => [
          age,
          Math.max(30_000, 7 * age),
        ]),
      );
      pass(24 * 60 * 60_000);
      await count(store);
      pass(10 * 365 * 24 * 60 * 60_000);
      assert.ok((await due()).every(([, wait = 0]) => wait > 0));
    });

    it('stay when the reports have expired, and go with the audit', async (test) => {
      const store = await open(test);
      await sent(store, { key: 'a', providerId: 'm1', numbers: [nigerian(1)] });
      const estimate = { total: '4.25', perPage: '4.25', pages: 1, unknownPages: 0 };
      await store.costs.keepEstimate({ workspaceId: 'T1', subject: 'operation', id: 'a' }, estimate);
      await store.costs.keepEstimate({ workspaceId: 'T1', subject: 'operation', id: 'never sent' }, estimate);
      await store.deliveries.record('T1', [report({ providerId: 'm1', number: nigerian(1), cost: '4.25' })]);
      await count(store);
      const soon = new Date(Date.now() + 60_000);
      await store.deliveries.expire(soon);
      await store.costs.expire(new Date(0), soon);
      const kept = (await store.costs.of('T1', 'operation', ['a', 'never sent'])).get('a');
      assert.deepEqual([kept?.estimate, kept?.charged[0]?.amount], [estimate, '4.25']);
      assert.equal((await store.costs.of('T1', 'operation', ['never sent'])).size, 0);
      await store.costs.expire(new Date(Date.now() + 32 * 24 * 60 * 60_000), soon);
      assert.equal((await store.costs.of('T1', 'operation', ['a'])).size, 0);
      assert.deepEqual(await store.costs.months('T1'), []);
    });
  });

  describe('the pages of a campaign by country', () => {
    it('are without recipients that are put on the list meanwhile', async (test) => {
      const store = await open(test);
      await runningCampaign(store, [
        recipient(nigerian(1), { pages: 2 }),
        recipient(nigerian(2), { pages: 2 }),
        recipient(ghanaian(1), { pages: 2 }),
      ]);
      await store.suppressionList.add('T1', [nigerian(2), ghanaian(1)], 'U1', { source: { kind: 'typed' } });
      const campaign = await store.campaigns.find('T1', 'sale');
      assert.deepEqual([campaign?.countryPages, campaign?.counts.pages], [{ NG: 2 }, 2]);
    });
  });
});
