import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { forEachDatabase } from '../../support/store/databases.ts';
import {
  moveSeen,
  readyCampaign,
  recipient,
  runningCampaign,
  settleAndClaim,
} from '../../support/store/stored-campaigns.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';

const workspaceId = 'T1';
const numbers = Array.from({ length: 5 }, (_, index) => `+23480312345${60 + index}`);
const [first = '', second = '', third = '', fourth = '', fifth = ''] = numbers;

forEachDatabase((database) => {
  describe('who already got a follow-up of a campaign', () => {
    it('is a recipient of one, unless it was rejected, cancelled before, or is a draft', async (test) => {
      const store = await temporaryStore(test, { database });
      const { campaigns } = store;
      await runningCampaign(
        store,
        numbers.map((number) => recipient(number)),
      );
      const follow = { followUpOf: 'sale', personal: true };
      const personal = (number: string) => recipient(number, { text: 'Once more' });
      await runningCampaign(store, [first, second].map(personal), { ...follow, id: 'one' });
      const one = { workspaceId, id: 'one' };
      await settleAndClaim(store, one, [], 1);
      await settleAndClaim(store, one, [{ number: 0, state: 'rejected' }], 0);
      const found = async () => [...(await campaigns.followedUpAmong(workspaceId, 'sale', numbers))].sort();
      assert.deepEqual(await found(), [second]);
      await moveSeen(campaigns, workspaceId, 'one', ['running'], 'cancelled');
      assert.deepEqual(await found(), []);

      await readyCampaign(store, [third].map(personal), { ...follow, id: 'draft' });
      await runningCampaign(store, [fourth].map(personal), { ...follow, id: 'sent' });
      const sent = { workspaceId, id: 'sent' };
      await settleAndClaim(store, sent, [], 1);
      await settleAndClaim(store, sent, [{ number: 0, state: 'unconfirmed' }], 0);
      await runningCampaign(store, [fifth].map(personal), { personal: true, id: 'another' });
      assert.deepEqual(await found(), [fourth]);
      assert.deepEqual([...(await campaigns.followedUpAmong(workspaceId, 'another', numbers))], []);
    });
  });
});
