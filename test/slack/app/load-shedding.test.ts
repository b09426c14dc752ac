import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { App } from '@slack/bolt';
import { createLog } from '../../../src/lib/log.ts';
import { createBoltLogger } from '../../../src/slack/app/bolt-app.ts';
import { createLoadShedder } from '../../../src/slack/app/load-shedding.ts';

/** Bolt with a command that works until the test releases it, and an event loop as late as the test says. */
function begin() {
  let reportDelay = (_delayMs: number, _atMs: number) => {};
  const shed: string[] = [];
  let now = 0;
  const loadShedder = createLoadShedder(
    {
      now: () => now,
      watchDelay(report) {
        reportDelay = report;
        return () => {};
      },
    },
    (kind) => shed.push(kind),
  );
  const release = Promise.withResolvers<void>();
  const app = new App({
    receiver: { init: () => {}, start: async () => {}, stop: async () => {} },
    authorize: async () => ({ botToken: 'xoxb-none', botId: 'B0', botUserId: 'U0' }),
    convoStore: false,
    logger: createBoltLogger(createLog('silent')),
  });
  app.use(loadShedder.shed);
  app.command('/work', async ({ ack }) => {
    await ack('at work');
    await release.promise;
  });
  /** Resolves with the acknowledgement. */
  const command = (sentAt?: number) =>
    new Promise<string>((resolve) => {
      const body = { command: '/work', team_id: 'T0', user_id: 'U1', channel_id: 'C0' };
      void app.processEvent({
        body,
        customProperties: { sentAt },
        ack: async (answer) => resolve(typeof answer === 'string' ? answer : JSON.stringify(answer)),
      });
    });
  return {
    command,
    at: (milliseconds: number) => {
      now = milliseconds;
    },
    release: release.resolve,
    shed,
    samples: (...samples: [delayMs: number, atMs: number][]) => {
      for (const [delayMs, atMs] of samples) {
        reportDelay(delayMs, atMs);
      }
    },
  };
}

describe('overload', () => {
  it('begins when the event loop has been late for a second, and still is', async () => {
    const { command, samples, shed } = begin();
    samples([600, 0], [700, 900]);
    assert.equal(await command(), 'at work');
    samples([501, 1_000]);
    assert.match(await command(), /too busy/);
    samples([500, 1_100]);
    assert.equal(await command(), 'at work');
    assert.deepEqual(shed, ['command']);
  });

  it('begins sooner again until the event loop has been on time for a second', async () => {
    const { command, samples } = begin();
    samples([600, 0], [600, 1_000], [0, 1_100], [600, 1_200]);
    assert.match(await command(), /too busy/);
    samples([0, 1_300], [0, 2_300], [600, 2_400]);
    assert.equal(await command(), 'at work');
  });

  it('does not begin with one piece of work that blocks for long', async () => {
    const { command, samples } = begin();
    samples([0, 0], [20_000, 20_000], [0, 20_050], [20_000, 40_050], [0, 40_100]);
    assert.equal(await command(), 'at work');
  });

  it('begins when a request arrives late, by a clock that may differ from Slack’s', async () => {
    const { command, at, shed } = begin();
    at(0);
    for (let count = 0; count < 30; count += 1) {
      assert.equal(await command(1_000_000), 'at work');
    }
    at(12_000);
    assert.equal(await command(1_000_010), 'at work', '2 s late, of which one may be Slack’s rounding');
    at(12_001);
    assert.match(await command(1_000_010), /too busy/);
    assert.equal(await command(1_000_011), 'at work');
    assert.equal(await command(1_000_500), 'at work', 'Slack’s clock was put forward');
    assert.deepEqual(shed, ['command']);
  });

  it('does not begin when a request arrives late at an idle program', async () => {
    const { command, at } = begin();
    at(0);
    assert.equal(await command(1_000_000), 'at work');
    at(60_000);
    assert.equal(await command(1_000_000), 'at work');
  });

  it('does not mistake a drifting clock for late requests', async () => {
    const { command, at } = begin();
    for (let hour = 0; hour < 100; hour += 1) {
      at(hour * 3_600_001 + hour * 500);
      assert.equal(await command(hour * 3_600), 'at work', `after ${hour} h`);
    }
  });

  it('begins with 300 requests in flight', async () => {
    const { command, release, shed } = begin();
    for (let count = 0; count < 300; count += 1) {
      assert.equal(await command(), 'at work');
    }
    assert.match(await command(), /too busy/);
    release();
    await new Promise(setImmediate);
    assert.equal(await command(), 'at work');
    assert.deepEqual(shed, ['command']);
  });
});
