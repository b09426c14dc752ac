import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { magicNumbers } from '../../../sandbox/provider/faults/magic-numbers.ts';
import { type Sandbox, startSandbox } from '../../../sandbox/sandbox.ts';
import { openStateFolder } from '../../../sandbox/state-folder.ts';
import { openBrowser } from '../../support/browser/chromium.ts';
import { type Desk, sitDown } from '../../support/browser/page-user.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let browser: Browser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

/** Returns the milliseconds until it is next `hour` o'clock in Lagos, which is UTC+1 all year. */
function aheadTo(hour: number): number {
  const now = new Date();
  const then = new Date(now);
  then.setUTCHours(hour - 1, 0, 0, 0);
  // Never negative: a request signed in the past would be refused as too old.
  return (then.getTime() - now.getTime() + 86_400_000) % 86_400_000;
}

for (const transport of ['http', 'socket'] as const) {
  describe(`messages in the sandbox page, over ${transport}`, () => {
    let sandbox: Sandbox;
    let desk: Desk;

    const start = async (hour: number) => {
      sandbox = await startSandbox({
        folder: await openStateFolder(join(folder, 'state')),
        transport,
        clockOffsetMs: aheadTo(hour),
        settings: { PROVIDER_HEADERS_TIMEOUT_MS: '1000' },
      });
      desk = await sitDown(browser, sandbox.url);
    };
    const stop = async () => {
      await desk.page.context().close();
      await sandbox.stop();
    };
    before(() => start(12));
    after(stop);
    // Registered after `stop`: the sandbox still writes there while it stops.
    const folder = temporaryFolder({ after });

    it('connect the provider first: the error of a wrong key is beside the field', async () => {
      await desk.be('Grace Bello');
      await desk.types('/switchboard ');
      await desk.fills('API key', 'sandbox-key-that-is-wrong');
      await desk.presses('Connect');
      const field = desk.modal('Connect the provider').getByRole('textbox', { name: 'API key' });
      await desk.sees('The provider does not know this key');
      assert.equal(await field.getAttribute('aria-invalid'), 'true');
      await desk.fills('API key', sandbox.provider.account.key);
      await desk.presses('Connect');
      await desk.sees('Connected');
      await desk.picks('Sender ID', 'PalmMarket');
      await desk.presses('Save');
      await desk.sees('Saved.');
      await desk.leaves('Close');
      await desk.be('Ada Obi');
    });

    it('go to three numbers, after an invalid one was named beside the field', async () => {
      await desk.types('/sms ');
      await desk.fills('To', '+2348031234567, 08051234567 12345');
      await desk.fills('Message', 'Your order {A7} is on its way');
      await desk.sees('70 to a page because of { }');
      await desk.presses('Review');
      await desk.sees('“12345” is too short for Nigeria.');
      await desk.fills('To', '+2348031234567, 08051234567 0802 765 4321');
      await desk.presses('Review');
      await desk.sees('3 recipients, 3 pages');
      await desk.presses('Send anyway');
      await desk.modal('Sent').waitFor();
      await desk.leaves('Close');
      assert.deepEqual(sandbox.provider.record.at(-1)?.to, [
        '2348031234567',
        '2348051234567',
        '2348027654321',
      ]);
    });

    it('go on each route, once on a double click', async () => {
      for (const [route, channel] of [
        ['DND', 'dnd'],
        ['Generic', 'generic'],
        ['Chat app', 'chatapp'],
        ['Voice', 'voice'],
      ] as const) {
        const before = sandbox.provider.record.length;
        await desk.types('/sms +2348051234568');
        await desk.marks(route);
        if (route === 'Chat app') {
          await desk.fills('Device', 'Front desk');
        }
        await desk.fills('Message', 'Good morning');
        await desk.presses('Review');
        await desk.modal('Send this?').getByRole('button', { name: 'Send', exact: true }).dblclick();
        await desk.modal('Sent').waitFor();
        await desk.leaves('Close');
        assert.deepEqual(
          sandbox.provider.record.slice(before).map((message) => message.channel),
          [channel],
        );
      }
    });

    it('warn of Do-Not-Disturb on the generic route', async () => {
      await desk.types('/sms +2348051234567');
      await desk.marks('Generic');
      await desk.fills('Message', 'Sale today');
      await desk.presses('Review');
      await desk.sees('will not get this on the generic route');
      await desk.leaves('Cancel');
    });

    it('stay after a reload: a check of five numbers', async () => {
      await desk.types('/dnd-check +2348031234567 08051234568, 08021234567 08091234568 0803 765 4321');
      await desk.sees('5 numbers: 2 on Do-Not-Disturb, 3 not');
      await desk.page.reload();
      await desk.sees('5 numbers: 2 on Do-Not-Disturb, 3 not');
    });

    it('go once on a double click in the preview of the short form', async () => {
      const before = sandbox.provider.record.length;
      await desk.types('/sms 0803 123 4568 Hello from the counter');
      await desk.sees('1 recipient, 1 page');
      await desk.page.getByRole('button', { name: 'Send', exact: true }).last().dblclick();
      await desk.sees('The provider accepted the message');
      assert.equal(sandbox.provider.record.length, before + 1);
    });

    // The transport plays no part here; test/journeys/provider-faults.test.ts covers both.
    if (transport === 'http') {
      it('say at each fault of the provider whether anything was sent', async () => {
        for (const { number } of magicNumbers) {
          await desk.types(`/sms ${number}`);
          await desk.fills('Message', 'Hello');
          await desk.presses('Review');
          await desk.presses('Send');
          const outcome = desk.modal('Not sent').or(desk.modal('Not confirmed'));
          await outcome.waitFor();
          assert.match((await outcome.textContent()) ?? '', /Nothing was sent|may have been sent/, number);
          await desk.leaves('Close');
        }
        const sends = sandbox.provider.arrivals.filter(({ path }) => path === '/api/sms/send');
        for (const { number } of magicNumbers) {
          const times = sends.filter(({ text }) => text.includes(number.slice(1))).length;
          assert.ok(times <= 1, `${number} was sent ${times} times`);
        }
      });
    }

    it('need no new key after a restart, and warn of quiet hours at 21:00 in Lagos', async () => {
      await stop();
      await start(21);
      await desk.types('/sms +2348031234568');
      await desk.marks('Generic');
      await desk.fills('Message', 'Sale today');
      await desk.presses('Review');
      await desk.sees('Quiet hours.');
      await desk.presses('Send anyway');
      await desk.modal('Sent').waitFor();
    });
  });
}
