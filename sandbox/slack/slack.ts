import type { JsonObject } from '../lib/json.ts';
import type { Manifest } from './manifest.ts';
import type { Uploads } from './workspace/files.ts';
import type { ResponseUrls } from './workspace/response-urls.ts';
import type { Triggers } from './workspace/triggers.ts';
import type { Workspace } from './workspace/workspace.ts';

/** The stand-in's working parts, as the actions and the Web API need them. */
export interface SlackState {
  workspace: Workspace;
  triggers: Triggers;
  responseUrls: ResponseUrls;
  uploads: Uploads;
  manifest: Manifest;
  /** The options that a searched select offered last, by place and element. */
  offers: Map<string, JsonObject[]>;
  /** The stand-in's own address, without a slash at the end. */
  base: () => string;
}
