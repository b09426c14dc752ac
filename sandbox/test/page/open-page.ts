import type { Browser, Page } from 'playwright-core';
import { type Feed, startFeed } from './feed.ts';

export interface OpenedPage extends AsyncDisposable {
  feed: Feed;
  page: Page;
  /** What went wrong in the page's own scripts, or was refused by its policy. */
  faults: string[];
}

/** The page over a feed of its own, in a context of its own: what a test leaves there is gone with it. */
export async function openPage(
  browser: Browser,
  options: { prepare?: (feed: Feed) => void; hash?: string; width?: number } = {},
): Promise<OpenedPage> {
  const { prepare, hash = '#panel=closed', width = 1280 } = options;
  const feed = await startFeed();
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
