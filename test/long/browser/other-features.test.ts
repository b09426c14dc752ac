import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { z } from 'zod';
import { millisecondsUntil } from '../../../sandbox/lib/lagos-time.ts';
import { type Sandbox, startSandbox } from '../../../sandbox/sandbox.ts';
import { openStateFolder } from '../../../sandbox/state-folder.ts';
import { openBrowser } from '../../support/browser/chromium.ts';
import { openPage, type PageUser } from '../../support/browser/page-user.ts';
import { profileEnv } from '../../support/provider/profile-file.ts';
import { scanScreen } from '../../support/qr-scanner.ts';
import { loyal } from '../../support/slack/phonebook-steps.ts';
import { giveRole } from '../../support/slack/role-steps.ts';
import { slackUserAt } from '../../support/slack/slack-user.ts';
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
      // In quiet hours.
      clockOffsetMs: millisecondsUntil('00:16', new Date()),
      settings: profileEnv({ contactDeleteBy: 'query:contact_id', currency: 'NGN' }),
    });
    pageUser = await openPage(browser, sandbox.url);
  });
  after(async () => {
    await browser.close();
    await sandbox.stop();
  });
  const folder = temporaryFolder({ after });

  const lastOf = (operation: string) =>
    sandbox.provider.arrivals.findLast((arrival) => arrival.operation === operation);

  it('lets a newcomer follow the guide from the first page view', async () => {
    const guide = pageUser.page.getByRole('complementary', { name: 'Sandbox' });
    await guide.getByText('As Grace, the admin, type /switchboard').waitFor();
    const key = await guide.locator('.copy-line code').first().innerText();
    await pageUser.types('/switchboard ');
    await pageUser.fills('API key', key);
    await pageUser.presses('Connect');
    await pageUser.sees('to send the first message');
    const close = pageUser.page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true });
    await close.dblclick();
    await pageUser.page.getByRole('dialog').waitFor({ state: 'detached' });
    await pageUser.types('/sms ');
    await pageUser.fills('To', '+2348051230040');
    await pageUser.picks('Sender ID', 'PalmMarket');
    await pageUser.fills('Message', 'We open at nine');
    await pageUser.presses('Review');
    await pageUser.sees('1 recipient, 1 page');
    await pageUser.presses('Send');
    await pageUser.sees('balance');
    await pageUser.leaves('Close');
    assert.equal(sandbox.provider.record.length, 1);
    assert.deepEqual(await pageUser.page.locator('.notice').allInnerTexts(), []);
  });

  it('shows on the phone what arrived there', async () => {
    const panel = pageUser.page.getByRole('complementary', { name: 'Sandbox' });
    await panel.getByRole('tab', { name: 'Phone' }).click();
    const handset = panel.getByRole('region', { name: 'Phone +234 805 123 0040' });
    await handset.getByRole('button', { name: /PalmMarket.*We open at nine/ }).click();
    await handset.getByText('PalmMarket is a name, so it can’t receive replies.').waitFor();
    await panel.getByRole('tab', { name: 'Guide' }).click();
  });

  it('adds a phonebook, and gives roles, as an admin', async () => {
    await pageUser.types('/contacts ');
    await pageUser.fills('ID', loyal.id);
    await pageUser.fills('Name', loyal.name);
    await pageUser.presses('Add');
    await pageUser.sees('added');
    await pageUser.leaves('Close');
    const grace = slackUserAt(sandbox.slack, 'U0ADMIN');
    await giveRole(grace, 'Campaign manager');
    await giveRole(grace, 'Buyer');
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
    await pageUser.modal('New eSIM').getByText('costs').waitFor();
    await pageUser.presses('Create');
    await pageUser.modal('eSIM created').waitFor();
    const { iccid, activationCode } = newestSim();
    await pageUser.presses('Get QR image');
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
    await pageUser.sees('4 total');
    const country = pageUser.modal('Top-up plans').getByRole('combobox', { name: 'Country' });
    assert.match(await country.inputValue(), /^Kenya/);
    await pageUser.page
      .getByRole('dialog')
      .getByRole('button', { name: /^Top up/ })
      .first()
      .click();
    await pageUser.modal('eSIM top-up').waitFor();
    await pageUser.presses('Top up');
    await pageUser.modal('eSIM topped up').waitFor();
    assert.partialDeepStrictEqual(lastOf('esims.purchase')?.body, { iccid });
    await pageUser.presses('Show status');
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
    await pageUser.presses('Show install details');
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
    await pageUser.presses('Get QR image');
    await pageUser.sees('The image is in your messages');
    await pageUser.presses('Share in a channel…');
    const question = pageUser.modal('QR image in a channel');
    await question.getByText('Anyone in the channel can install the eSIM.').waitFor();
    await question.getByRole('combobox', { name: 'Channel' }).waitFor();
    assert.equal(await image.count(), 0, 'the channel has the image before it was confirmed');
    await pageUser.presses('Share');
    await pageUser.modal('QR image').getByText('Anyone in the channel can install the eSIM.').waitFor();
    await pageUser.leaves('Close this window');
    await image.scrollIntoViewIfNeeded();
    assert.equal(scanScreen(await image.screenshot()), `LPA:1$rsp.sandbox.example$${activationCode}`);
  });

  it('sends a code by SMS with the workspace’s lifetime in its text, and verifies it', async () => {
    await pageUser.be('Grace Bello');
    await pageUser.types('/switchboard ');
    await pageUser.presses('Change limits');
    await pageUser.presses('Change code limits');
    await pageUser.fills('Seconds between codes to one recipient', '0');
    await pageUser.presses('Save');
    await pageUser.sees('Saved.');
    await pageUser.leaves('Close this window');
    await pageUser.types('/switchboard ');
    await pageUser.presses('Change one-time codes');
    await pageUser.modal('One-time codes').waitFor();
    await pageUser.picks('Sender ID', 'PalmMarket');
    await pageUser.fills('Expires after (minutes)', '5');
    await pageUser.presses('Save');
    await pageUser.sees('It expires in 5 minutes.');
    await pageUser.leaves('Close this window');
    await pageUser.be('Ada Obi');

    await pageUser.types('/otp +2348031234567');
    await pageUser.modal('One-time code').getByText('expires after 5 minutes').waitFor();
    await pageUser.presses('Send code');
    await pageUser.modal('Code sent').waitFor();
    const { text } = sandbox.provider.record.at(-1) ?? assert.fail('nothing was sent');
    const code = /^Your code is (\d{6})\. It expires in 5 minutes\.$/.exec(text)?.[1] ?? assert.fail(text);
    await pageUser.presses('Verify');
    await pageUser.fills('Code from the customer', '12');
    await pageUser.presses('Verify');
    await pageUser.sees('The code has 6 digits.');
    await pageUser.fills('Code from the customer', `${code.slice(0, 3)}-${code.slice(3)}`);
    await pageUser.presses('Verify');
    await pageUser.modal('Verified').getByText('The history keeps who verified it, and when.').waitFor();
    await pageUser.leaves('Close');
    assert.ok(!(await pageUser.page.content()).includes(code), 'the code stands on the page');
  });

  it('offers another code where no attempts are left', async () => {
    const sent = sandbox.provider.record.length;
    await pageUser.types('/otp +2348031234567');
    await pageUser.presses('Send code');
    await pageUser.modal('Code sent').waitFor();
    await pageUser.presses('Verify');
    for (const answer of ['2 attempts left', '1 attempt left', 'No attempts left after 3']) {
      await pageUser.fills('Code from the customer', '000000');
      await pageUser.presses('Verify');
      await pageUser.sees(answer);
    }
    await pageUser.presses('Send another code');
    const number = pageUser.modal('One-time code').getByRole('textbox', { name: 'Phone number' });
    await number.waitFor();
    assert.equal(await number.inputValue(), '+2348031234567');
    await pageUser.presses('Send code');
    await pageUser.modal('Code sent').waitFor();
    await pageUser.leaves('Close');
    assert.equal(sandbox.provider.record.length, sent + 2);
  });

  it('sends a code by voice call, refuses a wrong one, and verifies the right one once', async () => {
    await pageUser.types('/otp +2348031234567');
    await pageUser.picks('Send by', 'Voice call');
    await pageUser.sees('A call reads the code out');
    await pageUser.presses('Send code');
    await pageUser.modal('Code sent').waitFor();
    const { code } = z.object({ code: z.coerce.string() }).parse(lastOf('tokens.call')?.body);
    await pageUser.presses('Verify');
    await pageUser.fills('Code from the customer', code === '000000' ? '111111' : '000000');
    await pageUser.presses('Verify');
    await pageUser.sees('Wrong code, 2 attempts left.');
    await pageUser.fills('Code from the customer', code);
    await pageUser.presses('Verify');
    await pageUser.modal('Verified').waitFor();
    await pageUser.leaves('Close');
    assert.ok(!(await pageUser.page.content()).includes(code), 'the code stands on the page');
  });

  it('looks a number up, and opens an SMS from its card', async () => {
    await pageUser.types('/number 0803 123 4567');
    await pageUser.sees('Route to use');
    await pageUser.presses('New message');
    const to = pageUser.modal('New message').getByRole('textbox', { name: 'To' });
    assert.match(await to.inputValue(), /803 ?123 ?4567/);
    await pageUser.leaves('Cancel');
  });

  const lastMessage = (words: string) => pageUser.page.locator('.message', { hasText: words }).last();

  it('gives the same advice at night on a number’s card and in a check, and sends on the workspace’s route', async () => {
    const advice = /Transactional \(DND\) · quiet hours until .*8:00/;
    await pageUser.types('/number 0803 123 4561');
    await lastMessage('803 123 4561').getByText(advice).waitFor();
    await pageUser.types('/dnd-check 0803 123 4561, 12345');
    const report = lastMessage('0 of 1 on Do-Not-Disturb');
    await report.getByText(advice).waitFor();
    await report.getByText('“12345” is too short for a number in Nigeria').waitFor();
    await report.getByRole('button', { name: 'Send SMS' }).click();
    const form = pageUser.modal('New message');
    await form.waitFor();
    assert.equal(await form.getByRole('combobox', { name: 'Route' }).inputValue(), 'Transactional (DND)');
    await pageUser.leaves('Cancel');
  });

  it('keeps what was typed for a check without a valid number', async () => {
    await pageUser.types('/dnd-check 12345');
    const answer = lastMessage('“12345” is too short for a number in Nigeria');
    await answer.getByRole('button', { name: 'Edit' }).click();
    const field = pageUser.modal('Do-Not-Disturb check').getByRole('textbox', { name: 'Phone numbers' });
    assert.equal(await field.inputValue(), '12345');
    await pageUser.leaves('Close');
  });

  it('shows on the card of a number that it is on the do-not-contact list, without the button', async () => {
    const listed = 'On the do-not-contact list since today, added by';
    await pageUser.types('/number 0803 123 4599');
    const card = lastMessage('803 123 4599');
    // The line that the number is being looked up has it too.
    await card.getByRole('button', { name: 'Open history' }).waitFor();
    // The page has one of its own.
    const menus = await card.getByRole('button', { name: 'More actions' }).count();
    await pageUser.chooses('Add to do-not-contact list');
    const list = pageUser.modal('Do-not-contact list');
    await list.getByRole('button', { name: /Add \+234\s803\s123\s4599/ }).click();
    await list.getByText('1 number added.').waitFor();
    await pageUser.leaves('Close');
    await pageUser.types('/number +234 803 123 4599');
    const again = lastMessage('803 123 4599');
    await again.getByText(listed).waitFor();
    assert.equal(await again.getByRole('button', { name: 'More actions' }).count(), menus - 1);
    assert.equal(await again.getByRole('button', { name: /^Remove/ }).count(), 0);
    await pageUser.types('/dnd-check 0803 123 4599');
    await lastMessage('of 1 on Do-Not-Disturb').getByText(listed).waitFor();
  });

  it('requests a sender ID, which is validated as it is typed', async () => {
    await pageUser.types('/sender-id ');
    await pageUser.presses('Request a sender ID');
    await pageUser.fills('Sender ID', 'Palm Market Lagos');
    await pageUser.sees('A sender ID has no spaces.');
    await pageUser.fills('Sender ID', 'PalmPay');
    await pageUser.sees('Looks good');
    await pageUser.fills('Sample message', 'Your payment has arrived.');
    await pageUser.fills('Company', 'Palm Market Ltd');
    await pageUser.presses('Request');
    await pageUser.modal('Sender ID requested').waitFor();
    assert.partialDeepStrictEqual(lastOf('senderIds.request')?.body, { sender_id: 'PalmPay' });
    await pageUser.presses('Close');
    await pageUser.modal('Sender IDs').waitFor();
    await pageUser.leaves('Close');
  });

  it('uploads a file of contacts after a review', async () => {
    await pageUser.types('/contacts upload');
    await pageUser.uploads(
      'customers.csv',
      'Phone,Town\n0803 200 1001,Ibadan\n0803,Jos\n0802 200 1003,Warri\n',
    );
    await pageUser.presses('Review');
    await pageUser.modal('Upload review').getByText('1 row skipped').waitFor();
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
    await question.getByText('Delete contact?').waitFor();
    assert.equal(contacts(), before);
    await question.getByRole('button', { name: 'Delete' }).click();
    await pageUser.modal('Deleted').waitFor();
    assert.equal(contacts(), before - 1);
    await pageUser.leaves('Close');
  });
});
