import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { type Sandbox, startSandbox } from '../../../sandbox/sandbox.ts';
import { openStateFolder } from '../../../sandbox/state-folder.ts';
import { openBrowser } from '../../support/browser/chromium.ts';
import { type Desk, sitDown } from '../../support/browser/page-user.ts';
import { reached, recipients } from '../../support/campaigns.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('a campaign in the sandbox page', () => {
  let browser: Browser;
  let sandbox: Sandbox;
  let desk: Desk;
  before(async () => {
    browser = await openBrowser();
    sandbox = await startSandbox({
      folder: await openStateFolder(join(folder, 'state')),
      transport: 'http',
      settings: { CAMPAIGN_MESSAGES_PER_SECOND: '25' },
    });
    desk = await sitDown(browser, sandbox.url);
    await desk.be('Grace Bello');
    await desk.types('/switchboard ');
    await desk.fills('API key', sandbox.provider.account.key);
    await desk.presses('Connect');
    await desk.sees('Connected');
    await desk.leaves('Close');
  });
  after(async () => {
    await browser.close();
    await sandbox.stop();
  });
  const folder = temporaryFolder({ after });

  const numbers = recipients(120);

  it('previews the messages of a dropped file, and sends nothing yet', async () => {
    await desk.types('/sms bulk');
    await desk.uploads(
      'customers.csv',
      ['First name,Phone', ...numbers.map((number) => `Ada,${number}`), 'Eve,0803'].join('\n'),
    );
    await desk.marks('DND');
    await desk.picks('Sender ID', 'PalmMarket');
    await desk.fills('Message', 'Hello {{first_name|there}}, we open at nine');
    await desk.presses('Read the recipients');
    const preview = desk.modal('Send to these?');
    await preview.getByText('120 recipients, 120 pages').waitFor();
    await preview.getByText('Hello Ada, we open at nine').first().waitFor();
    await preview.getByText('1 row cannot be used').waitFor();
    assert.equal(sandbox.provider.record.length, 0);
  });

  it('shows a start time in both zones, and can be set back to now', async () => {
    await desk.marks('At a time');
    const preview = desk.modal('Send to these?');
    await preview.getByLabel('Date', { exact: true }).fill('2031-03-03');
    await preview.getByLabel('Time', { exact: true }).fill('09:30');
    await preview.getByText('3 Mar 2031, 10:30 WAT').waitFor();
    await desk.marks('Now');
    await preview.getByLabel('Date', { exact: true }).waitFor({ state: 'detached' });
  });

  it('shows its progress, is paused and resumed, and ends as a summary', async () => {
    await desk.marks('In a channel');
    await desk.presses('Start (120)');
    await desk.modal('Started').waitFor();
    await desk.leaves('Close');
    await desk.sees('Sending:');
    await desk.presses('Pause');
    await desk.sees('Paused by');
    await desk.presses('Resume');
    await desk.sees('Done:');
    assert.deepEqual(reached(sandbox.provider.record), [...numbers].sort());
  });

  it('is in the list, and opens from there', async () => {
    await desk.types('/sms bulk list');
    await desk.modal('Campaigns').getByText('customers.csv').waitFor();
    await desk.presses('Open');
    await desk.modal('Campaign').getByText('120 recipients').waitFor();
    await desk.leaves('Close this window');
  });
});
