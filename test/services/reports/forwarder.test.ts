import assert from 'node:assert/strict';
import { it } from 'node:test';
import { systemTimers } from '../../../src/lib/time/timers.ts';
import { createForwardClient } from '../../../src/services/reports/forward-client.ts';
import { createForwarder } from '../../../src/services/reports/forwarder.ts';
import { startForwardTarget } from '../../support/reports/forward-target.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';

const rules = { hosts: ['127.0.0.1'], allowsLoopback: true };
const request = { body: Buffer.from('{}'), signature: 'ab', contentType: undefined };

it('does not let the address of one workspace hold up another’s, and drops what an address refused for a day', async (test) => {
  const { reportForwards: store } = await temporaryStore(test);
  const [silent, refusing, good] = [
    await startForwardTarget(test, () => undefined),
    await startForwardTarget(test, () => 503),
    await startForwardTarget(test),
  ];
  const counts = { delivered: 0, failed: 0, dropped: 0 };
  const settled = Promise.withResolvers<void>();
  let now = new Date();
  const forwarder = createForwarder({
    store,
    client: createForwardClient({
      header: 'x-signature',
      allowsLoopback: true,
      proxy: undefined,
      timers: systemTimers,
    }),
    rules,
    time: { trustedForDeletion: () => now },
    timers: systemTimers,
    report: (error) => assert.fail(String(error)),
    count(outcome, requests) {
      counts[outcome] += requests;
      if (counts.delivered === 40 && counts.failed + counts.dropped === 2) {
        settled.resolve();
      }
    },
  });
  for (const [workspaceId, { url }] of [
    ['T1', silent],
    ['T2', refusing],
    ['T3', good],
  ] as const) {
    await store.save(workspaceId, url, 'U1');
  }
  await store.add('T1', request);
  await store.add('T2', request);
  await store.add('T2', request);
  await Promise.all(Array.from({ length: 40 }, () => store.add('T3', request)));
  await forwarder.look();
  await good.has(40);
  await refusing.has(2);
  await settled.promise;
  assert.equal((await store.find('T2'))?.failed?.reason, 'status_503');
  assert.deepEqual([silent.taken.length, (await store.find('T1'))?.waiting], [1, 1]);
  // A day later.
  now = new Date(now.getTime() + 25 * 60 * 60_000);
  await store.save('T2', refusing.url, 'U1');
  await forwarder.look();
  while ((await store.find('T2'))?.waiting !== 0) {
    await systemTimers.sleep(5);
  }
  assert.equal((await store.find('T2'))?.dropped?.requests, 2);
  await forwarder.stop();
});

it('connects to no private network, wherever a name leads', async (test) => {
  const target = await startForwardTarget(test);
  const client = createForwardClient({
    header: 'x-signature',
    allowsLoopback: false,
    proxy: undefined,
    timers: systemTimers,
  });
  test.after(() => client.close());
  const url = new URL(target.url);
  url.hostname = 'localhost';
  assert.equal(await client.send(url, request, new AbortController().signal), 'private_address');
  assert.equal(target.taken.length, 0);
});
