import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../../../../test/support/browser/chromium.ts';
import { openPage } from './open-page.ts';

let browser: Browser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

test('completes a command by keyboard and sends it with its text', async () => {
  await using opened = await openPage(browser);
  const { page, feed } = opened;
  const composer = page.getByRole('combobox', { name: 'Message #support' });
  await composer.pressSequentially('/');
  const options = page.getByRole('listbox', { name: 'Commands' }).getByRole('option');
  assert.equal(await options.count(), 3);
  await composer.pressSequentially('s');
  await composer.press('ArrowDown');
  assert.equal(await options.nth(1).getAttribute('aria-selected'), 'true');
  await composer.press('ArrowUp');
  await composer.press('Tab');
  assert.equal(await composer.inputValue(), '/sms ');
  await page.getByText('Send an SMS to one or many').waitFor();
  await composer.pressSequentially('+2348031234567 Hello  you');
  await composer.press('Enter');
  const { person, channel, command, text } = await feed.next('command');
  assert.deepEqual(
    [person, channel, command, text],
    ['U0AGENT', 'C0SUPPORT', '/sms', '+2348031234567 Hello  you'],
  );
  assert.equal(await composer.inputValue(), '');
});

test('runs the selected command on Enter and hides the list on Esc', async () => {
  await using opened = await openPage(browser);
  const { page, feed } = opened;
  const composer = page.getByRole('combobox', { name: 'Message #support' });
  await composer.pressSequentially('/dnd');
  await composer.press('Escape');
  await page.getByRole('listbox', { name: 'Commands' }).waitFor({ state: 'detached' });
  await composer.pressSequentially('-');
  await composer.press('Enter');
  assert.equal((await feed.next('command')).command, '/dnd-check');
});

test('sends text without a slash as a message, and replies in a thread', async () => {
  await using opened = await openPage(browser);
  const { page, feed } = opened;
  const composer = page.getByRole('combobox', { name: 'Message #support' });
  await composer.fill('Good morning');
  await page.getByRole('button', { name: 'Send message' }).click();
  assert.equal((await feed.next('message')).text, 'Good morning');
  const first = page.getByRole('article', { name: /^Grace Bello/ });
  await first.hover();
  await first.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('button', { name: 'Reply in thread' }).click();
  await composer.fill('Yes');
  await composer.press('Enter');
  const reply = await feed.next('message');
  assert.equal(reply.threadTs, feed.snapshot.messages[0]?.ts);
});

test('keeps unsent text in its channel', async () => {
  await using opened = await openPage(browser);
  const { page } = opened;
  await page.getByRole('combobox', { name: 'Message #support' }).fill('For support only');
  await page.getByRole('button', { name: 'campaigns' }).click();
  assert.equal(await page.getByRole('combobox', { name: 'Message #campaigns' }).inputValue(), '');
  await page.getByRole('button', { name: 'support' }).click();
  assert.equal(
    await page.getByRole('combobox', { name: 'Message #support' }).inputValue(),
    'For support only',
  );
  await page.getByRole('button', { name: 'old-news' }).click();
  await page.getByText('#old-news is archived.').waitFor();
});

test('offers a message shortcut in the menu of a message', async () => {
  await using opened = await openPage(browser);
  const { page, feed } = opened;
  const first = page.getByRole('article', { name: /^Grace Bello/ });
  await first.getByRole('button', { name: 'More actions' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  const { callbackId, message } = await feed.next('shortcut');
  assert.equal(callbackId, 'check');
  assert.equal(message?.ts, feed.snapshot.messages[0]?.ts);
});

test('sends one action while a button waits for the app', async () => {
  await using opened = await openPage(browser);
  const { page, feed } = opened;
  const held = Promise.withResolvers<void>();
  feed.answer = async () => {
    await held.promise;
    return {};
  };
  const button = page.getByRole('article').getByRole('button', { name: 'Send', exact: true });
  await button.dblclick();
  await page.locator('button[aria-busy=true]').waitFor();
  held.resolve();
  const { blockId, actionId, container, state } = await feed.next('action');
  assert.deepEqual([blockId, actionId, container.type, state], ['buttons', 'send', 'message', undefined]);
  await page.locator('button[aria-busy=true]').waitFor({ state: 'detached' });
  assert.equal(feed.actions.length, 1);
});

test('asks for confirmation before an action', async () => {
  await using opened = await openPage(browser);
  const { page, feed } = opened;
  const button = page.getByRole('article').getByRole('button', { name: 'Cancel', exact: true });
  const dialog = page.getByRole('alertdialog', { name: 'Cancel this?' });
  await button.click();
  await dialog.getByRole('button', { name: 'Keep it' }).click();
  await dialog.waitFor({ state: 'detached' });
  await button.click();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  assert.deepEqual(feed.actions, []);
  await button.click();
  await dialog.getByRole('button', { name: 'Yes, cancel' }).click();
  assert.equal((await feed.next('action')).actionId, 'cancel');
});

test('sends a choice in a message at once and keeps it', async () => {
  await using opened = await openPage(browser);
  const { page, feed } = opened;
  const select = page.getByRole('article').getByRole('combobox', { name: 'Choose a route' });
  await select.selectOption('Voice');
  const { state } = await feed.next('action');
  const option = { text: { type: 'plain_text', text: 'Voice', emoji: true }, value: 'voice' };
  assert.deepEqual(state, { type: 'static_select', selected_option: option });
  assert.equal(await select.inputValue(), 'Voice');
});

test('reports the opened Home tab to the app and draws its blocks', async () => {
  await using opened = await openPage(browser, { hash: '#as=U0AGENT&in=app&panel=closed' });
  const { page, feed } = opened;
  await page.getByRole('tab', { name: 'Home' }).click();
  await page.getByRole('tabpanel').getByRole('heading', { name: 'Good morning' }).waitFor();
  assert.equal((await feed.next('home')).person, 'U0AGENT');
  await page.getByRole('button', { name: 'Details' }).click();
  assert.deepEqual((await feed.next('action')).container, { type: 'view', viewId: 'VHOME' });
});

test('takes a notice away at the next action', async () => {
  await using opened = await openPage(browser);
  const { page, feed } = opened;
  const stale = page.getByRole('status').getByText('dispatch_failed');
  await stale.waitFor();
  await page.getByRole('article').getByRole('button', { name: 'Edit' }).click();
  await feed.next('action');
  await stale.waitFor({ state: 'detached' });
});

test('begins as the admin, who connects the provider', async () => {
  await using opened = await openPage(browser, { hash: '' });
  const { page, feed } = opened;
  await page.getByRole('combobox', { name: 'Message #support' }).fill('/sms');
  await page.getByRole('combobox', { name: 'Message #support' }).press('Enter');
  assert.equal((await feed.next('command')).person, 'U0ADMIN');
});

test('shows a failure as a notice that can be dismissed', async () => {
  await using opened = await openPage(browser);
  const { page, feed } = opened;
  const notices = page.getByRole('status').filter({ hasText: 'dispatch_failed' });
  await notices.getByRole('button', { name: 'Dismiss' }).click();
  await notices.waitFor({ state: 'detached' });
  feed.answer = () => ({ trouble: 'Operation timed out.' });
  await page.getByRole('article').getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('status').getByText('Operation timed out.').waitFor();
});
