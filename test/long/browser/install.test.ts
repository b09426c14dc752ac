import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { type Sandbox, startSandbox } from '../../../sandbox/sandbox.ts';
import { openStateFolder } from '../../../sandbox/state-folder.ts';
import { openBrowser } from '../../support/browser/chromium.ts';
import { openPage, type PageUser } from '../../support/browser/page-user.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('two companies in the sandbox page, with the app installed by OAuth', () => {
  let browser: Browser;
  let sandbox: Sandbox;
  before(async () => {
    browser = await openBrowser();
    const folder = await openStateFolder(join(temporary, 'state'));
    sandbox = await startSandbox({ folder, transport: 'http', oauth: 'rotate' });
  });
  after(async () => {
    await browser.close();
    await sandbox.stop();
  });
  const temporary = temporaryFolder({ after });

  /** Adds the app to the workspace that the page shows, from its landing page back to Slack. */
  async function addApp({ page }: PageUser, workspace: string): Promise<void> {
    const landing = page.waitForEvent('popup');
    await page.getByRole('link', { name: 'Add Switchboard' }).click();
    const tab = await landing;
    await tab.getByRole('link', { name: 'Add to Slack' }).first().click();
    await tab.getByRole('heading', { name: `access the ${workspace} workspace` }).waitFor();
    await tab.getByRole('button', { name: 'Allow' }).click();
    await tab.getByRole('heading', { name: 'Switchboard is installed' }).waitFor();
    await tab.getByText(workspace).first().waitFor();
    await tab.getByRole('link', { name: 'open it in the browser' }).click();
    await tab.getByRole('heading', { name: workspace, exact: true }).waitFor();
    await tab.close();
  }

  async function goTo({ page }: PageUser, workspace: string): Promise<void> {
    const squares = page.getByRole('navigation', { name: 'Workspaces' });
    await squares.getByRole('button', { name: new RegExp(`^${workspace}`) }).click();
    await page.getByRole('heading', { name: workspace, exact: true }).waitFor();
  }

  it('leads from the landing page to the first message, which the other company sees nothing of', async () => {
    const user = await openPage(browser, sandbox.url);
    const { page } = user;
    await addApp(user, 'Sandbox');
    await goTo(user, 'Harbor');
    await addApp(user, 'Harbor');

    const guide = page.getByRole('complementary', { name: 'Sandbox' });
    const key = await guide.locator('.copy-line code').first().innerText();
    await page
      .getByRole('button', { name: /^Switchboard/ })
      .first()
      .click();
    await page.getByRole('tab', { name: 'Messages' }).click();
    await user.presses('Connect');
    await user.fills('API key', key);
    await user.presses('Connect');
    await user.sees('Connected');
    await user.leaves('Close');
    await page.getByRole('button', { name: /dispatch/ }).click();
    await user.types('/sms ');
    await user.fills('To', '+2348051230040');
    await user.picks('Sender ID', 'PalmMarket');
    await user.fills('Message', 'The ship is here');
    await user.presses('Review');
    await user.sees('1 recipient, 1 page');
    await user.presses('Send');
    await user.modal('Message sent').waitFor();
    await user.leaves('Close');
    assert.equal(sandbox.provider.record.length, 1);

    const { messages: toHarbor } = sandbox.slack.snapshot('U0HARADMIN');
    assert.match(JSON.stringify(toHarbor), /Switchboard is connected to the provider/);
    await goTo(user, 'Sandbox');
    await page.getByRole('button', { name: /^You are Grace Bello/ }).waitFor();
    await user.types('/sms ');
    await user.sees(/isn’t connected|not connected/);
    for (const { id } of sandbox.slack.snapshot('U0ADMIN').people) {
      const seen = JSON.stringify([
        sandbox.slack.snapshot(id).messages,
        sandbox.slack.snapshot(id).home ?? null,
      ]);
      assert.doesNotMatch(seen, /8051230040|The ship is here|Hana|T0HARBOR/);
    }
  });

  it('is gone from the company that removes it, and still there for the other', async () => {
    const user = await openPage(browser, `${sandbox.url}/#as=U0HARADMIN&team=T0HARBOR&in=app&panel=closed`);
    const { page } = user;
    await user.presses('Remove Switchboard');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('link', { name: 'Add Switchboard' }).waitFor();
    await goTo(user, 'Sandbox');
    await user.types('/switchboard help');
    await user.sees('connect');
    await page.goto(`${sandbox.url}/#as=U0HARADMIN&team=T0HARBOR&panel=closed`);
    await page.reload();
    await addApp(user, 'Harbor');
    await user.types('/sms ');
    await user.sees(/isn’t connected|not connected/);
  });
});
