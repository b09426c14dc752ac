import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { manyNumbers } from '../../support/slack/number-files.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { recipient, runningCampaign, settleAndClaim } from '../../support/store/stored-campaigns.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';

const sale = { workspaceId: 'T1', id: 'sale' };
const personal = { personal: true, text: 'Hello {{name}}' };
const lost = { state: 'unconfirmed', error: { reason: 'no_response' } } as const;

forEachDatabase((database) => {
  describe('every chunk of a campaign', () => {
    it('is read by its number, whatever its state, with the recipients who turned out to be accepted', async (test) => {
      const store = await temporaryStore(test, { database });
      const numbers = manyNumbers(250);
      await runningCampaign(
        store,
        numbers.map((number) => recipient(number)),
      );
      await settleAndClaim(store, sale, [], 2);
      await settleAndClaim(store, sale, [{ number: 1, ...lost }], 0);
      const [resolved = ''] = numbers.slice(150);
      const report = { providerId: 'm1', number: resolved, sender: 'PalmMarket', text: 'Everything must go' };
      const reported = { ...report, status: 'Sent', reportedAt: new Date(), source: 'report' as const };
      await store.deliveries.record('T1', [reported]);
      await store.deliveries.follow(new AbortController().signal);

      const chunks = await Array.fromAsync(store.campaigns.everyChunk('T1', 'sale'));
      assert.deepEqual(
        chunks.map(({ number, state, to, providerId }) => [number, state, to.length, providerId]),
        [
          [0, 'claimed', 100, undefined],
          [1, 'unconfirmed', 99, undefined],
          [1, 'accepted', 1, 'm1'],
          [2, 'waiting', 50, undefined],
        ],
      );
      assert.deepEqual(chunks[2]?.to, [resolved]);
      assert.deepEqual(chunks.flatMap(({ to }) => to).sort(), numbers.toSorted());
      assert.deepEqual(await Array.fromAsync(store.campaigns.everyChunk('T2', 'sale')), []);
    });

    it('is read once while it is sent', async (test) => {
      const store = await temporaryStore(test, { database });
      const numbers = manyNumbers(450);
      await runningCampaign(
        store,
        numbers.map((number) => recipient(number, { text: 'Hello Ada' })),
        personal,
      );
      const read: string[] = [];
      for await (const { number, to } of store.campaigns.everyChunk('T1', 'sale')) {
        if (number === 100) {
          // The first and the last ones are sent between two pages.
          const claimed = (await settleAndClaim(store, sale, [], 450))?.claimed ?? [];
          const endings = claimed.map((chunk) => ({ number: chunk.number, state: 'accepted' as const }));
          await settleAndClaim(store, sale, endings, 0);
        }
        read.push(...to);
      }
      assert.deepEqual(read, numbers);
    });
  });
});
