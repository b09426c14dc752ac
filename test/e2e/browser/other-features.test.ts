import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { z } from 'zod';
import { type Sandbox, startSandbox } from '../../../sandbox/sandbox.ts';
import { openStateFolder } from '../../../sandbox/state-folder.ts';
import { openBrowser } from '../../support/browser/chromium.ts';
import { openPage, type PageUser } from '../../support/browser/page-user.ts';
import { scanScreen } from '../../support/qr-scanner.ts';
import { loyal } from '../../support/slack/phonebook-steps.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('the other features in the sandbox page', () => {
  let browser: Browser;
  let sandbox: Sandbox;
  let pageUser: PageUser;
  before(async () => {
    browser = await openBrowser();
    sandbox = await startSandbox({
      folder: await openStateFolder(join(folder, 'state')),
      transport: 'http',
      settings: { PROVIDER_CONTACT_DELETE_BY: 'query:contact_id' },
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

  const lastOf = (operation: string) =>
    sandbox.provider.arrivals.findLast((arrival) => arrival.operation === operation);

  it('adds a phonebook as an admin', async () => {
    await pageUser.types('/contacts ');
    await pageUser.fills('Id', loyal.id);
    await pageUser.fills('Name', loyal.name);
    await pageUser.presses('Add');
    await pageUser.sees('is added');
    await pageUser.leaves('Close');
    await pageUser.be('Ada Obi');
  });

  const newestSim = () => {
    const sim = sandbox.provider.account.sims[0];
    assert.ok(sim);
    return sim;
  };

  it('creates an eSIM, and its QR image on the page decodes to its activation code', async () => {
    await pageUser.types('/esim create Kenya');
    await pageUser.page.getByRole('dialog').getByRole('button', { name: 'Create' }).first().click();
    await pageUser.modal('Create this eSIM?').getByText('costs').waitFor();
    await pageUser.presses('Create');
    await pageUser.modal('Created').waitFor();
    const { iccid, activationCode } = newestSim();
    await pageUser.presses('QR image');
    await pageUser.sees('The image is in your messages');
    await pageUser.leaves('Close this window');
    await pageUser.page.getByRole('button', { name: 'Switchboard' }).first().click();
    await pageUser.page.getByRole('tab', { name: 'Messages' }).click();
    const image = pageUser.page.getByRole('img', { name: `esim-${iccid.slice(-4)}.png` }).last();
    await image.scrollIntoViewIfNeeded();
    assert.equal(scanScreen(await image.screenshot()), `LPA:1$rsp.sandbox.example$${activationCode}`);
    await pageUser.page.getByRole('button', { name: 'support' }).first().click();
    assert.ok(!(await pageUser.page.content()).includes(activationCode), 'the channel shows the code');
  });

  it('tops the eSIM up, and shows its status', async () => {
    const { iccid } = newestSim();
    await pageUser.types(`/esim top-up ${iccid}`);
    await pageUser.page
      .getByRole('dialog')
      .getByRole('button', { name: /^Top up/ })
      .first()
      .click();
    await pageUser.modal('Top up this eSIM?').waitFor();
    await pageUser.presses('Top up');
    await pageUser.modal('Topped up').waitFor();
    assert.partialDeepStrictEqual(lastOf('esims.purchase')?.body, { iccid });
    await pageUser.presses('Status');
    await pageUser.modal('eSIM status').getByText('As of').waitFor();
    await pageUser.modal('eSIM status').getByText(iccid).waitFor();
    await pageUser.leaves('Close this window');
  });

  it('refreshes a status with a missing part', async () => {
    const fault = sandbox.provider.orderFault({
      operation: 'esims.usage',
      fault: { kind: 'status', status: 404 },
      times: Infinity,
    });
    const status = pageUser.modal('eSIM status');
    await pageUser.types(`/esim-status ${newestSim().iccid}`);
    await status.getByText('As of').waitFor();
    assert.equal(await status.getByText('% used').count(), 0);
    fault.cancel();
    await pageUser.presses('Refresh');
    await status.getByText('% used').waitFor();
    await pageUser.leaves('Close');
  });

  it('shows install details to the user alone, until the modal is closed', async () => {
    const { iccid, activationCode } = newestSim();
    await pageUser.types(`/esim-status ${iccid}`);
    await pageUser.modal('eSIM status').getByText('As of').waitFor();
    await pageUser.presses('Install details');
    const details = pageUser.modal('Install details');
    await details.getByText(activationCode, { exact: true }).waitFor();
    await details.getByText(`LPA:1$rsp.sandbox.example$${activationCode}`).waitFor();
    await pageUser.presses('Close');
    await pageUser.modal('eSIM status').getByText('As of').waitFor();
    await pageUser.leaves('Close');
    assert.ok(!(await pageUser.page.content()).includes(activationCode), 'the code is left on the page');
  });

  it('shares a QR image in a channel only after the warning', async () => {
    const { iccid, activationCode } = newestSim();
    const image = pageUser.page.getByRole('img', { name: `esim-${iccid.slice(-4)}.png` });
    await pageUser.types(`/esim-status ${iccid}`);
    await pageUser.modal('eSIM status').getByText('As of').waitFor();
    await pageUser.presses('QR image');
    await pageUser.sees('The image is in your messages');
    await pageUser.presses('Share in a channel…');
    const question = pageUser.modal('Share in a channel?');
    await question.getByText('Whoever scans the image takes the eSIM.').waitFor();
    await question.getByRole('combobox', { name: 'Channel' }).waitFor();
    assert.equal(await image.count(), 0, 'the channel has the image before it was confirmed');
    await pageUser.presses('Share anyway');
    await pageUser.modal('QR image').getByText('Everyone there can take the eSIM.').waitFor();
    await pageUser.leaves('Close this window');
    await image.scrollIntoViewIfNeeded();
    assert.equal(scanScreen(await image.screenshot()), `LPA:1$rsp.sandbox.example$${activationCode}`);
  });

  it('sends a code by voice call, refuses a wrong one, and verifies the right one once', async () => {
    await pageUser.types('/otp +2348031234567');
    await pageUser.marks('Voice call');
    await pageUser.sees('A call reads the code out');
    await pageUser.presses('Send the code');
    await pageUser.modal('Done').waitFor();
    const { code } = z.object({ code: z.coerce.string() }).parse(lastOf('tokens.call')?.body);
    await pageUser.presses('Verify');
    await pageUser.fills('What the customer reads back', code === '000000' ? '111111' : '000000');
    await pageUser.presses('Verify');
    await pageUser.sees('Wrong: 2 attempts left.');
    await pageUser.fills('What the customer reads back', code);
    await pageUser.presses('Verify');
    await pageUser.modal('It matches').waitFor();
    await pageUser.leaves('Close');
    assert.ok(!(await pageUser.page.content()).includes(code), 'the code stands on the page');
  });

  it('looks a number up, and opens an SMS from its card', async () => {
    await pageUser.types('/number 0803 123 4567');
    await pageUser.sees('Route to use');
    await pageUser.presses('Send SMS');
    const to = pageUser.modal('New message').getByRole('textbox', { name: 'To' });
    assert.match(await to.inputValue(), /803 ?123 ?4567/);
    await pageUser.leaves('Cancel');
  });

  it('requests a sender ID, which is validated as it is typed', async () => {
    await pageUser.types('/sender-id ');
    await pageUser.presses('Request a sender ID');
    await pageUser.fills('Sender ID', 'Palm Market Lagos');
    await pageUser.sees('A sender ID has no spaces.');
    await pageUser.fills('Sender ID', 'PalmPay');
    await pageUser.sees('it can be one');
    await pageUser.fills('What you will send', 'Your payment has arrived.');
    await pageUser.fills('Company', 'Palm Market Ltd');
    await pageUser.presses('Request');
    await pageUser.modal('Requested').waitFor();
    assert.partialDeepStrictEqual(lastOf('senderIds.request')?.body, { sender_id: 'PalmPay' });
    await pageUser.presses('Close');
    await pageUser.modal('Sender IDs').waitFor();
    await pageUser.leaves('Close');
  });

  it('uploads a file of contacts after a preview', async () => {
    await pageUser.types('/contacts upload');
    await pageUser.uploads(
      'customers.csv',
      'Phone,Town\n0803 200 1001,Ibadan\n0803,Jos\n0802 200 1003,Warri\n',
    );
    await pageUser.presses('Check');
    await pageUser.modal('Upload these?').getByText('1 row left out').waitFor();
    await pageUser.presses('Upload');
    await pageUser.modal('Uploaded').waitFor();
    assert.match(lastOf('phonebooks.upload')?.text ?? '', /8032001001[\s\S]*8022001003/);
    await pageUser.leaves('Close');
  });

  it('deletes a contact only after confirmation', async () => {
    const contacts = () => sandbox.provider.account.phonebooks[0]?.contacts.length ?? 0;
    const before = contacts();
    await pageUser.types('/contacts ');
    await pageUser.modal('Contacts').getByRole('button', { name: 'Open' }).first().click();
    await pageUser.modal('Contact').getByRole('button', { name: 'Delete' }).click();
    const question = pageUser.page.getByRole('alertdialog').or(pageUser.page.getByRole('dialog')).last();
    await question.getByText('Delete this contact?').waitFor();
    assert.equal(contacts(), before);
    await question.getByRole('button', { name: 'Delete' }).click();
    await pageUser.modal('Deleted').waitFor();
    assert.equal(contacts(), before - 1);
    await pageUser.leaves('Close');
  });
});
