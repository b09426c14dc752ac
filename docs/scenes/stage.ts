import type { Locator } from 'playwright-core';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { PageUser } from '../../test/support/browser/page-user.ts';

/** Takes pictures of the page, each under its name. */
export interface Camera {
  /** The top modal, in full height. */
  modal(name: string): Promise<void>;
  /** The last message, or the last one with this text. */
  message(name: string, words?: string): Promise<void>;
  /** All of these in one picture, cropped to them. */
  together(name: string, what: readonly Locator[]): Promise<void>;
  /** The app's Home. */
  home(name: string): Promise<void>;
  /** The window. */
  page(name: string): Promise<void>;
}

export interface Stage {
  pageUser: PageUser;
  sandbox: Sandbox;
  camera: Camera;
}
