import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startTestApp } from '../support/app/test-app.ts';
import { compose, provided, recipients, start } from '../support/campaigns.ts';
import { steppedTimers } from '../support/stepped-timers.ts';
import { stoppedClock } from '../support/time/test-clock.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

describe('a start after a reboot', () => {
  it('deletes nothing while the clock is 40 days ahead', async (test) => {
    const { clock, leap, reboot } = stoppedClock();
    const { ada, provider, connect, startApp, stopApp } = await startTestApp(test, { clock });
    await connect();
    await compose(ada, { pasted: recipients(2).join(' ') });
    await ada.seesModal('Campaign review');
    await stopApp();
    reboot();
    leap(40 * day);
    await startApp();
    // Stopping waits for the deletions that the start began.
    await stopApp();
    leap(-40 * day);
    await startApp();
    await start(ada);
    await provided(provider, 2);
  });

  it('deletes expired data after 40 days, once the clock has run steadily for a day', async (test) => {
    const timers = steppedTimers({ from: 60_000 });
    const { clock, pass, reboot } = stoppedClock();
    const { ada, provider, connect, restart } = await startTestApp(test, { clock, timers });
    await connect();
    await compose(ada, { pasted: recipients(2).join(' ') });
    await ada.seesModal('Campaign review');
    pass(40 * day);
    reboot();
    await restart();
    pass(day);
    await timers.advance(minute);
    await restart();
    await start(ada);
    await ada.seesTrouble('This preview is gone');
    assert.equal(provider.record.length, 0);
  });
});
