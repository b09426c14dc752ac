import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../../../../test/support/browser/chromium.ts';
import { bundlePage } from '../../../page/serve.ts';
import { oauthProbe } from '../../slack/oauth-app.ts';
import { openPage } from './open-page.ts';

let browser: Browser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

test('shows no squares where there is one workspace', async () => {
  await using opened = await openPage(browser);
  await opened.page.getByRole('navigation', { name: 'Channels' }).waitFor();
  assert.equal(await opened.page.getByRole('navigation', { name: 'Workspaces' }).count(), 0);
  await opened.page
    .getByRole('button', { name: /^Switchboard/ })
    .first()
    .click();
  assert.equal(await opened.page.getByRole('button', { name: 'Remove Switchboard' }).count(), 0);
});

test('switches workspaces, acts in the shown one, and removes the app', async () => {
  const servePage = await bundlePage();
  await using probe = await oauthProbe({
    page: (request, response) => {
      if (!servePage(request, response)) {
        response.writeHead(404).end();
      }
    },
  });
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  await page.goto(`${probe.slack.url}/#panel=closed`);
  const squares = page.getByRole('navigation', { name: 'Workspaces' });
  await squares.getByRole('button', { name: 'Sandbox (Sandbox Group)' }).waitFor();
  await page.getByRole('heading', { name: 'Sandbox', exact: true }).waitFor();
  await page.getByRole('link', { name: 'Add Switchboard' }).waitFor();

  await squares.getByRole('button', { name: 'Harbor' }).click();
  await page.getByRole('heading', { name: 'Harbor' }).waitFor();
  await page.getByRole('button', { name: 'You are Hana Sato' }).waitFor();
  assert.match(page.url(), /team=T0HARBOR/);

  await page.goto(`${probe.url}/slack/install`);
  await page.getByRole('heading', { name: /requesting permission to access the Harbor workspace/ }).waitFor();
  assert.equal(await page.getByLabel('Signed in as').inputValue(), 'U0HARADMIN', 'as on the page');
  await page.getByRole('link', { name: /^Orchard/ }).click();
  await page.getByRole('heading', { name: /the Orchard workspace/ }).waitFor();
  await page.getByLabel('Signed in as').selectOption({ label: 'Ines Costa (member)' });
  await page.getByLabel('View basic information about public channels').uncheck();
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByText('Back with').waitFor();
  assert.equal(probe.grants[0]?.scope, 'commands,chat:write,users:read');
  assert.deepEqual(probe.grants[0]?.authed_user, { id: 'U0ORCAGENT' });

  await page.goto(`${probe.slack.url}/app_redirect?app=A0SWITCHBOARD&team=T0ORCHARD`);
  await page.getByRole('heading', { name: 'Orchard' }).waitFor();
  await page.getByRole('button', { name: 'Remove Switchboard' }).click();
  await page.getByRole('alertdialog').getByText('Switchboard is removed from Orchard.').waitFor();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByRole('link', { name: 'Add Switchboard' }).waitFor();
  assert.equal(probe.requests.filter(({ team_id }) => team_id === 'T0ORCHARD').length, 2, 'the app is told');
  await context.close();
});
