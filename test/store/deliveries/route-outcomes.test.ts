import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachDatabase } from '../../support/store/databases.ts';
import { performIn } from '../../support/store/perform-in.ts';
import { recipient, runningCampaign } from '../../support/store/stored-campaigns.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';
import { stoppedClock } from '../../support/time/test-clock.ts';

const workspaceId = 'T1';
const hour = 60 * 60_000;
const number = (index: number) => `+23480312345${String(index).padStart(2, '0')}`;

forEachDatabase(() => {
  test('outcomes are counted by the route of their message or campaign, and by when they came', async (t) => {
    const { clock, pass } = stoppedClock();
    const store = await temporaryStore(t, { time: clock });
    const { db, deliveries, ledger } = store;
    const from = clock.now();
    const report = (providerId: string, index: number, status: string) =>
      deliveries.record(workspaceId, [{ providerId, number: number(index), status, source: 'report' }]);
    for (const [key, route] of [
      ['m1', 'dnd'],
      ['m2', 'generic'],
    ] as const) {
      const numbers = [number(1), number(2), number(3)];
      const intent = { workspaceId, key, kind: 'sms.send', userId: 'U1', summary: { route }, numbers };
      await performIn(ledger, intent, async () => ({ state: 'accepted', providerId: key }));
    }
    await report('m1', 1, 'DND Active on Phone Number');
    pass(hour);
    const between = clock.now();
    pass(1);
    await report('m1', 2, 'Delivered');
    await report('m1', 3, 'Failed');
    await report('m2', 1, 'Delivered');
    await report('m2', 2, 'Sent');
    await report('unknown', 1, 'Failed');
    const { sequence } = await runningCampaign(store, [recipient(number(4))], {
      workspaceId,
      route: 'generic',
    });
    await report('m3', 4, 'Expired');
    await db.updateTable('delivery').set({ campaign: sequence }).where('providerId', '=', 'm3').execute();

    const read = async (begin: Date, until: Date) =>
      [...(await deliveries.byRoute({ workspaceId, from: begin, until }))].sort();
    assert.deepEqual(await read(between, clock.now()), [
      ['dnd', { failed: 1, all: 2 }],
      ['generic', { failed: 1, all: 2 }],
    ]);
    assert.deepEqual(await read(new Date(from.getTime() - 1), between), [['dnd', { failed: 1, all: 1 }]]);
    assert.deepEqual([...(await deliveries.byRoute({ workspaceId: 'T2', from, until: clock.now() }))], []);
  });
});
