import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { App } from '@slack/bolt';
import { createLog } from '../../src/log.ts';
import { createOverload } from '../../src/slack/overload.ts';
import { slackLog } from '../../src/slack/slack-log.ts';

/** Bolt with a command that is at work until the test lets it end, and an event loop as late as the test says. */
function begin() {
  let say = (_delayMs: number, _atMs: number) => {};
  const shed: string[] = [];
  const overload = createOverload(
    (report) => {
      say = report;
      return () => {};
    },
    (kind) => shed.push(kind),
  );
  const release = Promise.withResolvers<void>();
  const app = new App({
    receiver: { init: () => {}, start: async () => {}, stop: async () => {} },
    authorize: async () => ({ botToken: 'xoxb-none', botId: 'B0', botUserId: 'U0' }),
    convoStore: false,
    logger: slackLog(createLog('silent')),
  });
  app.use(overload.shed);
  app.command('/work', async ({ ack }) => {
    await ack('at work');
    await release.promise;
  });
  /** Gives the acknowledgement. */
  const command = () =>
    new Promise<string>((resolve) => {
      const body = { command: '/work', team_id: 'T0', user_id: 'U1', channel_id: 'C0' };
      void app.processEvent({
        body,
        ack: async (answer) => resolve(typeof answer === 'string' ? answer : JSON.stringify(answer)),
      });
    });
  return {
    command,
    release: release.resolve,
    shed,
    samples: (...samples: [delayMs: number, atMs: number][]) => {
      for (const [delayMs, atMs] of samples) say(delayMs, atMs);
    },
  };
}

describe('overload', () => {
  it('is when the event loop has been late for a second, and is late still', async () => {
    const { command, samples, shed } = begin();
    samples([600, 0], [700, 900]);
    assert.equal(await command(), 'at work');
    samples([501, 1_000]);
    assert.match(await command(), /very busy/);
    samples([500, 1_100]);
    assert.equal(await command(), 'at work');
    assert.deepEqual(shed, ['command']);
  });

  it('is seen sooner until the event loop has been on time for a second', async () => {
    const { command, samples } = begin();
    samples([600, 0], [600, 1_000], [0, 1_100], [600, 1_200]);
    assert.match(await command(), /very busy/);
    samples([0, 1_300], [0, 2_300], [600, 2_400]);
    assert.equal(await command(), 'at work');
  });

  it('is not one piece of work that blocks for long', async () => {
    const { command, samples } = begin();
    samples([0, 0], [20_000, 20_000], [0, 20_050], [20_000, 40_050], [0, 40_100]);
    assert.equal(await command(), 'at work');
  });

  it('is when 500 requests are under way', async () => {
    const { command, release, shed } = begin();
    for (let count = 0; count < 500; count += 1) {
      assert.equal(await command(), 'at work');
    }
    assert.match(await command(), /very busy/);
    release();
    await new Promise(setImmediate);
    assert.equal(await command(), 'at work');
    assert.deepEqual(shed, ['command']);
  });
});
