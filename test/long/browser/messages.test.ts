import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { magicNumbers } from '../../../sandbox/provider/faults/magic-numbers.ts';
import { type Sandbox, startSandbox } from '../../../sandbox/sandbox.ts';
import { openStateFolder } from '../../../sandbox/state-folder.ts';
import { openBrowser } from '../../support/browser/chromium.ts';
import { openPage, type PageUser } from '../../support/browser/page-user.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let browser: Browser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

/**
 * Returns the milliseconds until it is next `hour` o'clock in Lagos, which is UTC+1 all year: at least `from`, as a clock that
 * goes back is not believed.
 */
function aheadTo(hour: number, from: number): number {
  const now = new Date();
  const then = new Date(now);
  then.setUTCHours(hour - 1, 0, 0, 0);
  // Never negative: a request signed in the past would be refused as too old.
  const ahead = (then.getTime() - now.getTime() + 86_400_000) % 86_400_000;
  return ahead < from ? ahead + 86_400_000 : ahead;
}

/** Once the provider has refused for want of money, a review warns of it. */
const sendButton = /^Send(?: anyway)?$/;

describe('messages in the sandbox page', () => {
  let sandbox: Sandbox;
  let pageUser: PageUser;
  let clockOffsetMs = 0;

  const start = async (hour: number) => {
    clockOffsetMs = aheadTo(hour, clockOffsetMs);
    sandbox = await startSandbox({
      folder: await openStateFolder(join(folder, 'state')),
      transport: 'http',
      clockOffsetMs,
    });
    pageUser = await openPage(browser, sandbox.url);
  };
  const stop = async () => {
    await pageUser.page.context().close();
    await sandbox.stop();
  };
  before(() => start(12));
  after(stop);
  // Registered after `stop`: the sandbox still writes there while it stops.
  const folder = temporaryFolder({ after });

  it('connect the provider first: the error of a wrong key is beside the field', async () => {
    await pageUser.be('Grace Bello');
    await pageUser.types('/switchboard ');
    await pageUser.fills('API key', 'sandbox-key-that-is-wrong');
    await pageUser.presses('Connect');
    const field = pageUser.modal('Provider connection').getByRole('textbox', { name: 'API key' });
    await pageUser.sees('The provider does not know this key');
    assert.equal(await field.getAttribute('aria-invalid'), 'true');
    await pageUser.fills('API key', sandbox.provider.account.key);
    await pageUser.presses('Connect');
    await pageUser.sees('Connected');
    await pageUser.presses('Change defaults');
    await pageUser.picks('Sender ID', 'PalmMarket');
    await pageUser.presses('Save');
    await pageUser.sees('Saved.');
    await pageUser.leaves('Close');
    await pageUser.be('Ada Obi');
  });

  it('go to three numbers, and name the invalid one that was left out', async () => {
    await pageUser.types('/sms ');
    await pageUser.fills('To', '12345');
    await pageUser.fills('Message', 'Your order {A7} is on its way');
    await pageUser.sees('70 per page because of { }');
    await pageUser.presses('Review');
    await pageUser.sees('“12345” is too short for a number in Nigeria.');
    await pageUser.fills('To', '+2348031234567, 08051234567 0802 765 4321, 12345');
    await pageUser.presses('Review');
    await pageUser.sees('3 recipients, 3 pages');
    await pageUser.sees('Skipped:');
    await pageUser.presses('Send');
    await pageUser.modal('Message sent').waitFor();
    await pageUser.leaves('Close');
    assert.deepEqual(sandbox.provider.record.at(-1)?.to, ['2348031234567', '2348051234567', '2348027654321']);
  });

  it('go on each route, once on a double click', async () => {
    for (const [route, channel] of [
      ['Transactional (DND)', 'dnd'],
      ['Promotional (generic)', 'generic'],
      ['Chat app', 'chatapp'],
      ['Voice', 'voice'],
    ] as const) {
      const before = sandbox.provider.record.length;
      await pageUser.types('/sms +2348051234568');
      await pageUser.picks('Route', route);
      if (route === 'Chat app') {
        await pageUser.fills('Device', 'Front desk');
      }
      await pageUser.fills('Message', 'Good morning');
      await pageUser.presses('Review');
      await pageUser.modal('Message review').getByRole('button', { name: 'Send', exact: true }).dblclick();
      await pageUser.modal('Message sent').waitFor();
      await pageUser.leaves('Close');
      assert.deepEqual(
        sandbox.provider.record.slice(before).map((message) => message.channel),
        [channel],
      );
    }
  });

  it('name what cannot be sent while it is typed, and show plain text in the field after one click', async () => {
    await pageUser.types('/sms +2348051234568');
    const field = pageUser.modal('New message').getByRole('textbox', { name: 'Message' });
    for (const [typed, named, plain] of [
      ['Ready — today… You owe ₦500', '— … ₦', 'Ready - today... You owe NGN 500'],
      ['“Ready” — now', '—', '"Ready" - now'],
    ] as const) {
      await field.fill(typed);
      await pageUser.sees(`Can’t be sent: ${named}`);
      await pageUser.presses('Replace with plain text');
      await pageUser.page.getByText('Can’t be sent').waitFor({ state: 'detached' });
      assert.equal(await field.inputValue(), plain);
    }
    await pageUser.presses('Review');
    await pageUser.presses('Send');
    await pageUser.modal('Message sent').waitFor();
    await pageUser.leaves('Close');
    assert.equal(sandbox.provider.record.at(-1)?.text, '"Ready" - now');
  });

  it('need no scrolling to the message, on a desktop and on a phone', async () => {
    for (const width of [1280, 390]) {
      await pageUser.page.setViewportSize({ width, height: 800 });
      await pageUser.types('/sms +2348051234568');
      const field = pageUser.modal('New message').getByRole('textbox', { name: 'Message' });
      await field.waitFor();
      const box = await field.boundingBox();
      assert.ok(box !== null && box.y + box.height <= 800, `${width} wide: ${JSON.stringify(box)}`);
      await pageUser.leaves('Cancel');
    }
    await pageUser.page.setViewportSize({ width: 1280, height: 800 });
  });

  it('stay on the workspace’s route after a check of a number that is not on Do-Not-Disturb', async () => {
    await pageUser.be('Grace Bello');
    await pageUser.types('/dnd-check +2348051234568');
    await pageUser.presses('Send SMS');
    await pageUser.modal('New message').getByText('Transactional messages and codes.').waitFor();
    await pageUser.leaves('Cancel');
    await pageUser.be('Ada Obi');
  });

  it('have their result in a channel that the app was not in, after a warning and *Invite*', async () => {
    await pageUser.types('/sms +2348051234568');
    await pageUser.picks('Route', 'Transactional (DND)');
    await pageUser.fills('Message', 'Good morning');
    await pageUser.marks('In a channel');
    await pageUser.picks('Channel', 'campaigns');
    await pageUser.sees('Switchboard isn’t in #campaigns.');
    await pageUser.sees('The result will come to you instead.');
    await pageUser.presses('Invite');
    await pageUser.sees('Switchboard is in #campaigns now.');
    await pageUser.presses('Review');
    await pageUser.sees('The result goes to #campaigns.');
    await pageUser.presses('Send');
    await pageUser.modal('Message sent').getByText('The result is in #campaigns.').waitFor();
    await pageUser.leaves('Close');
    await pageUser.page.getByRole('button', { name: 'campaigns' }).first().click();
    await pageUser.sees('Sent by');
    await pageUser.page.getByRole('button', { name: 'support' }).first().click();
  });

  it('warn of Do-Not-Disturb on the generic route', async () => {
    await pageUser.types('/sms +2348051234567');
    await pageUser.picks('Route', 'Promotional (generic)');
    await pageUser.fills('Message', 'Sale today');
    await pageUser.presses('Review');
    await pageUser.sees('won’t receive this on Promotional (generic)');
    await pageUser.leaves('Cancel');
  });

  it('stay after a reload: a check of five numbers', async () => {
    await pageUser.types('/dnd-check +2348031234567 08051234568, 08021234567 08091234568 0803 765 4321');
    await pageUser.sees('2 of 5 on Do-Not-Disturb');
    await pageUser.page.reload();
    await pageUser.sees('2 of 5 on Do-Not-Disturb');
  });

  it('go once on a double click in the review of the short form', async () => {
    const before = sandbox.provider.record.length;
    await pageUser.types('/sms 0803 123 4568 Hello from the counter');
    await pageUser.sees('1 recipient, 1 page');
    await pageUser.page.getByRole('button', { name: 'Send', exact: true }).last().dblclick();
    await pageUser.sees('You’ll get a message if');
    assert.equal(sandbox.provider.record.length, before + 1);
  });

  it('say at each fault of the provider whether anything was sent', async () => {
    // Without those that are answered late or never: test/journeys/provider-faults.test.ts waits less for them.
    const answered = magicNumbers.filter(({ number }) => !/9001$|9603$/.test(number));
    for (const { number } of answered) {
      await pageUser.types(`/sms ${number}`);
      await pageUser.fills('Message', 'Hello');
      await pageUser.presses('Review');
      await pageUser.presses(sendButton);
      const outcome = pageUser.modal(/^Message (?:rejected|not sent|unconfirmed)$/);
      await outcome.waitFor();
      const shown = await outcome.innerText();
      const said =
        /\b(?:Rejected|Not sent|Unconfirmed)\. [^\n]*(?:was not|may or may not have been) sent\.\n[^\n]+\.\n[^\n]+\./;
      assert.match(shown, said, `${number}: three lines`);
      assert.equal(shown.match(/was not sent|may or may not/g)?.length, 1, `${number}: said once`);
      assert.doesNotMatch(shown, /UND_ERR|ECONN|by itself/, number);
      await pageUser.leaves('Close');
    }
    const sends = sandbox.provider.arrivals.filter(({ path }) => path === '/api/sms/send');
    for (const { number } of answered) {
      const times = sends.filter(({ text }) => text.includes(number.slice(1))).length;
      assert.ok(times <= 1, `${number} was sent ${times} times`);
    }
  });

  it('are found by number with their text, by the agent who sent them and by no other', async () => {
    // The outcomes of earlier messages are on the page already.
    const outcomes = pageUser.page.getByText('You’ll get a message if');
    const before = await outcomes.count();
    await pageUser.types('/sms 0805 123 4599 Your parcel is at the gate');
    await pageUser.presses(sendButton);
    await outcomes.nth(before).waitFor();

    await pageUser.types('/sms history');
    const history = pageUser.modal('History');
    await history
      .getByText(/SMS to \+234.805.123.4599/)
      .first()
      .waitFor();
    await history
      .getByRole('button', { name: /^Open SMS to \+234.805.123.4599/ })
      .first()
      .click();
    await pageUser.modal('Message').waitFor();
    await pageUser.sees('Your parcel is at the gate');
    await pageUser.presses('Close');
    await history.waitFor();
    await pageUser.leaves('Close');

    await pageUser.types('/sms history 0805 123 4599');
    await pageUser.modal('History').getByText('Your parcel is at the gate').waitFor();
    await pageUser.leaves('Close');

    sandbox.slack.setRole('U0GUEST', 'member');
    await pageUser.be('Guy Martin');
    await pageUser.types('/sms history 0805 123 4599');
    await pageUser.sees('Message from a colleague');
    assert.ok(!(await pageUser.modal('History').textContent())?.includes('parcel'));
    await pageUser.leaves('Close');
    await pageUser.be('Ada Obi');
  });

  it('need no new key after a restart, and warn of quiet hours at 21:00 in Lagos', async () => {
    await stop();
    await start(21);
    await pageUser.types('/sms +2348031234568');
    await pageUser.picks('Route', 'Promotional (generic)');
    await pageUser.fills('Message', 'Sale today');
    await pageUser.presses('Review');
    await pageUser.sees('Quiet hours.');
    await pageUser.presses('Send anyway');
    await pageUser.modal('Message sent').waitFor();
  });
});
