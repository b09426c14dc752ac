import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { CampaignState, NewCampaign, ReadRow } from '../../../../src/store/campaigns/campaigns.ts';
import type { Store } from '../../../../src/store/store.ts';
import { forEachDatabase } from '../../../support/store/databases.ts';
import {
  moveSeen,
  newCampaign,
  readyCampaign,
  recipient,
  runningCampaign,
  settleAndClaim,
} from '../../../support/store/stored-campaigns.ts';
import { temporaryStore } from '../../../support/store/temporary-store.ts';

const never = new AbortController().signal;
const workspaceId = 'T1';
const numbers = Array.from({ length: 3 }, (_, index) => `+23480312345${60 + index}`);
const [first = '', second = '', third = ''] = numbers;
const lost = { state: 'unconfirmed', error: { reason: 'no_response' } } as const;
const text = 'Everything must go';

async function recipientsOf(store: Store, id: string, state: 'waiting' | 'claimed' = 'waiting') {
  const chunks = await Array.fromAsync(store.campaigns.chunks(workspaceId, id, [state]));
  return chunks.flatMap(({ to }) => to);
}

function reportOf(number: string) {
  const message = { providerId: `m${number}`, number, sender: 'PalmMarket', text, status: 'Sent' };
  return { ...message, reportedAt: new Date(), source: 'report' as const };
}

forEachDatabase((database) => {
  const rows = (of: readonly string[], personal = false): ReadRow[] =>
    of.map((number) => recipient(number, personal ? { text } : {}));

  /** Begins with a campaign all of whose answers were lost. */
  async function begin(test: TestContext, personal = false) {
    const store = await temporaryStore(test, { database });
    await runningCampaign(store, rows(numbers, personal), { personal });
    await loseAnswers(store, 'sale', 3);
    const rest = (change: Partial<NewCampaign> = {}): Partial<NewCampaign> => ({
      id: 'sale.unconfirmed',
      retryOf: 'sale',
      personal,
      ...change,
    });
    const follow = async (...reported: string[]) => {
      await store.deliveries.record(workspaceId, reported.map(reportOf));
      return store.deliveries.follow(never);
    };
    return { store, rest, follow };
  }

  async function loseAnswers(store: Store, id: string, count: number) {
    const turn = await settleAndClaim(store, { workspaceId, id }, [], count);
    const endings = (turn?.claimed ?? []).map(({ number }) => ({ number, ...lost }));
    await settleAndClaim(store, { workspaceId, id }, endings, 0);
  }

  /** Performs `work` while the resend does not count as one, so that nobody leaves it. */
  async function unseen<Result>(store: Store, work: () => Promise<Result>): Promise<Result> {
    const setFormer = (retryOf: string | null) =>
      store.db.updateTable('campaign').set({ retryOf }).where('id', '=', 'sale.unconfirmed').execute();
    await setFormer(null);
    const result = await work();
    await setFormer('sale');
    return result;
  }

  const countsOf = async (store: Store, id: string) => {
    const { state, counts } = (await store.campaigns.find(workspaceId, id)) ?? assert.fail('it is gone');
    return [state, counts.recipients, counts.acceptedBefore, counts.suppressed, counts.pages];
  };

  describe('who turned out to be accepted', () => {
    const ways: Record<string, readonly CampaignState[]> = {
      missed: ['scheduled', 'missed'],
      running: ['running'],
      paused: ['running', 'paused'],
      cancelled: ['running', 'cancelled'],
    };
    for (const [state, moves] of Object.entries(ways)) {
      it(`leaves a resend that is ${state}, and no other campaign`, async (test) => {
        const { store, rest, follow } = await begin(test);
        let { state: from } = await readyCampaign(store, rows(numbers), rest());
        for (const to of moves) {
          assert.ok(await moveSeen(store.campaigns, workspaceId, 'sale.unconfirmed', [from], to));
          from = to;
        }
        await readyCampaign(store, rows(numbers), { id: 'other' });
        const { reduced } = await follow(second);
        assert.deepEqual(reduced, [{ workspaceId, id: 'sale.unconfirmed' }]);
        assert.deepEqual(await recipientsOf(store, 'sale.unconfirmed'), [first, third]);
        assert.deepEqual(await countsOf(store, 'sale.unconfirmed'), [state, 2, 1, 0, 2]);
        assert.deepEqual(await countsOf(store, 'other'), ['ready', 3, 0, 0, 3]);
      });
    }

    for (const personal of [false, true]) {
      it(`leaves a resend of a resend, and the rest of it that was not sent${personal ? ', with texts of their own' : ''}`, async (test) => {
        const { store, rest, follow } = await begin(test, personal);
        const resend = 'sale.unconfirmed';
        await runningCampaign(store, rows(numbers, personal), rest({ senderId: 'Palm' }));
        await loseAnswers(store, resend, personal ? 2 : 1);
        const again = rest({ id: `${resend}.unconfirmed`, retryOf: resend, senderId: 'Market' });
        await readyCampaign(store, rows([first, second], personal), again);
        if (personal) {
          await store.campaigns.move(workspaceId, resend, ['running'], 'cancelled');
        }
        const notSent = rest({ id: `${resend}.not_sent`, retryOf: resend, senderId: 'Market' });
        await readyCampaign(store, rows([third], personal), notSent);
        const { reduced } = await follow(second, third);
        assert.deepEqual(await recipientsOf(store, `${resend}.unconfirmed`), [first]);
        assert.deepEqual(await recipientsOf(store, `${resend}.not_sent`), []);
        assert.deepEqual(
          reduced.map(({ id }) => id).toSorted(),
          [...(personal ? [resend] : []), `${resend}.not_sent`, `${resend}.unconfirmed`].toSorted(),
        );
      });
    }

    it('is not in a resend whose recipients were read before', async (test) => {
      const { store, rest, follow } = await begin(test);
      const writer = (await store.campaigns.begin(newCampaign(rest()))) ?? assert.fail('it is known');
      await writer.add(rows(numbers));
      await follow(first, third);
      const { counts } = await writer.finish();
      assert.deepEqual([counts.recipients, counts.acceptedBefore], [1, 2]);
      assert.deepEqual(await recipientsOf(store, 'sale.unconfirmed'), [second]);
    });

    it('is not sent to again where the request was under way and not taken', async (test) => {
      const { store, rest, follow } = await begin(test);
      const id = 'sale.unconfirmed';
      await runningCampaign(store, rows(numbers), rest());
      await unseen(store, () => follow(second));
      const turn = await settleAndClaim(store, { workspaceId, id }, [], 3);
      const endings = (turn?.claimed ?? []).map(({ number }) => ({ number, state: 'waiting' as const }));
      const next = await settleAndClaim(store, { workspaceId, id }, endings, 3);
      assert.deepEqual(
        next?.claimed.flatMap(({ digits }) => digits),
        [first, third].map((number) => number.slice(1)),
      );
      assert.deepEqual(await countsOf(store, id), ['running', 2, 1, 0, 2]);
    });

    it('cancels a resend that is scheduled, where nobody is left', async (test) => {
      const { store, rest, follow } = await begin(test);
      const id = 'sale.unconfirmed';
      await readyCampaign(store, rows(numbers), rest());
      await moveSeen(store.campaigns, workspaceId, id, ['ready'], 'scheduled');
      await follow(...numbers);
      assert.deepEqual(await countsOf(store, id), ['cancelled', 0, 3, 0, 0]);
    });
  });
});
