import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import fc from 'fast-check';
import type { MachineClocks } from '../../../src/lib/time/clock.ts';
import { createSharedClocks } from '../../../src/lib/time/shared-clock.ts';
import { createTime } from '../../../src/lib/time/trusted-time.ts';
import { steppedTimers } from '../../support/stepped-timers.ts';

const start = Date.UTC(2026, 5, 1);

/** A database's clock, and what passes time for it and for every machine. */
function world() {
  const timers = steppedTimers();
  let jumped = 0;
  return {
    timers,
    read: async () => start + jumped + timers.elapsed(),
    jump(ms: number) {
      jumped += ms;
    },
    pass: (ms: number) => timers.advance(ms),
    machine({ ahead, uptime }: { ahead: number; uptime: number }) {
      const from = timers.elapsed();
      const passed = () => timers.elapsed() - from;
      let leapt = 0;
      const clocks: MachineClocks = {
        wall: () => new Date(start + ahead + leapt + passed()),
        uptime: () => uptime + passed(),
      };
      return {
        clocks,
        leap(ms: number) {
          leapt += ms;
        },
      };
    },
  };
}

async function follow(test: TestContext, { timers, read }: ReturnType<typeof world>, machine: MachineClocks) {
  const clocks = createSharedClocks(machine);
  const errors: unknown[] = [];
  const stop = await clocks.follow(read, { timers, onError: (error) => errors.push(error) });
  test.after(stop);
  return { clocks, errors };
}

describe('the clocks of instances on one database', () => {
  it('say the same, whatever the machines say and however they are set', async (test) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ ahead: fc.integer({ min: -1e9, max: 1e9 }), uptime: fc.nat(1e9) }), {
          minLength: 2,
          maxLength: 4,
        }),
        fc.array(fc.tuple(fc.nat(60_000), fc.nat(3), fc.integer({ min: -1e9, max: 1e9 })), { maxLength: 6 }),
        async (machines, steps) => {
          const shared = world();
          const all = machines.map((each) => shared.machine(each));
          const times = await Promise.all(
            all.map(async ({ clocks }) => createTime((await follow(test, shared, clocks)).clocks)),
          );
          for (const [passed, which, leap] of steps) {
            await shared.pass(passed);
            all[which % all.length]?.leap(leap);
            const expected = await shared.read();
            for (const time of times) {
              assert.ok(Math.abs(time.now().getTime() - expected) < 5);
            }
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  it('go on by the uptime while the database is away', async (test) => {
    const shared = world();
    const machine = shared.machine({ ahead: 5_000, uptime: 77 });
    let isAway = false;
    const read = () => (isAway ? Promise.reject(new Error('away')) : shared.read());
    const { clocks, errors } = await follow(test, { ...shared, read }, machine.clocks);
    isAway = true;
    await shared.pass(60_000);
    machine.leap(3_600_000);
    assert.equal(clocks.wall().getTime(), start + 60_000);
    assert.ok(errors.length > 0);
  });

  it('do not trust a jump of the database’s clock at first, and trust it once it has lasted', async (test) => {
    const shared = world();
    const { clocks } = await follow(test, shared, shared.machine({ ahead: 0, uptime: 1_000 }).clocks);
    const leaps: number[] = [];
    const time = createTime(clocks, (leap) => leaps.push(leap));
    await shared.pass(70_000);
    assert.ok(time.trustedNow());
    shared.jump(3_600_000);
    await shared.pass(10_000);
    assert.equal(time.trustedNow(), undefined);
    assert.equal(leaps.length, 1);
    for (let passed = 0; passed < 70_000; passed += 10_000) {
      await shared.pass(10_000);
      time.now();
    }
    assert.equal(time.trustedNow()?.getTime(), await shared.read());
  });
});
