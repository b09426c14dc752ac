import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CampaignState } from '../../../src/store/campaigns/campaigns.ts';
import { NoLongerDraftError } from '../../../src/store/campaigns/import/finish-imports.ts';
import type { Store } from '../../../src/store/store.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { dueNotices } from '../../support/store/due-notices.ts';
import {
  moveSeen,
  newCampaign,
  readyCampaign,
  recipient,
  settleAndClaim,
} from '../../support/store/stored-campaigns.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';
import { stoppedClock } from '../../support/time/test-clock.ts';

const [one, two] = ['+2348031234567', '+2348031234568'] as const;

const rows = [recipient(one), recipient(two)];

const startAt = new Date(Date.UTC(2077, 6, 5, 9));

async function scheduledCampaign(store: Store) {
  await readyCampaign(store, rows);
  const patch = { startAt, latestStart: startAt, zone: 'Africa/Lagos', channelId: 'C1' };
  await moveSeen(store.campaigns, 'T1', 'sale', ['ready'], 'scheduled', patch);
  await store.campaigns.setMessage('T1', 'sale', { channel: 'C1', ts: '1.1' });
}

const find = (store: Store) => store.campaigns.find('T1', 'sale');

forEachDatabase(() => {
  for (const state of ['scheduled', 'missed'] as const satisfies CampaignState[]) {
    test(`a ${state} campaign that becomes a draft is as if it had never been scheduled`, async (t) => {
      const store = await temporaryStore(t);
      await scheduledCampaign(store);
      if (state === 'missed') {
        await store.campaigns.move('T1', 'sale', ['scheduled'], 'missed');
        assert.equal((await dueNotices(store)).length, 1);
      }
      const draft = await store.campaigns.move('T1', 'sale', [state], 'ready');
      assert.ok(draft);
      for (const key of ['startAt', 'latestStart', 'zone', 'channelId', 'message', 'endedAt'] as const) {
        assert.equal(draft[key], undefined, key);
      }
      await moveSeen(store.campaigns, 'T1', 'sale', ['ready'], 'running');
      await store.campaigns.move('T1', 'sale', ['running'], 'cancelled');
      const [notice, ...more] = await dueNotices(store);
      assert.deepEqual([notice?.subject, notice?.channelId, more.length], ['campaign', undefined, 0]);
    });
  }

  test('a draft that was scheduled before is kept as long as any, from then on', async (t) => {
    const day = 24 * 60 * 60_000;
    const { clock, pass } = stoppedClock();
    const store = await temporaryStore(t, { time: clock });
    await scheduledCampaign(store);
    pass(3 * day);
    await store.campaigns.move('T1', 'sale', ['scheduled'], 'ready');
    const expire = () => store.campaigns.expire(new Date(0), new Date(clock.now().getTime() - day));
    assert.equal(await expire(), 0);
    pass(day + 1);
    assert.equal(await expire(), 1);
  });

  test('a missed campaign follows the do-not-contact list, and can be started until its text is deleted', async (t) => {
    const store = await temporaryStore(t);
    await scheduledCampaign(store);
    await store.campaigns.move('T1', 'sale', ['scheduled'], 'missed');
    await store.suppressionList.add('T1', [one], 'U2');
    const started = await moveSeen(store.campaigns, 'T1', 'sale', ['missed'], 'running');
    assert.deepEqual([started?.counts.recipients, started?.endedAt], [1, undefined]);
    const { claimed } = (await settleAndClaim(store, { workspaceId: 'T1', id: 'sale' }, [], 9)) ?? {};
    assert.deepEqual(
      claimed?.map(({ digits }) => digits),
      [[two.slice(1)]],
    );

    await readyCampaign(store, rows, { id: 'late' });
    await moveSeen(store.campaigns, 'T1', 'late', ['ready'], 'scheduled', { startAt });
    await store.campaigns.move('T1', 'late', ['scheduled'], 'missed');
    await store.campaigns.expire(new Date(Date.now() + 60_000), new Date(0));
    for (const to of ['running', 'scheduled', 'ready'] as const) {
      assert.equal(await moveSeen(store.campaigns, 'T1', 'late', ['missed'], to), undefined, to);
    }
  });

  test('a scheduled campaign is cancelled with its last recipient, and each change is reported', async (t) => {
    const store = await temporaryStore(t);
    await scheduledCampaign(store);
    const changed: string[] = [];
    const add = (number: string) =>
      store.suppressionList.add('T1', [number], 'U2', { onRemoved: (ids) => void changed.push(...ids) });
    await add(one);
    assert.equal((await find(store))?.state, 'scheduled');
    await add('+2348039999999');
    assert.deepEqual(changed, ['sale']);
    await add(two);
    assert.deepEqual(changed, ['sale', 'sale']);
    const { state, counts, endedAt } = (await find(store)) ?? assert.fail();
    assert.deepEqual([state, counts.recipients, counts.suppressed], ['cancelled', 0, 2]);
    assert.ok(endedAt);
    const [notice] = await dueNotices(store);
    assert.deepEqual([notice?.subject, notice?.subjectId], ['campaign', 'sale']);
  });

  test('an import takes the place of a draft at once, or of none that is a draft no longer', async (t) => {
    const store = await temporaryStore(t);
    const sale = await readyCampaign(store, rows);
    const edited = await readyCampaign(store, rows, { id: 'edited', replaces: sale });
    assert.equal(await find(store), undefined);

    const writer = await store.campaigns.begin(newCampaign({ id: 'again', replaces: edited }));
    await writer?.add(rows);
    await moveSeen(store.campaigns, 'T1', 'edited', ['ready'], 'running');
    await assert.rejects(writer?.finish() ?? assert.fail(), NoLongerDraftError);
    assert.equal((await store.campaigns.find('T1', 'again'))?.state, 'reading');
    assert.equal((await store.campaigns.find('T1', 'edited'))?.state, 'running');
  });

  test('a recipient keeps the row of the file when others of its chunk are suppressed', async (t) => {
    const store = await temporaryStore(t);
    await readyCampaign(
      store,
      [recipient(one, { cells: [one, 'Ada'] }), recipient(two, { cells: [two, 'Bola'] })],
      {
        columns: ['Phone', 'Name'],
      },
    );
    await store.suppressionList.add('T1', [one], 'U2');
    const [chunk] = await Array.fromAsync(store.campaigns.chunks('T1', 'sale', ['waiting']));
    assert.deepEqual([chunk?.to, chunk?.cells], [[two], [[two, 'Bola']]]);
  });

  test('a campaign that was found to be due stays scheduled if it was moved to another time meanwhile', async (t) => {
    const store = await temporaryStore(t);
    await scheduledCampaign(store);
    const due = await find(store);
    assert.ok(due);
    for (const [start, latest] of [
      [1, 1],
      [0, 1],
    ] as const) {
      const patch = {
        startAt: new Date(startAt.getTime() + start),
        latestStart: new Date(startAt.getTime() + latest),
      };
      await moveSeen(store.campaigns, 'T1', 'sale', ['scheduled'], 'scheduled', patch);
      assert.equal(
        await store.campaigns.move('T1', 'sale', ['scheduled'], 'running', {}, { checked: due }),
        undefined,
      );
      assert.equal(
        await store.campaigns.move('T1', 'sale', ['scheduled'], 'missed', {}, { checked: due }),
        undefined,
      );
    }
    const now = await find(store);
    assert.equal(now?.state, 'scheduled');
    const started = await store.campaigns.move('T1', 'sale', ['scheduled'], 'running', {}, { checked: now });
    assert.equal(started?.state, 'running');
  });
});
