import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

/**
 * A real Chromium out of an npm package. One process serves all: give each test a context of its own, and close the
 * browser at the end.
 */
export async function openBrowser(): Promise<Browser> {
  // Without an engine for 3D in software: drawing text and boxes with it costs as much again as all the rest.
  chromium.setGraphicsMode = false;
  return await playwright.launch({
    executablePath: await unpackBrowser(),
    args: [
      ...chromium.args.filter((arg) => !unwanted.has(arg)),
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** Meant for a cloud function: here they would weaken what the page's own policy is to hold, or share one process. */
const unwanted = new Set([
  '--disable-web-security',
  '--allow-running-insecure-content',
  '--single-process',
  '--no-zygote',
]);

const cache = fileURLToPath(new URL('../../../node_modules/.cache/', import.meta.url));
const folder = join(cache, 'chromium');

/**
 * The browser's executable, unpacked once for each installation. Test files run side by side and the package unpacks
 * in place, so each would find the other's half: here it is unpacked apart, and moved where all look in one step.
 */
async function unpackBrowser(): Promise<string> {
  const executable = join(folder, 'chromium');
  if (existsSync(executable)) {
    return executable;
  }
  await mkdir(cache, { recursive: true });
  const apart = await mkdtemp(join(cache, 'unpacking-'));
  const { TMPDIR } = process.env;
  try {
    // The package unpacks to where the system keeps what is temporary.
    process.env.TMPDIR = apart;
    await chromium.executablePath();
    await rename(apart, folder);
  } catch (error) {
    if (!existsSync(executable)) {
      throw error;
    }
  } finally {
    if (TMPDIR === undefined) {
      delete process.env.TMPDIR;
    } else {
      process.env.TMPDIR = TMPDIR;
    }
    await rm(apart, { recursive: true, force: true });
  }
  return executable;
}
