import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';
import { chargeCpu, leaveOutCpu } from '../cpu-times.ts';
import { findBrowser } from './find-browser.ts';

/**
 * Starts Chromium from an npm package, or the system's browser where that package has none. One process serves all tests of a
 * file: create a context per test, and close the browser at the end.
 */
export async function openBrowser(): Promise<Browser> {
  const found = findBrowser();
  if (found === undefined) {
    throw new Error(
      'There is no Chrome, Edge or Chromium on this machine: install one to run the tests in a browser',
    );
  }
  if (found !== 'packaged') {
    return playwright.launch({ executablePath: found.path });
  }
  // Without software 3D rendering, which doubles the time of a page with text and boxes.
  chromium.setGraphicsMode = false;
  unpacking ??= unpackBrowser();
  const executablePath = await unpacking;
  const args = [
    ...chromium.args.filter((arg) => !unwanted.has(arg)),
    '--no-sandbox',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ];
  const launch = () => playwright.launch({ executablePath, args });
  return await launch().catch((error: unknown) => {
    if (!crashed.test(String(error))) {
      throw error;
    }
    // About one start in five hundred ends in a segmentation fault of the browser's own, before there is a page.
    console.log('Chromium crashed while it started, and is started again.');
    return launch();
  });
}

/** How the log of a launch ends when the browser's process crashed. */
const crashed = /signal=SIG(?:SEGV|ABRT|BUS|ILL|TRAP)/;

/** Meant for cloud functions: they weaken the page's security policy, or force a single process. */
const unwanted = new Set([
  '--disable-web-security',
  '--allow-running-insecure-content',
  '--single-process',
  '--no-zygote',
]);

const cache = fileURLToPath(new URL('../../../node_modules/.cache/', import.meta.url));
const folder = join(cache, 'chromium');
let unpacking: Promise<string> | undefined;

/** The package unpacks into the system's temporary directory: a program of its own, as this one's is others' too. */
const unpackScript = "import chromium from '@sparticuz/chromium'; await chromium.executablePath();";

/**
 * The browser's executable, unpacked once per installation. Test files run in parallel and the package unpacks in place,
 * so that one could find another's half: it is unpacked elsewhere, and moved into place atomically.
 */
async function unpackBrowser(): Promise<string> {
  const executable = join(folder, 'chromium');
  if (existsSync(executable)) {
    return executable;
  }
  chargeCpu();
  await mkdir(cache, { recursive: true });
  const apart = await mkdtemp(join(cache, 'unpacking-'));
  try {
    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', unpackScript], {
      cwd: cache,
      env: { ...process.env, TMPDIR: apart },
    });
    await rename(apart, folder);
  } catch (error) {
    if (!existsSync(executable)) {
      throw error;
    }
  } finally {
    await rm(apart, { recursive: true, force: true });
    leaveOutCpu();
  }
  return executable;
}
