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

describe('a campaign in the sandbox page', () => {
  let browser: Browser;
  let sandbox: Sandbox;
  let pageUser: PageUser;
  before(async () => {
    browser = await openBrowser();
    sandbox = await startSandbox({
      folder: await openStateFolder(join(folder, 'state')),
      transport: 'http',
      settings: { CAMPAIGN_MESSAGES_PER_SECOND: '25' },
    });
    pageUser = await openPage(browser, sandbox.url);
    await pageUser.be('Grace Bello');
    await pageUser.types('/switchboard ');
    await pageUser.fills('API key', sandbox.provider.account.key);
    await pageUser.presses('Connect');
    await pageUser.sees('Connected');
    await pageUser.leaves('Close');
  });
  after(async () => {
    await browser.close();
    await sandbox.stop();
  });
  const folder = temporaryFolder({ after });

  const numbers = recipients(120);

  it('previews the messages of a dropped file, and sends nothing yet', async () => {
    await pageUser.types('/sms bulk');
    await pageUser.uploads(
      'customers.csv',
      ['First name,Phone', ...numbers.map((number) => `Ada,${number}`), 'Eve,0803'].join('\n'),
    );
    await pageUser.picks('Route', 'DND');
    await pageUser.picks('Sender ID', 'PalmMarket');
    await pageUser.fills('Message', 'Hello {{first_name|there}}, we open at nine');
    await pageUser.presses('Read the recipients');
    const preview = pageUser.modal('Send to these?');
    await preview.getByText('120 recipients, 120 pages').waitFor();
    await preview.getByText('Hello Ada, we open at nine').first().waitFor();
    await preview.getByText('1 row cannot be used').waitFor();
    assert.equal(sandbox.provider.record.length, 0);
  });

  it('shows a start time in both zones, and can be set back to now', async () => {
    await pageUser.marks('At a time');
    const preview = pageUser.modal('Send to these?');
    await preview.getByLabel('Date', { exact: true }).fill('2031-03-03');
    await preview.getByLabel('Time', { exact: true }).fill('09:30');
    await preview.getByText('3 Mar 2031, 10:30 WAT').waitFor();
    await pageUser.marks('Now');
    await preview.getByLabel('Date', { exact: true }).waitFor({ state: 'detached' });
  });

  it('shows its progress, is paused and resumed, and ends as a summary', async () => {
    await pageUser.marks('In a channel');
    await pageUser.presses('Start (120)');
    await pageUser.modal('Started').waitFor();
    await pageUser.leaves('Close');
    await pageUser.sees('Sending:');
    await pageUser.presses('Pause');
    await pageUser.sees('Paused by');
    await pageUser.presses('Resume');
    await pageUser.sees('Done:');
    assert.deepEqual(reached(sandbox.provider.record), [...numbers].sort());
  });

  it('shows its newest balance with the time on Home', async () => {
    await pageUser.page.getByRole('button', { name: 'Switchboard' }).first().click();
    await pageUser.page.getByRole('tab', { name: 'Home' }).click();
    assert.equal(sandbox.provider.account.balance, 24_490);
    await pageUser.sees(/^Balance ₦24,490\S* \(today \d/);
    await pageUser.page.getByRole('button', { name: 'support', exact: false }).first().click();
  });

  it('is in the list, and opens from there', async () => {
    await pageUser.types('/sms bulk list');
    await pageUser.modal('Campaigns').getByText('customers.csv').waitFor();
    await pageUser.presses('Open');
    await pageUser.modal('Campaign').getByText('120 recipients').waitFor();
    await pageUser.leaves('Close this window');
  });
});
