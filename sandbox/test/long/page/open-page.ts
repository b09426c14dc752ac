import type { Browser, Page } from 'playwright-core';
import { type FakeServer, startFakeServer } from './fake-server.ts';

export interface OpenedPage extends AsyncDisposable {
  feed: FakeServer;
  page: Page;
  /** Errors of the page's scripts and violations of its content security policy. */
  faults: string[];
}

/** Opens the page on a server and in a browser context of its own. */
export async function openPage(
  browser: Browser,
  options: { prepare?: (feed: FakeServer) => void; hash?: string; width?: number } = {},
): Promise<OpenedPage> {
  const { prepare, hash = '#as=U0AGENT&panel=closed', width = 1280 } = options;
  const feed = await startFakeServer();
  prepare?.(feed);
  const context = await browser.newContext({ viewport: { width, height: 800 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  await page.goto(feed.url + hash);
  return {
    feed,
    page,
    faults,
    async [Symbol.asyncDispose]() {
      await context.close();
      await feed[Symbol.asyncDispose]();
    },
  };
}
