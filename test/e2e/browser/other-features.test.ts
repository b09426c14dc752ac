import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { z } from 'zod';
import { type Sandbox, startSandbox } from '../../../sandbox/sandbox.ts';
import { openStateFolder } from '../../../sandbox/state-folder.ts';
import { openBrowser } from '../../support/browser/chromium.ts';
import { type Desk, sitDown } from '../../support/browser/page-user.ts';
import { scanScreen } from '../../support/qr-scanner.ts';
import { loyal } from '../../support/slack/phonebook-steps.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('the other features in the sandbox page', () => {
  let browser: Browser;
  let sandbox: Sandbox;
  let desk: Desk;
  before(async () => {
    browser = await openBrowser();
    sandbox = await startSandbox({
      folder: await openStateFolder(join(folder, 'state')),
      transport: 'http',
      settings: { PROVIDER_CONTACT_DELETE_BY: 'query:contact_id' },
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

  const lastOf = (operation: string) =>
    sandbox.provider.arrivals.findLast((arrival) => arrival.operation === operation);

  it('adds a phonebook as an admin', async () => {
    await desk.types('/contacts ');
    await desk.fills('Id', loyal.id);
    await desk.fills('Name', loyal.name);
    await desk.presses('Add');
    await desk.sees('is added');
    await desk.leaves('Close');
    await desk.be('Ada Obi');
  });

  const newestSim = () => {
    const sim = sandbox.provider.account.sims[0];
    assert.ok(sim);
    return sim;
  };

  it('creates an eSIM, and its QR image on the page decodes to its activation code', async () => {
    await desk.types('/esim create Kenya');
    await desk.page.getByRole('dialog').getByRole('button', { name: 'Create' }).first().click();
    await desk.modal('Create this eSIM?').getByText('costs').waitFor();
    await desk.presses('Create');
    await desk.modal('Created').waitFor();
    const { iccid, activationCode } = newestSim();
    await desk.presses('QR image');
    await desk.sees('The image is in your messages');
    await desk.leaves('Close this window');
    await desk.page.getByRole('button', { name: 'Switchboard' }).first().click();
    await desk.page.getByRole('tab', { name: 'Messages' }).click();
    const image = desk.page.getByRole('img', { name: `esim-${iccid.slice(-4)}.png` }).last();
    await image.scrollIntoViewIfNeeded();
    assert.equal(scanScreen(await image.screenshot()), `LPA:1$rsp.sandbox.example$${activationCode}`);
    await desk.page.getByRole('button', { name: 'support' }).first().click();
    assert.ok(!(await desk.page.content()).includes(activationCode), 'the channel shows the code');
  });

  it('tops the eSIM up, and shows its status', async () => {
    const { iccid } = newestSim();
    await desk.types(`/esim top-up ${iccid}`);
    await desk.page
      .getByRole('dialog')
      .getByRole('button', { name: /^Top up/ })
      .first()
      .click();
    await desk.modal('Top up this eSIM?').waitFor();
    await desk.presses('Top up');
    await desk.modal('Topped up').waitFor();
    assert.partialDeepStrictEqual(lastOf('esims.purchase')?.body, { iccid });
    await desk.presses('Status');
    await desk.modal('eSIM status').getByText('As of').waitFor();
    await desk.modal('eSIM status').getByText(iccid).waitFor();
    await desk.leaves('Close this window');
  });

  it('refreshes a status with a missing part', async () => {
    const fault = sandbox.provider.orderFault({
      operation: 'esims.usage',
      fault: { kind: 'status', status: 404 },
      times: Infinity,
    });
    const status = desk.modal('eSIM status');
    await desk.types(`/esim-status ${newestSim().iccid}`);
    await status.getByText('As of').waitFor();
    assert.equal(await status.getByText('% used').count(), 0);
    fault.cancel();
    await desk.presses('Refresh');
    await status.getByText('% used').waitFor();
    await desk.leaves('Close');
  });

  it('shows install details to the user alone, until the modal is closed', async () => {
    const { iccid, activationCode } = newestSim();
    await desk.types(`/esim-status ${iccid}`);
    await desk.modal('eSIM status').getByText('As of').waitFor();
    await desk.presses('Install details');
    const details = desk.modal('Install details');
    await details.getByText(activationCode, { exact: true }).waitFor();
    await details.getByText(`LPA:1$rsp.sandbox.example$${activationCode}`).waitFor();
    await desk.presses('Close');
    await desk.modal('eSIM status').getByText('As of').waitFor();
    await desk.leaves('Close');
    assert.ok(!(await desk.page.content()).includes(activationCode), 'the code is left on the page');
  });

  it('shares a QR image in a channel only after the warning', async () => {
    const { iccid, activationCode } = newestSim();
    const image = desk.page.getByRole('img', { name: `esim-${iccid.slice(-4)}.png` });
    await desk.types(`/esim-status ${iccid}`);
    await desk.modal('eSIM status').getByText('As of').waitFor();
    await desk.presses('QR image');
    await desk.sees('The image is in your messages');
    await desk.presses('Share in a channel…');
    const question = desk.modal('Share in a channel?');
    await question.getByText('Whoever scans the image takes the eSIM.').waitFor();
    await question.getByRole('combobox', { name: 'Channel' }).waitFor();
    assert.equal(await image.count(), 0, 'the channel has the image before it was confirmed');
    await desk.presses('Share anyway');
    await desk.modal('QR image').getByText('Everyone there can take the eSIM.').waitFor();
    await desk.leaves('Close this window');
    await image.scrollIntoViewIfNeeded();
    assert.equal(scanScreen(await image.screenshot()), `LPA:1$rsp.sandbox.example$${activationCode}`);
  });

  it('sends a code by voice call, refuses a wrong one, and verifies the right one once', async () => {
    await desk.types('/otp +2348031234567');
    await desk.marks('Voice call');
    await desk.sees('A call reads the code out');
    await desk.presses('Send the code');
    await desk.modal('Done').waitFor();
    const { code } = z.object({ code: z.coerce.string() }).parse(lastOf('tokens.call')?.body);
    await desk.presses('Verify');
    await desk.fills('What the customer reads back', code === '000000' ? '111111' : '000000');
    await desk.presses('Verify');
    await desk.sees('Wrong: 2 attempts left.');
    await desk.fills('What the customer reads back', code);
    await desk.presses('Verify');
    await desk.modal('It matches').waitFor();
    await desk.leaves('Close');
    assert.ok(!(await desk.page.content()).includes(code), 'the code stands on the page');
  });

  it('looks a number up, and opens an SMS from its card', async () => {
    await desk.types('/number 0803 123 4567');
    await desk.sees('Route to use');
    await desk.presses('Send SMS');
    const to = desk.modal('Send an SMS').getByRole('textbox', { name: 'To' });
    assert.match(await to.inputValue(), /803 ?123 ?4567/);
    await desk.leaves('Cancel');
  });

  it('requests a sender ID, which is validated as it is typed', async () => {
    await desk.types('/sender-id ');
    await desk.presses('Request a sender ID');
    await desk.fills('Sender ID', 'Palm Market Lagos');
    await desk.sees('A sender ID has no spaces.');
    await desk.fills('Sender ID', 'PalmPay');
    await desk.sees('it can be one');
    await desk.fills('What you will send', 'Your payment has arrived.');
    await desk.fills('Company', 'Palm Market Ltd');
    await desk.presses('Request');
    await desk.modal('Requested').waitFor();
    assert.partialDeepStrictEqual(lastOf('senderIds.request')?.body, { sender_id: 'PalmPay' });
    await desk.presses('Close');
    await desk.modal('Sender IDs').waitFor();
    await desk.leaves('Close');
  });

  it('uploads a file of contacts after a preview', async () => {
    await desk.types('/contacts upload');
    await desk.uploads('customers.csv', 'Phone,Town\n0803 200 1001,Ibadan\n0803,Jos\n0802 200 1003,Warri\n');
    await desk.presses('Check');
    await desk.modal('Upload these?').getByText('1 row left out').waitFor();
    await desk.presses('Upload');
    await desk.modal('Uploaded').waitFor();
    assert.match(lastOf('phonebooks.upload')?.text ?? '', /8032001001[\s\S]*8022001003/);
    await desk.leaves('Close');
  });

  it('deletes a contact only after confirmation', async () => {
    const contacts = () => sandbox.provider.account.phonebooks[0]?.contacts.length ?? 0;
    const before = contacts();
    await desk.types('/contacts ');
    await desk.modal('Contacts').getByRole('button', { name: 'Open' }).first().click();
    await desk.modal('Contact').getByRole('button', { name: 'Delete' }).click();
    const question = desk.page.getByRole('alertdialog').or(desk.page.getByRole('dialog')).last();
    await question.getByText('Delete this contact?').waitFor();
    assert.equal(contacts(), before);
    await question.getByRole('button', { name: 'Delete' }).click();
    await desk.modal('Deleted').waitFor();
    assert.equal(contacts(), before - 1);
    await desk.leaves('Close');
  });
});
