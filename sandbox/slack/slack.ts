import type { JsonObject } from '../lib/json.ts';
import type { Manifest } from './manifest.ts';
import type { Uploads } from './workspace/files.ts';
import type { ResponseUrls } from './workspace/response-urls.ts';
import type { Triggers } from './workspace/triggers.ts';
import type { Workspace } from './workspace/workspace.ts';

/** The parts of Slack that the user actions and the Web API share. */
export interface SlackState {
  workspace: Workspace;
  triggers: Triggers;
  responseUrls: ResponseUrls;
  uploads: Uploads;
  manifest: Manifest;
  /** The options that an external select offered last, by surface and element. */
  offers: Map<string, JsonObject[]>;
  /** Returns Slack's address, without a trailing slash. */
  base: () => string;
}
