import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { inquiryRounds } from '../../../src/domain/deliveries/inquiry-ages.ts';
import type { Store } from '../../../src/store/store.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { recipient, runningCampaign, settleAndClaim } from '../../support/store/stored-campaigns.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';

const minute = 60_000;
const hour = 60 * minute;
const number = '+2348031234567';
const kinds = ['sms.send'];

async function sends(store: Store, providerId: string, numbers = [number]): Promise<void> {
  const operation = { workspaceId: 'T1', key: providerId, kind: 'sms.send', userId: 'U1', summary: {} };
  await store.ledger.perform({ ...operation, numbers, text: 'Hello' }, async () => ({
    state: 'accepted',
    providerId,
  }));
}

/** The ids of what is due after a time. Each is then asked about. */
async function asks({ inquiries }: Store, ms: number, limit = 10): Promise<string[]> {
  const now = new Date(Date.now() + ms);
  const due = await inquiries.due('T1', { now, kinds, limit });
  for (const { place } of due) {
    await inquiries.asked(place);
  }
  return due.map(({ providerId }) => providerId);
}

const reported = (store: Store, providerId: string, to: string, status: string) =>
  store.deliveries.record('T1', [{ providerId, number: to, status, source: 'report' }]);

/** Campaigns that have ended, of one accepted chunk each: `c0`, `c1` and so on. */
async function askableCampaigns(store: Store, count: number): Promise<void> {
  const campaign = await runningCampaign(store, [recipient(number)]);
  await settleAndClaim(store, campaign, [], 1);
  await settleAndClaim(store, campaign, [{ number: 0, state: 'accepted', providerId: 'c0' }], 1);
  const { sequence, ...row } = await store.db.selectFrom('campaign').selectAll().executeTakeFirstOrThrow();
  const chunk = await store.db
    .selectFrom('campaign_chunk')
    .selectAll()
    .where('campaign', '=', sequence)
    .executeTakeFirstOrThrow();
  for (let index = 1; index < count; index += 1) {
    const { sequence: other } = await store.db
      .insertInto('campaign')
      .values({ ...row, id: `sale-${index}`, state_changed_at: row.state_changed_at + index })
      .returning('sequence')
      .executeTakeFirstOrThrow();
    await store.db
      .insertInto('campaign_chunk')
      .values({ ...chunk, campaign: other, provider_id: `c${index}` })
      .execute();
  }
}

forEachDatabase((database) => {
  const open = (test: TestContext) => temporaryStore(test, { database });

  describe('what the provider is asked about', () => {
    it('is each message without an end, once in each round, until it is too old', async (test) => {
      const store = await open(test);
      for (const id of ['m1', 'm2', 'm3', 'm4']) {
        await sends(store, id);
      }
      await reported(store, 'm2', number, 'DELIVERED');
      await reported(store, 'm3', number, 'Message Sent');
      await reported(store, 'm4', number, 'Expired');
      assert.deepEqual(await asks(store, 29 * minute), []);
      assert.deepEqual(await asks(store, 31 * minute), ['m1', 'm3']);
      assert.deepEqual(await asks(store, 32 * minute), []);
      await reported(store, 'm3', number, 'DELIVERED');
      for (const { fromAge } of inquiryRounds.slice(1)) {
        assert.deepEqual(await asks(store, fromAge - minute), []);
        assert.deepEqual(await asks(store, fromAge + minute), ['m1']);
      }
      assert.deepEqual(await asks(store, 200 * hour), []);
    });

    it('goes on where it was stopped, and has a message due again whose question had no answer', async (test) => {
      const store = await open(test);
      const ids = Array.from({ length: 7 }, (_, index) => `m${index}`);
      for (const id of ids) {
        await sends(store, id);
      }
      const now = new Date(Date.now() + 31 * minute);
      const first = await store.inquiries.due('T1', { now, kinds, limit: 3 });
      const again = await store.inquiries.due('T1', { now, kinds, limit: 3 });
      assert.deepEqual(again, first);
      const inTurn = [];
      for (let turn = 0; turn < 4; turn += 1) {
        inTurn.push(...(await asks(store, 31 * minute, 3)));
      }
      assert.deepEqual(inTurn.toSorted(), ids);
    });

    it('is a message to several numbers while the end of one is not known', async (test) => {
      const store = await open(test);
      const numbers = [number, '+2348039999999'];
      await sends(store, 'm1', numbers);
      await reported(store, 'm1', number, 'DELIVERED');
      assert.deepEqual(await asks(store, 31 * minute), ['m1']);
      await reported(store, 'm1', '+2348039999999', 'DELIVERED');
      assert.deepEqual(await asks(store, 3 * hour), []);
    });

    it('is a campaign’s message once the campaign has ended, in rounds from then on', async (test) => {
      const store = await open(test);
      const campaign = await runningCampaign(store, [recipient(number), recipient('+2348039999999')]);
      const claimed = await settleAndClaim(store, campaign, [], 1);
      assert.equal(claimed?.claimed.length, 1);
      const ending = { number: 0, state: 'accepted', providerId: 'c1' } as const;
      await settleAndClaim(store, campaign, [ending], 1);
      assert.deepEqual(await asks(store, 29 * minute), []);
      assert.deepEqual(await store.inquiries.workspaces(new Date(Date.now() + 31 * minute)), ['T1']);
      assert.deepEqual(await asks(store, 31 * minute), ['c1']);
      assert.deepEqual(await asks(store, 32 * minute), []);
      assert.deepEqual(await asks(store, 3 * hour), ['c1']);
      await reported(store, 'c1', number, 'DELIVERED');
      assert.deepEqual(await asks(store, 7 * hour), ['c1']);
      await reported(store, 'c1', '+2348039999999', 'Expired');
      assert.deepEqual(await asks(store, 25 * hour), []);
    });

    it('is a message that an unclear answer names, of an operation and of a campaign', async (test) => {
      const store = await open(test);
      const operation = { workspaceId: 'T1', key: 'a', kind: 'sms.send', userId: 'U1' };
      const summary = { senderId: 'PalmMarket', recipients: 1 };
      const error = { reason: 'refused' };
      await store.ledger.perform({ ...operation, summary, numbers: [number], text: 'Hello' }, async () => ({
        state: 'unconfirmed',
        receiptId: 'm1',
        error,
      }));
      const other = '+2348039999999';
      const campaign = await runningCampaign(store, [recipient(other)]);
      await settleAndClaim(store, campaign, [], 1);
      const ending = { number: 0, state: 'unconfirmed', receiptId: 'c1', error } as const;
      await settleAndClaim(store, campaign, [ending], 1);
      assert.deepEqual(await store.inquiries.workspaces(new Date(Date.now() + 31 * minute)), ['T1']);
      assert.deepEqual((await asks(store, 31 * minute)).toSorted(), ['c1', 'm1']);
      const answer = { status: 'DELIVERED', sender: 'PalmMarket', source: 'history' } as const;
      const reportedAt = new Date();
      await store.deliveries.record('T1', [
        { ...answer, providerId: 'm1', number, text: 'Hello', reportedAt },
        { ...answer, providerId: 'c1', number: other, text: 'Everything must go', reportedAt },
      ]);
      const followed = await store.deliveries.follow(new AbortController().signal);
      assert.partialDeepStrictEqual(followed, { resolved: 1, recipients: 1 });
      const found = await store.ledger.find('T1', { key: 'a' });
      assert.partialDeepStrictEqual(found, { state: 'accepted', providerId: 'm1', resolvedFrom: 'history' });
      assert.deepEqual(await asks(store, 3 * hour), []);
    });

    it('is a message that was reported without its text, whose number has an unconfirmed request', async (test) => {
      const store = await open(test);
      await sends(store, 'm1');
      const operation = { workspaceId: 'T1', key: 'a', kind: 'sms.send', userId: 'U1' };
      const summary = { senderId: 'PalmMarket', recipients: 1 };
      await store.ledger.perform({ ...operation, summary, numbers: [number], text: 'Hello' }, async () => ({
        state: 'unconfirmed',
        error: { reason: 'timed_out' },
      }));
      await reported(store, 'm1', number, 'DELIVERED');
      await reported(store, 'm2', number, 'DELIVERED');
      await reported(store, 'm3', '+2348039999999', 'DELIVERED');
      assert.deepEqual(await asks(store, 29 * minute), []);
      assert.deepEqual(await asks(store, 31 * minute), ['m2']);
      assert.deepEqual(await asks(store, 32 * minute), []);
      await store.deliveries.record('T1', [
        {
          providerId: 'm2',
          number,
          status: 'Delivered',
          sender: 'PalmMarket',
          text: 'Hello',
          reportedAt: new Date(),
          source: 'history',
        },
      ]);
      await store.deliveries.follow(new AbortController().signal);
      const found = await store.ledger.find('T1', { key: 'a' });
      assert.partialDeepStrictEqual(found, { state: 'accepted', providerId: 'm2' });
      assert.deepEqual(await asks(store, 3 * hour), []);
    });

    it('is of every campaign in turn, however many there are, and leaves out those of which all is known', async (test) => {
      const store = await open(test);
      await askableCampaigns(store, 230);
      await store.deliveries.record(
        'T1',
        Array.from({ length: 30 }, (_, index) => ({
          providerId: `c${index}`,
          number,
          status: 'DELIVERED',
          source: 'report' as const,
        })),
      );
      const inTurn: string[] = [];
      for (let minutes = 31; minutes < 31 + 20; minutes += 1) {
        inTurn.push(...(await asks(store, minutes * minute, 10)));
      }
      const open200 = Array.from({ length: 200 }, (_, index) => `c${index + 30}`);
      assert.deepEqual(inTurn.toSorted(), open200.toSorted());
      assert.deepEqual(await asks(store, 52 * minute), []);
    });

    it('is of campaigns also where there are more single messages than may be asked about', async (test) => {
      const store = await open(test);
      await askableCampaigns(store, 2);
      for (let index = 0; index < 6; index += 1) {
        await sends(store, `m${index}`);
      }
      assert.deepEqual((await asks(store, 31 * minute, 4)).map(([kind]) => kind).toSorted(), [
        'c',
        'c',
        'm',
        'm',
      ]);
      assert.equal((await asks(store, 32 * minute, 9)).length, 4);
    });

    it('is of no other workspace, and of none that sent nothing lately', async (test) => {
      const store = await open(test);
      await sends(store, 'm1');
      const after = (ms: number) => new Date(Date.now() + ms);
      assert.deepEqual(await store.inquiries.workspaces(after(31 * minute)), ['T1']);
      assert.deepEqual(await store.inquiries.workspaces(after(minute)), []);
      assert.deepEqual(await store.inquiries.workspaces(after(200 * hour)), []);
      assert.deepEqual(await store.inquiries.due('T2', { now: after(hour), kinds, limit: 9 }), []);
    });

    it('takes from the pace of campaigns only what these leave over', async (test) => {
      const { db, inquiries } = await open(test);
      assert.equal(await inquiries.takeFromPace('T1'), true);
      const pace = { workspace_id: 'T1', rate: 0.01, refilled_at: Date.now(), back_offs: 0 };
      await db
        .insertInto('pace')
        .values({ ...pace, tokens: 1, back_off_until: 0 })
        .execute();
      assert.equal(await inquiries.takeFromPace('T1'), true);
      assert.equal(await inquiries.takeFromPace('T1'), false);
      await db.updateTable('pace').set({ tokens: 1 }).execute();
      const slowed = Date.now() + hour;
      await db.updateTable('pace').set({ tokens: 1, back_off_until: slowed }).execute();
      assert.equal(await inquiries.takeFromPace('T1'), false);
    });
  });
});
