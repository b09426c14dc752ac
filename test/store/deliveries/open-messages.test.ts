import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Store } from '../../../src/store/store.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { performIn } from '../../support/store/perform-in.ts';
import { recipient, runningCampaign, settleAndClaim } from '../../support/store/stored-campaigns.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';

const number = '+2348031234567';
const other = '+2348039999999';
const error = { reason: 'timed_out' };
const sale = { workspaceId: 'T1', id: 'sale' };

/** Performs an operation whose answer is lost, or accepted with the id of its message. */
async function performs(store: Store, key: string, providerId?: string) {
  const intent = { workspaceId: 'T1', key, kind: 'sms.send', userId: 'U1' };
  const summary = { senderId: 'PalmMarket', recipients: 1 };
  await performIn(store.ledger, { ...intent, summary, numbers: [number], text: 'Hello' }, async () =>
    providerId === undefined ? { state: 'unconfirmed', error } : { state: 'accepted', providerId },
  );
  return (await store.ledger.find('T1', { key })) ?? assert.fail('it was not written');
}

const reported = (store: Store, providerId: string, to: string, status = 'DELIVERED', told = {}) =>
  store.deliveries.record('T1', [{ providerId, number: to, status, source: 'report', ...told }]);

/** As of now: the file may have been loaded minutes before its tests run. */
const toldNow = () => ({ sender: 'PalmMarket', text: 'Hello', reportedAt: new Date() });

forEachDatabase((database) => {
  const open = (test: TestContext) => temporaryStore(test, { database });

  describe('the messages that may be those of an unconfirmed operation', () => {
    it('are those to its number that were reported since without what tells their request', async (test) => {
      const store = await open(test);
      await performs(store, 'known', 'm1');
      const operation = await performs(store, 'lost');
      assert.deepEqual(await store.openMessages.reportedOf(operation, 10), []);
      const contact = { workspaceId: 'T2', key: 'c', kind: 'contact.add', userId: 'U2', summary: {} };
      await performIn(store.ledger, contact, async () => ({ state: 'accepted', providerId: 'm2' }));
      await reported(store, 'm1', number);
      await reported(store, 'm2', number);
      await reported(store, 'm3', other);
      await reported(store, 'm4', number, 'DELIVERED', { ...toldNow(), text: 'Something else' });
      await reported(store, 'm5', number, 'Message Sent', { sender: 'PalmMarket', text: 'Hello' });
      assert.deepEqual(await store.openMessages.reportedOf(operation, 10), ['m2', 'm5']);
      assert.deepEqual(await store.openMessages.reportedOf(operation, 1), ['m2']);
      const before = new Date(operation.createdAt.getTime() - 1);
      await store.db
        .updateTable('delivery')
        .set({ receivedAt: before })
        .where('providerId', '=', 'm2')
        .execute();
      assert.deepEqual(await store.openMessages.reportedOf(operation, 10), ['m5']);
      assert.deepEqual(await store.openMessages.reportedOf({ ...operation, workspaceId: 'T2' }, 10), []);
    });

    it('are none once the operation is known to be one of them', async (test) => {
      const store = await open(test);
      const operation = await performs(store, 'lost');
      await reported(store, 'm1', number);
      await reported(store, 'm1', number, 'Delivered', { ...toldNow(), source: 'history' });
      await store.deliveries.follow(new AbortController().signal);
      const found = await store.ledger.find('T1', { key: 'lost' });
      assert.partialDeepStrictEqual(found, { state: 'accepted', providerId: 'm1' });
      assert.deepEqual(await store.openMessages.reportedOf(operation, 10), []);
    });
  });

  describe('the open messages of a campaign', () => {
    it('are those with a recipient whose end is not known, page by page', async (test) => {
      const store = await open(test);
      const personal = ['1', '2', '3'].map((end) => recipient(`+234803123456${end}`, { text: 'Hi' }));
      const campaign = await runningCampaign(store, personal, { personal: true });
      await settleAndClaim(store, campaign, [], 3);
      const accepted = [0, 1, 2].map((chunk) => ({
        number: chunk,
        state: 'accepted' as const,
        providerId: `c${chunk}`,
      }));
      await settleAndClaim(store, campaign, accepted, 1);
      await reported(store, 'c1', '+2348031234562', 'Message Sent');
      const page = (after: number | undefined, limit: number) =>
        store.openMessages.ofCampaign(sale, { after, limit });
      assert.deepEqual(await page(undefined, 2), { providerIds: ['c0', 'c1'], next: 1 });
      assert.deepEqual(await page(1, 2), { providerIds: ['c2'], next: undefined });
      await reported(store, 'c1', '+2348031234562', 'Expired');
      assert.deepEqual(await page(undefined, 2), { providerIds: ['c0', 'c2'], next: undefined });
      const foreign = { workspaceId: 'T2', id: 'sale' };
      assert.deepEqual(await store.openMessages.ofCampaign(foreign, { after: undefined, limit: 9 }), {
        providerIds: [],
        next: undefined,
      });
    });

    it('are also what an unclear answer or a report names, once, and resolve recipients', async (test) => {
      const store = await open(test);
      const campaign = await runningCampaign(store, [recipient(number), recipient(other)]);
      await settleAndClaim(store, campaign, [], 1);
      const ending = { number: 0, state: 'unconfirmed', receiptId: 'c1', error } as const;
      await settleAndClaim(store, campaign, [ending], 1);
      await reported(store, 'c1', number);
      await reported(store, 'r1', other);
      const first = { after: undefined, limit: 10 };
      assert.deepEqual(await store.openMessages.ofCampaign(sale, first), {
        providerIds: ['c1', 'r1'],
        next: undefined,
      });
      assert.deepEqual(await store.openMessages.ofCampaign(sale, { after: undefined, limit: 1 }), {
        providerIds: ['c1'],
        next: -1,
      });
      const answer = { ...toldNow(), text: 'Everything must go', source: 'history' };
      await reported(store, 'c1', number, 'DELIVERED', answer);
      await reported(store, 'c1', other, 'DELIVERED', answer);
      const followed = await store.deliveries.follow(new AbortController().signal);
      assert.partialDeepStrictEqual(followed, { recipients: 2 });
    });
  });
});
