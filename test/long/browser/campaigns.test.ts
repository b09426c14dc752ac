import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { type Sandbox, startSandbox } from '../../../sandbox/sandbox.ts';
import { openStateFolder } from '../../../sandbox/state-folder.ts';
import { openBrowser } from '../../support/browser/chromium.ts';
import { openPage, type PageUser } from '../../support/browser/page-user.ts';
import { eventually, provided, reached, recipients } from '../../support/campaigns.ts';
import { profileEnv } from '../../support/provider/profile-file.ts';
import { reportHeader } from '../../support/reports/signed-report.ts';
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
      settings: {
        CAMPAIGN_MESSAGES_PER_SECOND: '25',
        ...profileEnv({ reportSignature: { header: reportHeader }, currency: 'NGN' }),
      },
    });
    pageUser = await openPage(browser, sandbox.url);
    sandbox.provider.approveSenderId('PalmSale');
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

  it('reviews the messages of a dropped file, and sends nothing yet', async () => {
    await pageUser.types('/sms bulk');
    await pageUser.uploads(
      'customers.csv',
      ['First name,Phone', ...numbers.map((number) => `Ada,${number}`), 'Eve,0803'].join('\n'),
    );
    await pageUser.fills('Message', 'Hello {{first_name|there}}, we open at nine');
    await pageUser.picks('Sender ID', 'PalmMarket');
    await pageUser.picks('Route', 'Transactional (DND)');
    await pageUser.presses('Review');
    const review = pageUser.modal('Campaign review');
    await review.getByText('120 recipients, 120 pages').waitFor();
    await review.getByText('Hello Ada, we open at nine').first().waitFor();
    await review.getByText('1 row skipped: 1 too short').waitFor();
    assert.equal(sandbox.provider.record.length, 0);
  });

  it('shows a start time in both zones, and can be set back to now', async () => {
    await pageUser.marks('Schedule');
    const review = pageUser.modal('Campaign review');
    await review.getByLabel('Date', { exact: true }).fill('2031-03-03');
    await review.getByLabel('Time', { exact: true }).fill('09:30');
    await review.getByText('3 Mar 2031, 10:30 AM WAT').waitFor();
    await pageUser.marks('Now');
    await review.getByLabel('Date', { exact: true }).waitFor({ state: 'detached' });
  });

  it('shows its progress, is paused and resumed, and ends as a summary', async () => {
    await pageUser.marks('A channel');
    await pageUser.presses('Send to 120');
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
    await pageUser.sees(/^Balance ₦24,490\S* \(today at \d/);
    await pageUser.page.getByRole('button', { name: 'support', exact: false }).first().click();
  });

  it('is in the list, and opens from there', async () => {
    await pageUser.types('/sms bulk list');
    await pageUser.modal('Campaigns').getByText('customers.csv').waitFor();
    await pageUser.presses('Open');
    await pageUser.modal('Campaign').getByText('120 recipients').waitFor();
    await pageUser.leaves('Close this window');
  });

  it('says why rows were skipped, and a fallback repairs those without a name', async () => {
    const [ada = '', ...others] = recipients(4);
    await pageUser.types('/sms bulk');
    const form = pageUser.modal('New campaign');
    // As the last campaign was sent.
    await form.getByRole('combobox', { name: 'Route' }).waitFor();
    assert.equal(await form.getByRole('combobox', { name: 'Route' }).inputValue(), 'Transactional (DND)');
    assert.equal(await form.getByRole('combobox', { name: 'Sender ID' }).inputValue(), 'PalmMarket');
    await pageUser.uploads(
      'orders.csv',
      ['First name,Phone', `Ada,${ada}`, ...others.map((number) => `,${number}`), 'Eve,8.03E+09'].join('\n'),
    );
    await pageUser.fills('Message', 'Hello {{first_name}}, we open at nine');
    await pageUser.presses('Review');
    const review = pageUser.modal('Campaign review');
    await review.getByText('1 recipient, 1 page').waitFor();
    await review
      .getByText(
        '4 rows skipped: 3 have no first_name: add a fallback like {{first_name|there}} · 1 shortened by Excel: format the column as text and export again',
      )
      .waitFor();
    await pageUser.presses('Edit');
    await form.getByText('Default: orders.csv, uploaded earlier.').waitFor();
    await pageUser.fills('Message', 'Hello {{first_name|there}}, we open at nine');
    await pageUser.presses('Review');
    await review.getByText('4 recipients, 4 pages').waitFor();
    await review.getByText('1 row skipped: 1 shortened by Excel').waitFor();
    await review.getByText('Hello there, we open at nine').first().waitFor();
    await pageUser.leaves('Close');
  });

  it('with two rows of headings and a column of accounts is read right after four clicks', async () => {
    const before = sandbox.provider.record.length;
    const [ada = '', bola = ''] = recipients(2).map((number) => number.replace('+234', '0'));
    await pageUser.types('/sms bulk');
    await pageUser.uploads(
      'members.csv',
      [
        'Member,Phone and savings,',
        'Who,Savings,Line',
        `Ada,8055550010,${ada}`,
        `Bola,8055550020,${bola}`,
      ].join('\n'),
    );
    await pageUser.fills('Message', 'We open at nine');
    await pageUser.presses('Review');
    const review = pageUser.modal('Campaign review');
    await review.getByText('Use the numbers in Phone and savings, such as').waitFor();
    const send = review.getByRole('button', { name: 'Send to 2', exact: true });
    assert.equal(await send.count(), 0);
    // A click opens a menu, and another one chooses.
    await pageUser.picks('Header row', 'Row 2 is the header');
    await review.getByText('Use the numbers in Savings, such as').waitFor();
    assert.equal(await send.count(), 0);
    await pageUser.picks('Phone number column', 'Line');
    await review.getByText(`Row 3: ${ada} · Ada`).waitFor();
    await send.click();
    await pageUser.modal('Started').waitFor();
    await pageUser.leaves('Close');
    await provided(sandbox.provider, before + 2);
    assert.deepEqual(reached(sandbox.provider.record.slice(before)), recipients(2));
  });

  it('replaces what phones and spreadsheets type, in the message and in the columns', async () => {
    const numbers = recipients(12);
    await pageUser.types('/sms bulk');
    await pageUser.uploads(
      'debts.csv',
      ['Phone,Sum', ...numbers.map((number) => `${number},₦500`)].join('\n'),
    );
    await pageUser.fills('Message', 'Reminder — you owe {{sum}}');
    const form = pageUser.modal('New campaign');
    await form.getByText('Can’t be sent: —').waitFor();
    await pageUser.presses('Replace with plain text');
    await form.getByText('Can’t be sent: —').waitFor({ state: 'detached' });
    assert.equal(
      await form.getByRole('textbox', { name: 'Message' }).inputValue(),
      'Reminder - you owe {{sum}}',
    );
    await pageUser.presses('Review');
    await pageUser.modal('Import failed').getByText('has characters that can’t be sent: ₦').waitFor();
    await pageUser.presses('Replace with plain text');
    const review = pageUser.modal('Campaign review');
    await review.getByText('12 recipients, 12 pages').waitFor();
    await review.getByText('Reminder - you owe NGN 500').first().waitFor();
    await pageUser.presses('Send to 12');
    await pageUser
      .modal('Started')
      .getByText('Follow the progress in your messages with Switchboard.')
      .waitFor();
    await pageUser.leaves('Close');
    await provided(sandbox.provider, 134);
    assert.deepEqual(
      sandbox.provider.record.slice(-12).map(({ text }) => text),
      numbers.map(() => 'Reminder - you owe NGN 500'),
    );
  });

  it('says what it costs and that the balance is short, once an admin has entered the price', async () => {
    await pageUser.page.getByRole('button', { name: 'Switchboard' }).first().click();
    await pageUser.page.getByRole('tab', { name: 'Home' }).click();
    await pageUser.presses('Open costs');
    await pageUser.presses('Open prices');
    await pageUser.presses('Add price');
    await pageUser.fills('Price of a page', '4.25');
    await pageUser.presses('Save');
    await pageUser.modal('Prices').getByText('All messages: ₦4.25 a page').waitFor();
    await pageUser.presses('Close');
    await pageUser.modal('Prices').waitFor({ state: 'detached' });
    await pageUser.leaves('Close');
    await pageUser.page.getByRole('button', { name: 'support', exact: false }).first().click();
    await pageUser.types('/sms bulk');
    await pageUser.uploads('everybody.csv', ['Phone', ...recipients(12_000)].join('\n'));
    await pageUser.fills('Message', 'We open at nine');
    await pageUser.presses('Review');
    const review = pageUser.modal('Campaign review');
    await review.getByText('12,000 recipients, 12,000 pages').waitFor();
    await review.getByText(/Cost: about ₦51,000 \(₦4\.25 a page, entered .*\) · balance ₦/).waitFor();
    await review.getByText('Balance too low for everyone.').waitFor();
    await review.getByRole('button', { name: 'Send anyway' }).waitFor();
    await pageUser.leaves('Close');
  });

  it('says where its progress really is, of a channel without the app', async () => {
    await pageUser.types('/sms bulk');
    await pageUser.marks('Paste numbers');
    await pageUser.fills('Phone numbers', numbers.slice(0, 2).join(', '));
    await pageUser.fills('Message', 'We open at nine');
    await pageUser.picks('Route', 'Transactional (DND)');
    await pageUser.presses('Review');
    const review = pageUser.modal('Campaign review');
    await review.waitFor();
    await pageUser.marks('A channel');
    await pageUser.picks('Channel', 'campaigns');
    await review.getByText('Progress will come to you instead.').waitFor();
    await pageUser.presses('Send to 2');
    const where =
      'Follow the progress in your messages with Switchboard, because Switchboard isn’t in #campaigns';
    await pageUser.modal('Started').getByText(where).waitFor();
    await pageUser.leaves('Close');
    await pageUser.page.getByRole('button', { name: 'Switchboard' }).first().click();
    await pageUser.sees('Not posted: Switchboard isn’t in #campaigns.');
    await pageUser.sees('Done:');
    // Nobody can write to the app in its own messages.
    await pageUser.page.getByRole('button', { name: 'support', exact: false }).first().click();
  });

  /** Fills in the form of a campaign to people with names, and has it reviewed. */
  async function compose(list: readonly string[], name: string): Promise<void> {
    await pageUser.types('/sms bulk');
    await pageUser.uploads(
      'friends.csv',
      ['First name,Phone', ...list.map((number) => `Ada,${number}`)].join('\n'),
    );
    await pageUser.fills('Message', `${name} {{first_name}}`);
    await pageUser.picks('Sender ID', 'PalmMarket');
    await pageUser.picks('Route', 'Transactional (DND)');
    await pageUser.fills('Name', name);
    await pageUser.presses('Review');
    await pageUser.modal('Campaign review').waitFor();
    await pageUser.marks('A channel');
  }

  async function schedules(at: Date): Promise<void> {
    const [date = '', time = ''] = at.toLocaleString('sv-SE', { timeZone: 'Africa/Lagos' }).split(' ');
    await pageUser.marks('Schedule');
    const review = pageUser.modal('Campaign review');
    await review.getByLabel('Date', { exact: true }).fill(date);
    await review.getByLabel('Time', { exact: true }).fill(time.slice(0, 5));
    await review.getByRole('button', { name: /^Schedule for / }).click();
    await pageUser.modal('Scheduled').waitFor();
    await pageUser.leaves('Close');
    await pageUser.sees('Scheduled for');
  }

  const sentBy = (name: string) => sandbox.provider.record.filter(({ text }) => text.startsWith(name));

  it('is cancelled midway, and the rest of it is sent with another sender ID, to exactly those not sent', async () => {
    await compose(numbers, 'Hi');
    await pageUser.presses('Send to 120');
    await pageUser.leaves('Close');
    await pageUser.sees('Sending:');
    await eventually(() => sentBy('Hi').length > 0, 'the first messages');
    await pageUser.chooses('Cancel campaign');
    await pageUser.modal('Cancel campaign').getByText('won’t get it. This can’t be undone.').waitFor();
    await pageUser.presses('Cancel campaign');
    const status = pageUser.modal('Campaign');
    await status.getByText(/\d+ not sent/).waitFor();
    assert.equal(await status.getByText('%').count(), 0, 'no bar');
    const cancelledAt = sentBy('Hi').length;
    assert.ok(cancelledAt > 0 && cancelledAt < 120);
    if ((await status.getByText('still being sent').count()) > 0) {
      await pageUser.presses('Refresh');
    }
    await pageUser.presses('Follow up…');
    await pageUser.marks(`Not sent (${120 - cancelledAt})`);
    await pageUser.presses('Review');
    await pageUser.modal('Campaign review').waitFor();
    await pageUser.presses('Edit');
    const form = pageUser.modal('New campaign');
    await form.getByText(`${120 - cancelledAt} recipients of Hi · not sent`).waitFor();
    assert.equal(await form.getByRole('textbox', { name: 'Name' }).inputValue(), 'Hi (follow-up: not sent)');
    await pageUser.picks('Sender ID', 'PalmSale');
    await pageUser.fills('Message', 'Hi again {{first_name}}');
    await pageUser.presses('Review');
    await pageUser.modal('Campaign review').getByText('Hi again Ada').first().waitFor();
    await pageUser.marks('A channel');
    await pageUser.presses(`Send to ${120 - cancelledAt}`);
    await pageUser.modal('Started').waitFor();
    await pageUser.leaves('Close this window');
    await pageUser.sees('Hi (follow-up: not sent)');
    await pageUser.sees(`Done: ${120 - cancelledAt} recipients`);
    assert.deepEqual(reached(sentBy('Hi')), [...numbers].sort(), 'everybody once');
    const again = sentBy('Hi again Ada');
    assert.equal(again.length, 120 - cancelledAt);
    assert.ok(again.every(({ from }) => from === 'PalmSale'));
  });

  it('that is scheduled follows the do-not-contact list, and does not run with nobody left', async () => {
    const [one = '', two = ''] = recipients(2);
    await compose([one, two], 'Later');
    await schedules(new Date(Date.now() + 24 * 60 * 60_000));
    await pageUser.sees(/Scheduled for .*: 2 recipients/);
    for (const [number, words] of [
      [one, /Scheduled for .*: 1 recipient/],
      [two, 'Cancelled: no recipients left.'],
    ] as const) {
      await pageUser.types(`/sms do-not-contact ${number}`);
      await pageUser.page.getByRole('button', { name: /^Add \+234/ }).click();
      await pageUser.leaves('Close');
      await pageUser.sees(words);
    }
    assert.deepEqual(sentBy('Later'), []);
  });

  it('shows what the provider charged for it, where that reports costs', async () => {
    await pageUser.types('/switchboard ');
    await pageUser.presses('Open reports');
    await pageUser.presses('Create webhook URL');
    const reports = pageUser.modal('Delivery reports');
    await reports.getByText('Created. Enter it').waitFor();
    const [path] =
      /\/provider\/reports\/[\w-]{43}/.exec(await reports.innerText()) ?? assert.fail('no address');
    await pageUser.leaves('Close this window');
    const [app] = sandbox.instances;
    assert.ok(app);
    sandbox.provider.webhook.set({
      url: `http://127.0.0.1:${app.port}${path}`,
      header: reportHeader,
      delayMs: 0,
    });
    await compose(recipients(5).slice(2), 'Thanks');
    await pageUser.presses('Send to 3');
    await pageUser.leaves('Close');
    await pageUser.sees('Done: 3 recipients');
    await sandbox.provider.webhook.settled();

    // The message is where everybody reads it, so it has no costs; a modal that is open does not show what comes later.
    const cost = pageUser.modal('Campaign').getByText('₦12.75 charged for 3 messages');
    const listed = pageUser.modal('Campaigns').locator('.block', { hasText: 'Thanks' });
    let isCounted = false;
    while (!isCounted) {
      await pageUser.types('/sms bulk list');
      await listed.getByRole('button', { name: 'Open' }).click();
      await pageUser.modal('Campaign').getByText('Done: 3 recipients').waitFor();
      isCounted = (await cost.count()) > 0;
      await pageUser.leaves('Close this window');
    }
    await pageUser.page.getByRole('button', { name: 'Switchboard' }).first().click();
    await pageUser.page.getByRole('tab', { name: 'Home' }).click();
    await pageUser.sees('All messages this month: ₦12.75 for 3 messages');
    await pageUser.presses('Open costs');
    await pageUser.modal('Costs').getByText('₦12.75 for 3 messages').first().waitFor();
    await pageUser.leaves('Close');
  });
});
