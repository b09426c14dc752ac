import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../../../../test/support/browser/chromium.ts';
import type { Phone, PhoneEntry } from '../../../provider/phones/phones.ts';
import { now } from './gallery.ts';
import { openPage } from './open-page.ts';

let browser: Browser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

const at = (minutesAgo: number): string => new Date((now - minutesAgo * 60) * 1000).toISOString();

const received = (id: string, minutesAgo: number, text: string, more: Partial<PhoneEntry> = {}): PhoneEntry =>
  ({
    direction: 'received',
    id,
    at: at(minutesAgo),
    text,
    channel: 'dnd',
    delivery: 'Delivered',
    reports: [],
    ...more,
  }) as PhoneEntry;

const account = { account: 'a-key', holder: 'Palm Market' };

function phones(): Phone[] {
  return [
    {
      number: '2348030000011',
      network: 'MTN Nigeria',
      conversations: [
        {
          ...account,
          id: 'a-key 55019',
          sender: '55019',
          canReply: true,
          texts: [
            received('1', 1600, 'Do you want to hear of offers?'),
            { direction: 'sent', id: '2', at: at(30), text: 'Yes', channel: 'generic' },
            received('3', 9, '<b>Thank you</b>', {
              reports: [
                { status: 'Message Sent', outcome: 'lost' },
                { status: 'DELIVERED', outcome: 200 },
              ],
            }),
          ],
        },
        {
          ...account,
          id: 'a-key PalmMarket',
          sender: 'PalmMarket',
          canReply: false,
          texts: [received('4', 40, 'Your order is on its way.', { delivery: 'Expired' })],
        },
      ],
    },
    {
      number: '447700900123',
      conversations: [
        {
          ...account,
          id: 'a-key ',
          sender: '',
          canReply: false,
          texts: [received('5', 50, '0471', { channel: 'voice' })],
        },
      ],
    },
  ];
}

const open = (more: { width?: number } = {}) =>
  openPage(browser, {
    hash: '#as=U0AGENT&panel=phone',
    prepare: (feed) => {
      feed.phones = phones();
    },
    ...more,
  });

test('says what to do while no phone has received anything', async () => {
  await using opened = await openPage(browser, { hash: '#panel=phone' });
  await opened.page.getByText('No phone has received anything yet').waitFor();
});

test('shows the conversations of the phone with the newest text, and how each text ended', async () => {
  await using opened = await open();
  const { page, faults } = opened;
  const handset = page.getByRole('region', { name: 'Phone +234 803 000 0011' });
  await handset.getByText('MTN Nigeria').waitFor();
  await handset.getByRole('button', { name: /PalmMarket.*Not delivered/ }).click();
  await handset.getByText('Not delivered: Expired').waitFor();
  await handset.getByText('PalmMarket is a name, so it can’t receive replies.').waitFor();
  assert.equal(await handset.getByRole('textbox').count(), 0);
  await handset.getByRole('button', { name: 'Back to the messages' }).click();
  await handset.getByRole('button', { name: /55019/ }).click();
  const texts = handset.getByRole('list', { name: 'Texts of 55019' }).getByRole('listitem');
  assert.equal(await texts.count(), 3);
  await texts.nth(0).getByText('Yesterday').or(texts.nth(0).getByText('Sunday')).first().waitFor();
  await texts.nth(2).getByText('<b>Thank you</b>').waitFor();
  await texts.nth(2).getByText('Reported: Message Sent (lost), DELIVERED').waitFor();
  assert.deepEqual(faults, []);
});

test('sends a reply of the phone that is shown', async () => {
  await using opened = await open();
  const { page, feed } = opened;
  await page.getByRole('button', { name: /55019/ }).click();
  const reply = page.getByRole('textbox', { name: 'Reply to 55019' });
  const send = page.getByRole('button', { name: 'Send reply' });
  assert.equal(await send.isDisabled(), true);
  await reply.fill(' STOP ');
  await send.click();
  await page.waitForFunction(() => document.querySelector<HTMLInputElement>('.reply input')?.value === '');
  assert.deepEqual(feed.replies, [{ number: '2348030000011', conversation: 'a-key 55019', text: 'STOP' }]);
});

test('finds another phone by its digits, and shows what arrives on it', async () => {
  await using opened = await open();
  const { page, feed } = opened;
  await page.getByRole('combobox', { name: 'Phone' }).fill('7700');
  await page.getByRole('option', { name: '+447700900123' }).click();
  const handset = page.getByRole('region', { name: 'Phone +447700900123' });
  await handset.getByRole('button', { name: /Voice call/ }).click();
  await handset.getByText('A voice says').waitFor();
  await handset.getByText('You can’t reply to a call by text.').waitFor();
  feed.phones[1]?.conversations[0]?.texts.push(received('6', 0, '9982', { channel: 'voice' }));
  await handset.getByText('9982').waitFor();
});

test('enters a webhook with its signature and what happens on the way, and removes it', async () => {
  await using opened = await openPage(browser, { hash: '#panel=guide' });
  const { page, feed } = opened;
  const panel = page.getByRole('complementary', { name: 'Sandbox' });
  await panel.getByText('No report is sent until an address is entered.').waitFor();
  await panel.getByRole('row', { name: /\+2348030009703.*It expires/ }).waitFor();
  await panel.getByRole('textbox', { name: 'Webhook address' }).fill('/provider/reports/x');
  await panel.getByText('Signature and body').click();
  await panel.getByRole('combobox', { name: 'Hash' }).selectOption('sha256');
  await panel.getByRole('textbox', { name: 'Secret' }).fill('palm-signing-8841');
  await panel.getByText('Problems on the way').click();
  await panel.getByRole('spinbutton', { name: 'Lost reports, %' }).fill('7');
  await panel.getByRole('spinbutton', { name: 'Delay of each report, in seconds' }).fill('0.5');
  await panel.getByRole('button', { name: 'Enter webhook' }).click();
  await panel.getByText('Reports and replies go to this address.').waitFor();
  assert.deepEqual(feed.changes, [
    {
      webhook: {
        url: 'http://127.0.0.1:4302/provider/reports/x',
        header: 'X-Provider-Signature',
        hash: 'sha256',
        encoding: 'hex',
        secret: 'palm-signing-8841',
        wrapped: false,
        delayMs: 500,
        seed: 1,
        lossRate: 0.07,
        duplicateRate: 0,
        reorderRate: 0,
        forgeryRate: 0,
      },
    },
  ]);
  assert.ok(
    await page.evaluate(() => document.documentElement.scrollHeight <= window.innerHeight),
    'only the drawer scrolls',
  );
  feed.problem = 'The address must be one of this machine.';
  await panel.getByRole('button', { name: 'Change webhook' }).click();
  await page.getByText('The address must be one of this machine.').waitFor();
  feed.problem = undefined;
  const lost = panel.getByRole('spinbutton', { name: 'Lost reports, %' });
  await lost.fill('101');
  await panel.getByText('Problems on the way').click();
  await lost.waitFor({ state: 'hidden' });
  await panel.getByRole('button', { name: 'Change webhook' }).click();
  await lost.waitFor();
  assert.equal(feed.changes.length, 2, 'what is wrong is not sent');
  await panel.getByRole('button', { name: 'Remove webhook' }).click();
  await panel.getByText('No report is sent until an address is entered.').waitFor();
  assert.deepEqual(feed.changes.at(-1), { webhook: null });
  assert.equal(await panel.getByRole('textbox', { name: 'Webhook address' }).inputValue(), '');
});

test('fits a narrow window', async () => {
  await using opened = await open({ width: 390 });
  const { page } = opened;
  await page.getByRole('button', { name: /55019/ }).click();
  await page.getByRole('textbox', { name: 'Reply to 55019' }).waitFor();
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
});
