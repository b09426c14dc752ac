import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { millisecondsUntil } from '../sandbox/lib/lagos-time.ts';
import { startSandbox } from '../sandbox/sandbox.ts';
import { openStateFolder } from '../sandbox/state-folder.ts';
import { openBrowser } from '../test/support/browser/chromium.ts';
import { openPage, type PageUser } from '../test/support/browser/page-user.ts';
import { profileEnv } from '../test/support/provider/profile-file.ts';
import { approval } from './scenes/approvals.ts';
import { campaign, followUp, listReading, repeatingCampaign } from './scenes/campaigns.ts';
import { contacts } from './scenes/contacts.ts';
import { esim, esimStatus } from './scenes/esims.ts';
import { doNotContact, historySearch } from './scenes/history.ts';
import { landing } from './scenes/landing.ts';
import { otp, sms } from './scenes/messages.ts';
import { dndCheck, number, senderId } from './scenes/numbers.ts';
import { appMessages, inChannel, shortcuts } from './scenes/places.ts';
import { reach } from './scenes/reach.ts';
import type { Camera } from './scenes/stage.ts';
import { connecting, home, limits, roles } from './scenes/switchboard.ts';
import { templates } from './scenes/templates.ts';
import { smallPng } from './small-png.ts';

/** In this order: each finds what those before it left. */
const scenes = [
  landing,
  connecting,
  roles,
  limits,
  sms,
  otp,
  dndCheck,
  number,
  senderId,
  contacts,
  esim,
  esimStatus,
  shortcuts,
  inChannel,
  historySearch,
  doNotContact,
  campaign,
  followUp,
  listReading,
  repeatingCampaign,
  home,
  approval,
  templates,
  appMessages,
  reach,
];

/** The pictures that are still to be taken, by name. Every picture is taken when none is named. */
const missing = new Set(process.argv.slice(2));
const takesAll = missing.size === 0;

/**
 * `npm run pictures`: plays every scene in a sandbox of its own, and writes what it shows to docs/pictures.
 * `npm run pictures -- sms-review` plays the scenes up to that picture, and writes it alone.
 */
async function main(): Promise<void> {
  await using cleanUp = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-pictures-'));
  cleanUp.defer(() => rm(folder, { recursive: true, force: true }));
  const sandbox = await startSandbox({
    folder: await openStateFolder(join(folder, 'state')),
    transport: 'http',
    // Outside quiet hours, and the same in every run.
    clockOffsetMs: millisecondsUntil('10:24', new Date()),
    settings: profileEnv({ contactDeleteBy: 'query:contact_id', currency: 'NGN' }),
  });
  cleanUp.defer(() => sandbox.stop());
  const browser = await openBrowser();
  cleanUp.defer(() => browser.close());
  const pageUser = await openPage(browser, sandbox.url);
  for (const scene of scenes) {
    await scene({ pageUser, sandbox, camera: cameraAt(pageUser) });
    if (!takesAll && missing.size === 0) {
      return;
    }
  }
  if (missing.size > 0) {
    throw new Error(`No scene takes a picture named ${[...missing].join(', ')}.`);
  }
}

function cameraAt({ page }: PageUser): Camera {
  const shoot = async (what: Locator, name: string) => {
    // Away from where it would bring out what shows under it.
    await page.mouse.move(0, 0);
    await keep(name, await what.screenshot(still));
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
    message: (name, words = '') => shoot(page.locator('.message', { hasText: words }).last(), name),
    async together(name, what) {
      await page.mouse.move(0, 0);
      const boxes = (await Promise.all(what.map((each) => each.boundingBox()))).filter((box) => box !== null);
      const left = Math.min(...boxes.map(({ x }) => x));
      const top = Math.min(...boxes.map(({ y }) => y));
      const clip = {
        x: left,
        y: top,
        width: Math.max(...boxes.map(({ x, width }) => x + width)) - left,
        height: Math.max(...boxes.map(({ y, height }) => y + height)) - top,
      };
      await keep(name, await page.screenshot({ ...still, clip }));
    },
    home: (name) => shoot(page.locator('home-view'), name),
    async page(name) {
      await keep(name, await page.screenshot(still));
    },
  };
}

const still = { animations: 'disabled', caret: 'hide' } as const;

const wholeModal = `
  .modal { border-radius: 0; margin-top: 0; max-height: none }
  dialog::backdrop { background: var(--paper-raised) }
  ::selection { background: none; color: inherit }`;

/** Writes the picture, unless others were named. */
async function keep(name: string, picture: Buffer): Promise<void> {
  if (!missing.delete(name) && !takesAll) {
    return;
  }
  await writeFile(new URL(`pictures/${name}.png`, import.meta.url), smallPng(picture));
  process.stdout.write(`${name}.png\n`);
}

await main();
