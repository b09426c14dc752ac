import type { Locator } from 'playwright-core';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Desk } from '../../test/support/browser/page-user.ts';

/** Takes pictures of what the page shows, each under its name. */
export interface Camera {
  /** The modal on top, whole. */
  modal(name: string): Promise<void>;
  /** The last message, or the last one with these words. */
  message(name: string, words?: string): Promise<void>;
  /** All of these in one picture, cut close. */
  together(name: string, what: readonly Locator[]): Promise<void>;
  /** The app's Home. */
  home(name: string): Promise<void>;
  /** The window. */
  page(name: string): Promise<void>;
}

export interface Stage {
  desk: Desk;
  sandbox: Sandbox;
  camera: Camera;
}
