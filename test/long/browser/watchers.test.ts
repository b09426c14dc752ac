import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { addDays } from 'date-fns/addDays';
import type { Browser } from 'playwright-core';
import { freePort, startSandbox } from '../../../sandbox/sandbox.ts';
import { openStateFolder } from '../../../sandbox/state-folder.ts';
import { clockIn, momentOf } from '../../../src/domain/time/start-time.ts';
import { openBrowser } from '../../support/browser/chromium.ts';
import { openPage } from '../../support/browser/page-user.ts';
import { profileEnv } from '../../support/provider/profile-file.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let browser: Browser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

// Removed after the sandbox has stopped, which saves what it knows.
const folder = temporaryFolder({ after });

it('an admin has the balance watched, mutes the notice and unmutes it, and reads the digest', async (t) => {
  const app = await freePort(0, '127.0.0.1');
  const sandbox = await startSandbox({
    folder: await openStateFolder(join(folder, 'state')),
    transport: 'http',
    ports: { page: 0, provider: 0, app },
    clockOffsetMs: untilBeforeNine(),
    settings: profileEnv({ balancePath: '/api/get-balance', currency: 'NGN' }),
  });
  t.after(() => sandbox.stop());
  const { provider } = sandbox;
  const user = await openPage(browser, sandbox.url);
  t.after(() => user.page.context().close());
  // The program looks each minute.
  const waits = { timeout: 200_000 };
  const inMessages = (words: string | RegExp) =>
    user.page.getByRole('log').getByText(words).last().waitFor(waits);

  await user.be('Grace Bello');
  await user.types('/switchboard ');
  await user.fills('API key', provider.account.key);
  await user.presses('Connect');
  await user.sees('Connected');
  provider.setBalance(4_000);
  await user.presses('Change alerts');
  await user.page.getByRole('checkbox', { name: 'Post alerts to a channel' }).check();
  await user.picks('Channel', 'support');
  await user.fills('Balance below', '5,000');
  await user.presses('Save');
  await user.sees('Saved.');
  await user.leaves('Close this window');
  await inMessages('Balance below ₦5,000:');
  await user.presses('Mute this alert');
  await inMessages(/Muted by/);
  await user.presses('Unmute this alert');
  await user.page
    .getByRole('log')
    .getByRole('button', { name: 'Mute this alert', exact: true })
    .last()
    .waitFor(waits);
  await inMessages('Daily digest');
  await inMessages(/Daily digest:.* [0-9]+ open, 0 closed/);
});

/** Grace’s clock. The digest of a day whose hour has passed is that of the next one, so the clocks begin soon before it. */
const zone = 'Europe/London';

function untilBeforeNine(): number {
  const now = new Date();
  const on = (from: Date) => momentOf(clockIn(from, zone).date, '08:58', zone);
  const today = on(now);
  return (today > now ? today : on(addDays(now, 1))).getTime() - now.getTime();
}
