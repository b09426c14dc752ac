import type { Browser, Locator, Page } from 'playwright-core';

/** A user of the sandbox's page in a real browser, who acts by the visible text. */
export interface PageUser {
  page: Page;
  /** Switches to another user: Ada, Grace, Guy or Sam. */
  be(name: string): Promise<void>;
  /** Types into the composer and presses Enter. */
  types(text: string): Promise<void>;
  /** The top modal, once it has this title. */
  modal(title: string | RegExp): Locator;
  fills(label: string, value: string): Promise<void>;
  /** Chooses an option of a select by label. */
  picks(label: string, option: string): Promise<void>;
  /** Selects a radio button by the beginning of its text. */
  marks(option: string): Promise<void>;
  /** Uploads a file through the modal's file input, and waits until it is uploaded. */
  uploads(name: string, content: string): Promise<void>;
  presses(button: string | RegExp): Promise<void>;
  /** Chooses an option of the app’s last menu behind three dots. */
  chooses(option: string): Promise<void>;
  /** Presses a button that closes the modal or the whole stack, and waits until it is closed. */
  leaves(button: 'Close' | 'Cancel' | 'Close this window'): Promise<void>;
  /** Waits until this text is on the page. */
  sees(words: string | RegExp): Promise<void>;
}

const patience = 60_000;

export async function openPage(browser: Browser, url: string, width = 1280): Promise<PageUser> {
  const context = await browser.newContext({ viewport: { width, height: 800 } });
  const page = await context.newPage();
  page.setDefaultTimeout(patience);
  await page.goto(url);
  const top = () => page.getByRole('dialog').last();
  async function presses(button: string | RegExp): Promise<void> {
    const inModal = top().getByRole('button', { name: button, exact: true });
    const anywhere = page.getByRole('button', { name: button, exact: true });
    await ((await top().count()) > 0 ? inModal : anywhere).last().click();
  }
  return {
    page,
    async be(name) {
      await page.getByRole('button', { name: /^You are/ }).click();
      await page.getByRole('button', { name: new RegExp(`^${name}`) }).click();
      await page.getByRole('button', { name: `You are ${name}` }).waitFor();
    },
    async types(text) {
      const composer = page.getByRole('combobox', { name: /^Message/ });
      await composer.fill(text);
      await composer.press('Enter');
    },
    modal: (title) => page.getByRole('dialog', { name: title }),
    fills: (label, value) => top().getByRole('textbox', { name: label }).fill(value),
    async picks(label, option) {
      const select = top().getByRole('combobox', { name: label });
      await select.waitFor();
      if ((await select.locator('option').count()) > 0) {
        await select.selectOption(await select.locator('option', { hasText: option }).first().innerText());
      } else {
        await select.click();
        await page.getByRole('listbox').getByRole('option', { name: option }).first().click();
      }
    },
    marks: (option) => top().getByRole('radio', { name: option }).check(),
    async uploads(name, content) {
      const file = { name, mimeType: 'text/csv', buffer: Buffer.from(content) };
      await top().locator('input[type=file]').setInputFiles(file);
      await top().getByText(name).waitFor();
    },
    presses,
    async chooses(option) {
      const within = (await top().count()) > 0 ? top() : page;
      await within.locator('button.button[aria-label="More actions"]').last().click();
      await presses(option);
    },
    async leaves(button) {
      await presses(button);
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    },
    sees: (words) => page.getByText(words).last().waitFor(),
  };
}
