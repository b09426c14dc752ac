import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { RequestQuota } from '../../../src/services/campaigns/sending/workspace-quota.ts';
import { WorkspaceQuota } from '../../../src/services/campaigns/sending/workspace-quota.ts';
import { rounds } from '../../support/sizes.ts';
import { type SteppedTimers, steppedTimers } from '../../support/stepped-timers.ts';

const settled = () => new Promise(setImmediate);

function workspaceOf(count: number, maxRequests: number) {
  const timers = steppedTimers();
  const workspace = new WorkspaceQuota(maxRequests, timers);
  const ids = Array.from({ length: count }, (_, index) => `c${index}`);
  for (const id of ids) {
    workspace.add(id);
  }
  return { timers, workspace, quotas: ids.map((id) => workspace.of(id)) };
}

/** Enqueues each; the list gets the index of each whose turn it is. */
function lineUp(quotas: readonly RequestQuota[]): number[] {
  const came: number[] = [];
  for (const [index, quota] of quotas.entries()) {
    void quota.enqueue().entered.then(() => came.push(index));
  }
  return came;
}

test('campaigns that wait for the pace have their turns one after the other, the next once the pace allows it', async () => {
  const { timers, quotas } = workspaceOf(3, 12);
  assert.equal(quotas[0]?.isScarce(), false);
  quotas[0]?.turnEnded({ started: 0, waitMs: 100 });
  assert.equal(quotas[0]?.isScarce(), true);
  const came = lineUp(quotas);
  await timers.advance(99);
  assert.deepEqual(came, []);
  await timers.advance(1);
  assert.deepEqual(came, [0]);
  assert.deepEqual(
    quotas.map((quota) => quota.available({ inFlight: 0, ended: 0 }) > 0),
    [true, false, false],
    'the others wait for their turn',
  );
  await timers.advance(10_000);
  assert.deepEqual(came, [0], 'its turn has not ended');
  quotas[0]?.turnEnded({ started: 1, waitMs: 50 });
  await timers.advance(49);
  assert.deepEqual(came, [0]);
  await timers.advance(1);
  assert.deepEqual(came, [0, 1]);
  // Its turn failed, so the pace is not known.
  quotas[1]?.turnEnded({ started: 0, waitMs: undefined });
  await settled();
  assert.deepEqual(came, [0, 1, 2]);
});

test('a free request goes to the campaign that has waited longest since its last one, and to no more than it is for', async () => {
  const { quotas } = workspaceOf(4, 2);
  const [first, second] = quotas;
  for (const quota of [first, second]) {
    quota?.reserve(1);
    quota?.turnEnded({ started: 1, waitMs: 0 });
  }
  const came = lineUp(quotas);
  await settled();
  assert.deepEqual(came, []);
  first?.release(1);
  await settled();
  assert.deepEqual(came, [2]);
  quotas[2]?.reserve(1);
  quotas[2]?.turnEnded({ started: 1, waitMs: 0 });
  second?.release(1);
  await settled();
  assert.deepEqual(came, [2, 3]);
});

test('a request counts until its ending is stored, but not for the turn that stores it', async () => {
  const { quotas } = workspaceOf(2, 1);
  const [first, second] = quotas;
  first?.reserve(1);
  first?.turnEnded({ started: 1, waitMs: 0 });
  assert.equal(second?.available({ inFlight: 0, ended: 0 }), 0);
  assert.equal(first?.available({ inFlight: 0, ended: 1 }), 1);
  const came = lineUp([second].filter((quota) => quota !== undefined));
  await settled();
  assert.deepEqual(came, []);
  first?.release(1);
  await settled();
  assert.deepEqual(came, [0]);
});

test('a campaign that ends in its turn, or leaves the line, holds nobody up', async () => {
  const { timers, workspace, quotas } = workspaceOf(3, 3);
  quotas[0]?.turnEnded({ started: 0, waitMs: 10 });
  const came = lineUp(quotas.slice(0, 1));
  const turn = quotas[1]?.enqueue();
  const others = lineUp(quotas.slice(2));
  await timers.advance(10);
  assert.deepEqual([came, others], [[0], []]);
  turn?.leave();
  workspace.remove('c0');
  await settled();
  assert.deepEqual([came, others], [[0], [0]]);
  workspace.remove('c1');
  workspace.remove('c2');
  assert.equal(timers.pending(), 0);
});

test('however long requests take, none are in flight beyond the limit, and each campaign sends its chunks', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        maxRequests: fc.integer({ min: 1, max: 5 }),
        chunks: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 8 }),
        paceMs: fc.constantFrom(0, 7),
        requestMs: fc.infiniteStream(fc.integer({ min: 1, max: 40 })),
      }),
      async ({ maxRequests, chunks, paceMs, requestMs }) => {
        const { timers, workspace, quotas } = workspaceOf(chunks.length, maxRequests);
        let inFlight = 0;
        let most = 0;
        let allowedAt = 0;
        const sent = chunks.map(() => 0);
        const campaigns = quotas.map(async (quota, index) => {
          while ((sent[index] ?? 0) < (chunks[index] ?? 0)) {
            if (quota.isScarce()) {
              await quota.enqueue().entered;
            }
            const isAllowed = timers.elapsed() >= allowedAt;
            const reserved = Math.min(1, quota.available({ inFlight: 0, ended: 0 }));
            quota.reserve(reserved);
            await settled();
            const started = isAllowed ? reserved : 0;
            allowedAt = started > 0 ? timers.elapsed() + paceMs : allowedAt;
            quota.release(reserved - started);
            quota.turnEnded({ started, waitMs: Math.max(0, allowedAt - timers.elapsed()) });
            if (started > 0) {
              inFlight += 1;
              most = Math.max(most, inFlight);
              await timers.sleep(requestMs.next().value ?? 1);
              inFlight -= 1;
              quota.release(1);
              sent[index] = (sent[index] ?? 0) + 1;
            } else {
              await timers.sleep(1);
            }
          }
          workspace.remove(`c${index}`);
        });
        await passUntil(timers, Promise.all(campaigns));
        assert.deepEqual(sent, chunks);
        assert.ok(most <= maxRequests, `${most} in flight`);
      },
    ),
    { numRuns: rounds(100) },
  );
});

/** Lets time pass until the work is done: a minute at most. */
async function passUntil(timers: SteppedTimers, work: Promise<unknown>): Promise<void> {
  let isDone = false;
  void work.finally(() => {
    isDone = true;
  });
  for (let passed = 0; !isDone && passed < 5_000; passed += 5) {
    await timers.advance(5);
    await settled();
  }
  assert.ok(isDone, 'somebody waits for ever');
  await work;
}
