import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { createTime } from '../../../src/lib/time/trusted-time.ts';
import { createCodeVault } from '../../../src/services/otp/code-vault.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';
import { stoppedClock } from '../../support/time/test-clock.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/** A code that is good for five minutes, and the program that made it, which has run for a day. */
async function begin(test: TestContext) {
  const { clock, pass, leap, reboot } = stoppedClock();
  let time = createTime(clock);
  const { keyv } = await temporaryStore(test, { time });
  const start = () => createCodeVault({ keyv, clock: () => time.now(), elapsed: () => time.elapsed() });
  pass(day);
  time.now();
  let codes = start();
  const code = await codes.create('T1', 'one', { userId: 'U1', length: 6, minutes: 5, attempts: 3 });
  return {
    pass,
    leap,
    reboot,
    restart() {
      time = createTime(clock);
      codes = start();
    },
    verify: async () => (await codes.verify('T1', 'one', 'U1', code.reveal())).kind,
  };
}

describe('a code', () => {
  it('is good for its time, and not a moment longer', async (test) => {
    const { pass, verify } = await begin(test);
    pass(5 * minute);
    assert.equal(await verify(), 'expired');
    pass(-1);
    assert.equal(await verify(), 'match');
  });

  it('is good while the clock leaps ahead for a moment', async (test) => {
    const { leap, verify } = await begin(test);
    leap(day);
    assert.equal(await verify(), 'match');
  });

  for (const far of [10 * minute, day]) {
    it(`does not live longer by a clock that is set back ${far / minute} minutes, at once, later, or over a restart`, async (test) => {
      const { pass, leap, restart, reboot, verify } = await begin(test);
      leap(-far);
      pass(5 * minute);
      assert.equal(await verify(), 'expired');
      pass(5 * minute);
      assert.equal(await verify(), 'expired');
      restart();
      assert.equal(await verify(), 'expired');
      if (far < day) {
        return;
      }
      reboot();
      restart();
      assert.equal(await verify(), 'expired');
    });
  }
});
