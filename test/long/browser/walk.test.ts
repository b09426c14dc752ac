import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { type Sandbox, startSandbox } from '../../../sandbox/sandbox.ts';
import { openStateFolder } from '../../../sandbox/state-folder.ts';
import { openBrowser } from '../../support/browser/chromium.ts';
import { openPage, type PageUser } from '../../support/browser/page-user.ts';
import { reached, recipients } from '../../support/campaigns.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('a first walk through the sandbox page', () => {
  let browser: Browser;
  let sandbox: Sandbox;
  let user: PageUser;
  before(async () => {
    browser = await openBrowser();
    sandbox = await startSandbox({
      folder: await openStateFolder(join(folder, 'state')),
      transport: 'http',
      settings: { CAMPAIGN_MESSAGES_PER_SECOND: '25' },
    });
    user = await openPage(browser, sandbox.url);
  });
  after(async () => {
    await browser.close();
    await sandbox.stop();
  });
  // Removed after the sandbox has stopped, which saves its state there.
  const folder = temporaryFolder({ after });

  it('connects the provider with the key that the page shows', async () => {
    const key = await user.page
      .getByRole('complementary', { name: 'Sandbox' })
      .locator('.copy-line code')
      .first()
      .innerText();
    await user.be('Grace Bello');
    await user.types('/switchboard ');
    await user.fills('API key', key);
    await user.presses('Connect');
    await user.sees('Connected');
    await user.presses('Change defaults');
    await user.picks('Sender ID', 'PalmMarket');
    await user.presses('Save');
    await user.sees('Saved.');
    await user.leaves('Close');
  });

  for (const [device, width] of [
    ['a desktop', 1280],
    ['a phone', 390],
  ] as const) {
    it(`sends a message once on a double click, on ${device}`, async () => {
      await user.page.setViewportSize({ width, height: 800 });
      const before = sandbox.provider.record.length;
      await user.types('/sms ');
      await user.fills('To', '+2348031234567');
      const field = user.modal('New message').getByRole('textbox', { name: 'Message' });
      await field.fill(`Hello from ${device}`);
      const box = await field.boundingBox();
      assert.ok(box !== null && box.y + box.height <= 800, `needs scrolling: ${JSON.stringify(box)}`);
      await user.presses('Review');
      await user.sees('1 recipient, 1 page');
      await user.modal('Message review').getByRole('button', { name: 'Send', exact: true }).dblclick();
      await user.modal('Message sent').waitFor();
      await user.leaves('Close');
      assert.deepEqual(
        sandbox.provider.record.slice(before).map(({ to, text }) => [to, text]),
        [[['2348031234567'], `Hello from ${device}`]],
      );
    });

    it(`sends a campaign to the rows of a file, on ${device}`, async () => {
      const before = sandbox.provider.record.length;
      const numbers = recipients(12);
      await user.types('/sms bulk');
      await user.uploads(
        'customers.csv',
        ['First name,Phone', ...numbers.map((number) => `Ada,${number}`), 'Eve,0803'].join('\n'),
      );
      await user.fills('Message', `Hello {{first_name}}, we open at nine, ${device}`);
      await user.picks('Route', 'DND');
      await user.presses('Review');
      const review = user.modal('Campaign review');
      await review.getByText('12 recipients, 12 pages').waitFor();
      await review.getByText('1 row skipped: 1 too short').waitFor();
      await user.marks('A channel');
      await user.presses('Send to 12');
      await user.modal('Started').waitFor();
      await user.leaves('Close');
      await user.page
        .getByText('Done:')
        .nth(width === 390 ? 1 : 0)
        .waitFor();
      assert.deepEqual(reached(sandbox.provider.record.slice(before)), [...numbers].sort());
    });
  }
});
