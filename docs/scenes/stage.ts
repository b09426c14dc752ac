import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import type { Desk } from '../../test/support/desk.ts';

/** Takes pictures of what the page shows, each under its name. */
export interface Camera {
  /** The modal on top, whole. */
  modal(name: string): Promise<void>;
  /** The last message. */
  message(name: string): Promise<void>;
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
