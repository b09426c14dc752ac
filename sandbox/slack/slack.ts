import type { JsonObject } from '../lib/json.ts';
import { type Installation, type Installations, reaches } from './installations/installations.ts';
import type { Manifest } from './manifest.ts';
import type { Uploads } from './workspace/files.ts';
import type { WorkspaceFixture } from './workspace/fixtures.ts';
import type { ResponseUrls, Triggers } from './workspace/triggers.ts';
import type { Workspace } from './workspace/workspace.ts';

/** The whole Slack, with all its workspaces. */
export interface Slack {
  /** The first workspace first. */
  workspaces: readonly SlackState[];
  /** Adds a workspace to them, in which the app is not installed. */
  addWorkspace(fixture: WorkspaceFixture): void;
  installations: Installations;
  manifest: Manifest;
  /** The credentials of the app, if it can be installed by OAuth. */
  oauth: OAuthApp | undefined;
  now: () => Date;
  /** Returns Slack's address, without a trailing slash. */
  base: () => string;
}

export type RemovalNotice = 'tokens_revoked' | 'app_uninstalled';

export interface OAuthApp {
  clientId: string;
  clientSecret: string;
  /** Returns where people are sent after the authorize page. A `redirect_uri` must begin with it. */
  redirectUrl: () => string;
  /** Whether tokens expire and are refreshed. As in the manifest by default. */
  tokenRotation?: boolean;
}

/** The parts of one workspace that the user actions and the Web API share. */
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

/** Throws for an unknown workspace. */
export function workspaceOf({ workspaces }: Slack, teamId: string): SlackState {
  const found = workspaces.find(({ workspace }) => workspace.team.id === teamId);
  if (!found) {
    throw new Error(`There is no workspace ${teamId}.`);
  }
  return found;
}

/** Returns the workspaces that an installation serves. */
export function reachOf({ workspaces }: Slack, installation: Installation): SlackState[] {
  return workspaces.filter(({ workspace: { team } }) => reaches(installation, team));
}
