import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compose, provided, recipients, start } from '../support/campaigns.ts';
import { steppedTimers } from '../support/stepped-timers.ts';
import { stoppedClock } from '../support/stopped-clock.ts';
import { startWorkbench } from '../support/workbench.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

describe('a start of the machine', () => {
  it('with the clock 40 days ahead deletes nothing', async (test) => {
    const { clock, leap, reboot } = stoppedClock();
    const { ada, provider, connect, startApp, stopApp } = await startWorkbench(test, { clock });
    await connect();
    await compose(ada, { pasted: recipients(2).join(' ') });
    await ada.seesModal('Send to these?');
    await stopApp();
    reboot();
    leap(40 * day);
    await startApp();
    // It stops once what it has begun is done: what was to be deleted at the start is.
    await stopApp();
    leap(-40 * day);
    await startApp();
    await start(ada);
    await provided(provider, 2);
  });

  it('after 40 days deletes what is past its time, once the clock has kept step for a day', async (test) => {
    const timers = steppedTimers({ from: 60_000 });
    const { clock, pass, reboot } = stoppedClock();
    const { ada, provider, connect, restart } = await startWorkbench(test, { clock, timers });
    await connect();
    await compose(ada, { pasted: recipients(2).join(' ') });
    await ada.seesModal('Send to these?');
    pass(40 * day);
    reboot();
    await restart();
    pass(day);
    await timers.advance(minute);
    await restart();
    await start(ada);
    await ada.seesTrouble('not there any more');
    assert.equal(provider.record.length, 0);
  });
});
