import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../../../../test/support/browser/chromium.ts';
import type { FakeServer } from './fake-server.ts';
import { everyInput, modal } from './gallery.ts';
import { openPage } from './open-page.ts';

let browser: Browser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

const option = (value: string) => ({ text: { type: 'plain_text', text: value }, value });

const withModal = {
  prepare: ({ snapshot }: FakeServer) => void snapshot.modals.push(modal(structuredClone(everyInput))),
};

test('names every input and takes its value', async () => {
  await using opened = await openPage(browser, withModal);
  const { page, feed, faults } = opened;
  const dialog = page.getByRole('dialog', { name: 'Every input' });
  await dialog.getByRole('radio', { name: 'Media' }).check();
  await dialog.getByRole('checkbox', { name: 'Ask first' }).check();
  await dialog.getByLabel('Day (optional)').fill('2026-03-09');
  await dialog.getByLabel('Hour (optional)').fill('08:30');
  await dialog.getByRole('button', { name: 'Send' }).click();
  await feed.next('submit');
  const values = feed.snapshot.modals[0]?.values ?? {};
  const chosen = (block: string, key: string) => values[block]?.value?.[key];
  assert.deepEqual(chosen('kind', 'selected_option'), {
    text: { type: 'plain_text', text: 'Media', emoji: true },
    value: 'media',
    description: { type: 'plain_text', text: 'A picture or a document, with a caption', emoji: true },
  });
  assert.equal(chosen('day', 'selected_date'), '2026-03-09');
  assert.equal(chosen('hour', 'selected_time'), '08:30');
  assert.deepEqual(faults, []);
});

test('sends typed text before the submission', async () => {
  await using opened = await openPage(browser, withModal);
  const { page, feed } = opened;
  await page.getByRole('textbox', { name: 'Recipients' }).fill('+2348031234567');
  await page.getByRole('textbox', { name: 'Name' }).fill('Ada');
  await page.keyboard.press('Enter');
  await feed.next('submit');
  assert.deepEqual(
    feed.actions.map((action) => action.do),
    ['fill', 'fill', 'submit'],
  );
  assert.equal(feed.snapshot.modals[0]?.values.name?.value?.value, 'Ada');
});

test('keeps typed text when the modal is updated', async () => {
  await using opened = await openPage(browser, withModal);
  const { page, feed } = opened;
  const recipients = page.getByRole('textbox', { name: 'Recipients' });
  await recipients.pressSequentially('+234');
  const view = feed.snapshot.modals[0];
  assert.ok(view);
  view.view = { ...view.view, title: { type: 'plain_text', text: 'Another title' } };
  feed.changed();
  await page.getByRole('dialog', { name: 'Another title' }).waitFor();
  await recipients.pressSequentially('803');
  assert.equal(await recipients.inputValue(), '+234803');
});

test('shows no error for text typed while the modal closes', async () => {
  await using opened = await openPage(browser, withModal);
  const { page, feed } = opened;
  feed.answer = (action) => {
    if (action.do === 'close') {
      feed.snapshot.modals = [];
    }
    return {};
  };
  await page.getByRole('textbox', { name: 'Name' }).fill('Ada');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.deepEqual(
    feed.actions.map((action) => action.do),
    ['fill', 'close'],
  );
});

test('sends each character of an input with on_character_entered, and of no other', async () => {
  await using opened = await openPage(browser, withModal);
  const { page, feed } = opened;
  await page.getByRole('textbox', { name: 'Message' }).fill('Hello {');
  const { blockId, state } = await feed.next('action');
  assert.deepEqual([blockId, state], ['live', { type: 'plain_text_input', value: 'Hello {' }]);
  await page.getByRole('textbox', { name: 'Recipients' }).fill('1');
  assert.equal((await feed.next('fill')).blockId, 'recipients');
});

test('shows an error in the open modal', async () => {
  await using opened = await openPage(browser, withModal);
  const { page, feed } = opened;
  feed.answer = ({ do: kind }) => (kind === 'action' ? { trouble: 'The app did not answer.' } : {});
  await page.getByRole('textbox', { name: 'Message' }).fill('Hello');
  await page.getByRole('dialog').getByText('The app did not answer.').waitFor();
});

test('shows an error beside its field, describes the field by it and focuses the field', async () => {
  await using opened = await openPage(browser, withModal);
  const { page, feed } = opened;
  const name = page.getByRole('textbox', { name: 'Name' });
  feed.answer = (action) => {
    const view = feed.snapshot.modals[0];
    if (action.do === 'submit' && view) {
      view.errors = { name: 'This name is taken.' };
    }
    return {};
  };
  await name.fill('Ada');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('This name is taken.').waitFor();
  assert.equal(await name.getAttribute('aria-invalid'), 'true');
  const description = await name.getAttribute('aria-describedby');
  await page.locator(`[id="${description}"]`).getByText('This name is taken.').waitFor();
  assert.ok(await name.evaluate((input) => input === document.activeElement));
});

test('asks the app for options of an external select, and picks one by keyboard', async () => {
  await using opened = await openPage(browser, withModal);
  const { page, feed } = opened;
  feed.answer = (action) =>
    action.do === 'options' ? { answer: { options: ['PalmMarket', `${action.query}!`].map(option) } } : {};
  const sender = page.getByRole('combobox', { name: 'Sender ID' });
  await sender.click();
  await page.getByRole('option', { name: 'PalmMarket' }).waitFor();
  await sender.fill('Acme');
  await page.getByRole('option', { name: 'Acme!' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const field = await sender.elementHandle();
  assert.deepEqual((await feed.next('fill')).state, {
    type: 'external_select',
    selected_option: option('Acme!'),
  });
  await page.waitForFunction((input) => input instanceof HTMLInputElement && input.value === 'Acme!', field);
});

test('shows a failed search in the list', async () => {
  await using opened = await openPage(browser, withModal);
  const { page, feed } = opened;
  feed.answer = () => ({ trouble: 'operation_timeout' });
  await page.getByRole('combobox', { name: 'Sender ID' }).click();
  await page.getByRole('status').getByText('operation_timeout').waitFor();
});

test('closes an open list on Esc before the modal', async () => {
  await using opened = await openPage(browser, withModal);
  const { page, feed } = opened;
  feed.answer = (action) => (action.do === 'options' ? { answer: { options: [option('PalmMarket')] } } : {});
  await page.getByRole('combobox', { name: 'Sender ID' }).click();
  await page.getByRole('option', { name: 'PalmMarket' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('option', { name: 'PalmMarket' }).waitFor({ state: 'hidden' });
  assert.deepEqual(
    feed.actions.map((action) => action.do),
    ['options'],
  );
  await page.keyboard.press('Escape');
  assert.equal((await feed.next('close')).all, false);
});

test('keeps what was chosen on Esc, which closes the list and then the modal', async () => {
  const prepare = ({ snapshot }: FakeServer) => {
    const values = { sender: { value: { type: 'external_select', selected_option: option('PalmMarket') } } };
    snapshot.modals.push(modal(structuredClone(everyInput), { values }));
  };
  await using opened = await openPage(browser, { prepare });
  const { page, feed } = opened;
  feed.answer = (action) => (action.do === 'options' ? { answer: { options: [option('Acme')] } } : {});
  const sender = page.getByRole('combobox', { name: 'Sender ID' });
  for (const typed of ['', 'acm']) {
    await sender.click();
    await sender.pressSequentially(typed);
    await page.getByRole('option', { name: 'Acme' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('option', { name: 'Acme' }).waitFor({ state: 'hidden' });
    assert.equal(await sender.inputValue(), 'PalmMarket');
  }
  assert.deepEqual([...new Set(feed.actions.map((action) => action.do))], ['options']);
  await page.keyboard.press('Escape');
  assert.equal((await feed.next('close')).all, false);
});

test('keeps the width of a field, however long a word in it is', async () => {
  await using opened = await openPage(browser, withModal);
  const recipients = opened.page.getByRole('textbox', { name: 'Recipients' });
  const width = async () => (await recipients.boundingBox())?.width;
  const before = await width();
  await recipients.fill('2348031234567'.repeat(30));
  assert.equal(await width(), before);
});

test('shows the top of a stack; Back closes it, the cross closes all', async () => {
  const prepare = ({ snapshot }: FakeServer) => {
    snapshot.modals.push(
      modal(everyInput),
      modal({ ...everyInput, title: { type: 'plain_text', text: 'On top' } }, { id: 'V2' }),
    );
  };
  await using opened = await openPage(browser, { prepare });
  const { page, feed } = opened;
  await page.getByRole('dialog', { name: 'On top' }).waitFor();
  await page.getByRole('button', { name: 'Close this window' }).click();
  const all = await feed.next('close');
  assert.deepEqual([all.viewId, all.all], ['V2', true]);
  feed.answer = (action) => {
    if (action.do === 'close') {
      feed.snapshot.modals.pop();
    }
    return {};
  };
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('dialog', { name: 'Every input' }).waitFor();
});

test('moves the focus into the modal, keeps it there and returns it to the composer', async () => {
  await using opened = await openPage(browser, {
    prepare: (given) => {
      withModal.prepare(given);
      given.snapshot.notices = [];
    },
  });
  const { page, feed } = opened;
  const focused = () =>
    page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.id);
  await page.getByRole('dialog').waitFor();
  assert.equal(await focused(), 'V1-recipients-value');
  await page.keyboard.press('Shift+Tab');
  assert.equal(await focused(), 'Close this window');
  feed.answer = () => {
    feed.snapshot.modals = [];
    return {};
  };
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.equal(await focused(), 'Message #support');
});

test('picks several in a multi-select, and takes one away', async () => {
  await using opened = await openPage(browser, withModal);
  const { page, feed, faults } = opened;
  const stateOf = (block: string) => feed.snapshot.modals[0]?.values[block]?.value;
  const fill = () => feed.next('fill');
  const people = page.getByRole('combobox', { name: 'People' });
  assert.equal(await people.locator('option', { hasText: '@grace' }).count(), 0, 'she is chosen already');
  await people.selectOption('@ada');
  await fill();
  assert.deepEqual(stateOf('people'), { type: 'multi_users_select', selected_users: ['U0ADMIN', 'U0AGENT'] });
  feed.changed();
  await page.getByRole('button', { name: 'Remove @grace' }).click();
  await fill();
  assert.deepEqual(stateOf('people')?.selected_users, ['U0AGENT']);

  feed.answer = (action) =>
    action.do === 'options' ? { answer: { options: ['One', 'Two', 'Three'].map(option) } } : {};
  for (const name of ['One', 'Two']) {
    await page.getByRole('combobox', { name: 'User groups' }).click();
    await page.getByRole('option', { name, exact: true }).click();
    await fill();
    feed.changed();
    await page.getByRole('button', { name: `Remove ${name}` }).waitFor();
  }
  assert.deepEqual(stateOf('teams')?.selected_options, [option('One'), option('Two')]);
  await page.getByRole('combobox', { name: 'User groups' }).click();
  await page.getByText('No results').waitFor();

  await page.getByRole('combobox', { name: 'Channels' }).selectOption('#support');
  await fill();
  assert.deepEqual(stateOf('rooms')?.selected_conversations, ['C0SUPPORT']);
  assert.deepEqual(faults, []);
});
