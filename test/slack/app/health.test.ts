import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { createLog } from '../../../src/lib/log.ts';
import { healthRoutes } from '../../../src/slack/app/health.ts';
import { createHttpServer } from '../../../src/slack/app/http/server.ts';
import { StoreError } from '../../../src/store/errors.ts';

/** Asks a program that has these in reach whether it is ready; Slack is asked through `slack`. */
async function begin(
  test: TestContext,
  database: () => Promise<unknown>,
  slack: () => Promise<unknown>,
  isReceiving = () => true,
) {
  const metrics = async () => ({ contentType: 'text/plain', text: '' });
  const server = createHttpServer(
    healthRoutes({ database, slack, isReceiving, metrics }),
    createLog('silent'),
  );
  test.after(() => server.close());
  const port = await server.listen('127.0.0.1', 0);
  return async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
    return [answer.status, await answer.json()];
  };
}

const works = async () => {};
const fails = () => Promise.reject(new Error('out of reach'));

describe('whether the program is ready', () => {
  it('is yes while the database and Slack answer, and else names what does not', async (test) => {
    for (const [database, slack, status, words] of [
      [works, works, 200, { database: 'ok', slack: 'ok' }],
      [fails, works, 503, { database: 'unreachable', slack: 'ok' }],
      [works, fails, 503, { database: 'ok', slack: 'unreachable' }],
    ] as const) {
      const ready = await begin(test, database, slack);
      assert.deepEqual(await ready(), [status, words]);
    }
  });

  it('is no while the socket to Slack is not open, at once', async (test) => {
    let isOpen = true;
    const ready = await begin(test, works, works, () => isOpen);
    assert.deepEqual(await ready(), [200, { database: 'ok', slack: 'ok' }]);
    isOpen = false;
    assert.deepEqual(await ready(), [503, { database: 'ok', slack: 'unreachable' }]);
    isOpen = true;
    assert.deepEqual(await ready(), [200, { database: 'ok', slack: 'ok' }]);
  });

  it('says what is wrong with the data, where that is known', async (test) => {
    const full = () => Promise.reject(new StoreError('disk_full', 'The disk is full'));
    const ready = await begin(test, full, works);
    assert.deepEqual(await ready(), [503, { database: 'disk_full', slack: 'ok' }]);
  });

  it('is not asked of Slack and the disk each time', async (test) => {
    let asked = 0;
    const ask = async () => {
      asked += 1;
    };
    const ready = await begin(test, ask, ask);
    await ready();
    await ready();
    assert.equal(asked, 2);
  });
});
