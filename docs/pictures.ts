import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Locator } from 'playwright-core';
import { aheadUntil } from '../src/sandbox/clock.ts';
import { startSandbox } from '../src/sandbox/sandbox.ts';
import { openStateFolder } from '../src/sandbox/state-folder.ts';
import { openBrowser } from '../test/support/browser.ts';
import { type Desk, sitDown } from '../test/support/desk.ts';
import { contacts } from './scenes/contacts.ts';
import { esim, esimMessages, esimStatus } from './scenes/esims.ts';
import { otp, sms } from './scenes/messages.ts';
import { dndCheck, number, senderId } from './scenes/numbers.ts';
import type { Camera } from './scenes/stage.ts';
import { connecting, home } from './scenes/switchboard.ts';

/** In this order: each finds what those before it left. */
const scenes = [
  connecting,
  sms,
  otp,
  dndCheck,
  number,
  senderId,
  contacts,
  esim,
  esimStatus,
  home,
  esimMessages,
];

/** `npm run pictures`: plays every scene in a sandbox of its own, and writes what it shows to docs/pictures. */
async function main(): Promise<void> {
  await using cleanUp = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-pictures-'));
  cleanUp.defer(() => rm(folder, { recursive: true, force: true }));
  const sandbox = await startSandbox({
    folder: await openStateFolder(join(folder, 'state')),
    transport: 'http',
    // A time of day at which nothing is quiet, the same in every run.
    ahead: aheadUntil('10:24', new Date()),
  });
  cleanUp.defer(() => sandbox.stop());
  const browser = await openBrowser();
  cleanUp.defer(() => browser.close());
  const desk = await sitDown(browser, sandbox.url);
  for (const scene of scenes) {
    await scene({ desk, sandbox, camera: cameraAt(desk) });
  }
}

function cameraAt({ page }: Desk): Camera {
  const shoot = async (what: Locator, name: string) => {
    // Away from where it would bring out what shows under it.
    await page.mouse.move(0, 0);
    await what.screenshot({ path: fileOf(name), animations: 'disabled', caret: 'hide' });
    process.stdout.write(`${name}.png\n`);
  };
  return {
    async modal(name) {
      // As tall as it is, where the window would make it scroll.
      const style = await page.addStyleTag({ content: wholeModal });
      await page.setViewportSize({ width: 1280, height: 2000 });
      await shoot(page.getByRole('dialog').last(), name);
      await style.evaluate((element) => element.parentNode?.removeChild(element));
      await page.setViewportSize({ width: 1280, height: 800 });
    },
    message: (name) => shoot(page.locator('.message').last(), name),
    home: (name) => shoot(page.locator('home-view'), name),
    async page(name) {
      await page.screenshot({ path: fileOf(name), animations: 'disabled', caret: 'hide' });
      process.stdout.write(`${name}.png\n`);
    },
  };
}

const wholeModal = `
  .modal { border-radius: 0; margin-top: 0; max-height: none }
  dialog::backdrop { background: var(--paper-raised) }
  ::selection { background: none; color: inherit }`;

function fileOf(name: string): string {
  return fileURLToPath(new URL(`pictures/${name}.png`, import.meta.url));
}

await main();
