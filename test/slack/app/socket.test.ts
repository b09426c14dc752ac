import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLog } from '../../../src/lib/log.ts';
import { systemTimers, type Timers } from '../../../src/lib/time/timers.ts';
import { reconnectingSocket } from '../../../src/slack/app/socket.ts';

/** A socket that is open already; `refusals` is how often it then fails to open. */
async function begin(refusals = 0) {
  const lines: string[] = [];
  const waited: number[] = [];
  let now = 0;
  let left = 0;
  const closing = new AbortController();
  const timers: Timers = {
    ...systemTimers,
    async sleep(ms) {
      assert.equal(socket.isOpen(), false, 'while it waits');
      waited.push(ms);
      now += ms;
    },
  };
  async function connect() {
    if (left > 0) {
      left -= 1;
      throw new Error('refused');
    }
  }
  const socket = reconnectingSocket(
    {
      time: { now: () => new Date(), elapsed: () => now },
      timers,
      log: createLog('info', { write: (line) => lines.push(line) }),
    },
    connect,
    closing.signal,
  );
  assert.equal(socket.isOpen(), false);
  await socket.open();
  assert.equal(socket.isOpen(), true);
  left = refusals;
  return {
    socket,
    closing,
    lines,
    waited,
    pass(ms: number) {
      now += ms;
    },
  };
}

describe('a socket that is lost', () => {
  it('is reopened at once if it had lasted, with a log line for each', async () => {
    const { socket, lines, waited, pass } = await begin();
    pass(5_000);
    await socket.reconnect();
    assert.equal(socket.isOpen(), true);
    assert.deepEqual(waited, []);
    assert.match(lines.join('\n'), /was lost[\s\S]*is open again/);
  });

  it('is reopened after a growing pause if it is lost as soon as it is open', async () => {
    const { socket, waited, pass } = await begin();
    for (let round = 0; round < 9; round += 1) {
      await socket.reconnect();
    }
    assert.deepEqual(waited, [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
    pass(5_000);
    await socket.reconnect();
    await socket.reconnect();
    assert.equal(waited.at(-1), 500, 'it had lasted');
  });

  it('is not open while it fails to open, and is retried after a growing pause', async () => {
    const { socket, waited, lines, pass } = await begin(3);
    pass(5_000);
    const [reconnecting] = [socket.reconnect(), socket.reconnect()];
    assert.equal(socket.isOpen(), false);
    await reconnecting;
    assert.equal(socket.isOpen(), true);
    assert.deepEqual(waited, [500, 1_000, 2_000]);
    assert.equal(lines.filter((line) => line.includes('could not be reopened yet')).length, 3);
  });

  it('stays closed when the program stops', async () => {
    const { socket, closing, waited } = await begin();
    closing.abort();
    await socket.reconnect();
    assert.deepEqual(waited, []);
  });
});
