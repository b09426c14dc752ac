import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { forEachDatabase } from '../../support/store/databases.ts';
import { recipient, runningCampaign, settleAndClaim } from '../../support/store/stored-campaigns.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';

const numbers = Array.from({ length: 5 }, (_, index) => `+23480312345${60 + index}`);
const invalid = { reason: 'invalid_number' };
const silent = { reason: 'timed_out' };

forEachDatabase((database) => {
  describe('why recipients of a campaign failed', () => {
    it('is counted by their errors, without those who turned out to be accepted', async (test) => {
      const store = await temporaryStore(test, { database });
      const { campaigns, db } = store;
      const rows = numbers.map((number) => recipient(number, { text: 'Hello' }));
      const campaign = await runningCampaign(store, rows, { personal: true });
      await settleAndClaim(store, campaign, [], numbers.length);
      const endings = [
        { number: 0, state: 'accepted', providerId: 'm0' },
        { number: 1, state: 'unconfirmed', error: silent },
        { number: 2, state: 'rejected', error: invalid },
        { number: 3, state: 'rejected', error: invalid },
        { number: 4, state: 'unconfirmed', error: silent },
      ] as const;
      await settleAndClaim(store, campaign, endings, 0);
      const { sequence } = campaign;
      const failures = async () => {
        const found = await campaigns.failures(sequence);
        return found.map(({ state, error, recipients }) => `${recipients} ${state}: ${error?.reason}`).sort();
      };
      assert.deepEqual(await failures(), ['2 rejected: invalid_number', '2 unconfirmed: timed_out']);
      const claimed = { workspaceId: 'T1', providerId: 'm4', hash: 'four', campaign: sequence, chunk: 4 };
      await db
        .insertInto('messageClaim')
        .values({ ...claimed, source: 'report', claimedAt: new Date(0) })
        .execute();
      assert.deepEqual(await failures(), ['1 unconfirmed: timed_out', '2 rejected: invalid_number']);
    });
  });
});
