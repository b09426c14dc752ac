import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { type Sandbox, startSandbox } from '../../../sandbox/sandbox.ts';
import { openStateFolder } from '../../../sandbox/state-folder.ts';
import { openBrowser } from '../../support/browser/chromium.ts';
import { openPage, type PageUser } from '../../support/browser/page-user.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('Slackbot in the sandbox page', () => {
  let browser: Browser;
  let sandbox: Sandbox;
  let user: PageUser;
  before(async () => {
    browser = await openBrowser();
    sandbox = await startSandbox({ folder: await openStateFolder(join(folder, 'state')), transport: 'http' });
    user = await openPage(browser, sandbox.url);
    await user.be('Grace Bello');
    await user.types('/switchboard ');
    await user.fills('API key', sandbox.provider.account.key);
    await user.presses('Connect');
    await user.sees('Connected');
    await user.leaves('Close');
    await user.be('Ada Obi');
  });
  after(async () => {
    await browser.close();
    await sandbox.stop();
  });
  const folder = temporaryFolder({ after });

  const open = (name: string | RegExp) =>
    user.page.getByRole('navigation', { name: 'Channels' }).getByRole('button', { name }).click();

  it('shows the answer of a tool that reads, in blocks', async () => {
    const { page } = user;
    await open('Slackbot');
    await page.getByLabel('Tool', { exact: true }).selectOption('check_numbers');
    await page.getByText('It reads', { exact: true }).waitFor();
    await page.getByRole('textbox', { name: /^numbers / }).fill('+2348031234567, 0805 123 4567');
    await page.getByRole('button', { name: 'Ask Slackbot' }).click();
    const answer = page.getByRole('article', { name: 'Slackbot: Check numbers' });
    await answer.getByText('+234803•••4567').waitFor();
    await answer.getByText('Checked by').waitFor();
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    assert.ok(Number(overflow) <= 0, `${overflow} px too wide`);
  });

  it('drafts a message, which its person finds, reviews and sends', async () => {
    const { page } = user;
    await page.getByLabel('Tool', { exact: true }).selectOption('draft_message');
    await page.getByText('Slackbot would ask you first').waitFor();
    assert.equal(await page.getByRole('textbox', { name: /^to / }).inputValue(), '', 'of another tool');
    await page.getByRole('textbox', { name: /^to / }).fill('+2348031234567');
    await page.getByRole('textbox', { name: /^text / }).fill('Your order has left our shop');
    await page.getByRole('textbox', { name: /^sender / }).fill('PalmMarket');
    await page.getByRole('button', { name: 'Ask Slackbot' }).click();
    await page.getByText('Your draft is in your messages with Switchboard.').waitFor();
    assert.equal(sandbox.provider.record.length, 0);

    await open(/^Switchboard/);
    await page.getByRole('tab', { name: 'Messages' }).click();
    await page.getByText('1 recipient, 1 page').waitFor();
    await page.getByText('Your order has left our shop').waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('log', { name: 'Messages' }).getByText('You’ll get a message if').first().waitFor();
    assert.deepEqual(
      sandbox.provider.record.map(({ to, text }) => [to, text]),
      [[['2348031234567'], 'Your order has left our shop']],
    );
  });

  it('is refused a guest, with the reason', async () => {
    const { page } = user;
    await user.be('Guy Martin');
    await open('Slackbot');
    await page.getByLabel('Tool', { exact: true }).selectOption('campaigns');
    await page.getByRole('button', { name: 'Ask Slackbot' }).click();
    await page.getByText('Switchboard isn’t open to guests.').waitFor();
  });
});
