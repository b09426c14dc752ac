import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { createLog } from '../../src/lib/log.ts';
import { systemTimers } from '../../src/lib/time/timers.ts';
import { StoreError } from '../../src/store/engine/errors.ts';
import { healthRoutes, type ProgramPhase } from '../../src/web/health.ts';
import { createHttpServer } from '../../src/web/server.ts';

/** Asks a program with this database and this Slack whether it is ready. */
async function begin(
  test: TestContext,
  database: () => Promise<unknown>,
  slack: () => Promise<unknown>,
  isReceiving = () => true,
  phase: () => ProgramPhase = () => 'running',
) {
  let now = 0;
  const server = createHttpServer({
    routes: healthRoutes({ database, slack, isReceiving, phase, elapsed: () => now }),
    log: createLog('silent'),
    timers: systemTimers,
  });
  test.after(() => server.close());
  const port = await server.listen('127.0.0.1', 0);
  return {
    async ready() {
      const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
      return [answer.status, await answer.json()];
    },
    pass(ms: number) {
      now += ms;
    },
  };
}

const works = async () => {};
const fails = () => Promise.reject(new Error('out of reach'));

describe('/readyz', () => {
  it('answers 200 while the database and Slack answer, and else names what does not', async (test) => {
    for (const [database, slack, status, parts] of [
      [works, works, 200, { database: 'ok', slack: 'ok' }],
      [fails, works, 503, { database: 'unreachable', slack: 'ok' }],
      [works, fails, 503, { database: 'ok', slack: 'unreachable' }],
    ] as const) {
      const { ready } = await begin(test, database, slack);
      assert.deepEqual(await ready(), [status, parts]);
    }
  });

  it('answers 503 as soon as the socket to Slack is not open', async (test) => {
    let isOpen = true;
    const { ready } = await begin(test, works, works, () => isOpen);
    assert.deepEqual(await ready(), [200, { database: 'ok', slack: 'ok' }]);
    isOpen = false;
    assert.deepEqual(await ready(), [503, { database: 'ok', slack: 'unreachable' }]);
    isOpen = true;
    assert.deepEqual(await ready(), [200, { database: 'ok', slack: 'ok' }]);
  });

  it('answers 503 until the program has started, and once it stops', async (test) => {
    let phase: ProgramPhase = 'starting';
    const { ready } = await begin(
      test,
      works,
      works,
      () => true,
      () => phase,
    );
    assert.deepEqual(await ready(), [503, { database: 'ok', slack: 'ok', program: 'starting' }]);
    phase = 'running';
    assert.deepEqual(await ready(), [200, { database: 'ok', slack: 'ok' }]);
    phase = 'stopping';
    assert.deepEqual(await ready(), [503, { database: 'ok', slack: 'ok', program: 'stopping' }]);
  });

  it('names the fault of the data, if that is known', async (test) => {
    const full = () => Promise.reject(new StoreError('disk_full', 'The disk is full'));
    const { ready } = await begin(test, full, works);
    assert.deepEqual(await ready(), [503, { database: 'disk_full', slack: 'ok' }]);
  });

  it('asks the database at most once a second, and Slack once in ten', async (test) => {
    const asked = { database: 0, slack: 0 };
    const { ready, pass } = await begin(
      test,
      async () => {
        asked.database += 1;
      },
      async () => {
        asked.slack += 1;
      },
    );
    await ready();
    pass(1_000);
    await ready();
    assert.deepEqual(asked, { database: 1, slack: 1 });
    pass(1);
    await ready();
    assert.deepEqual(asked, { database: 2, slack: 1 });
    pass(9_000);
    await ready();
    assert.deepEqual(asked, { database: 3, slack: 2 });
  });
});
