import type { App, Authorize } from '@slack/bolt';
import type { HttpRoute } from '../../../web/server.ts';
import type { FindInstallAddress, FindMissingGrant } from '../../client/granted-scopes.ts';
import type { WorkspaceClients } from '../../client/workspace-clients.ts';

/** How the program is let into Slack: by the token of one workspace, or by the installations of many. */
export interface SlackAccess {
  clients: WorkspaceClients;
  /** Decides for Bolt which workspace a request is for. Throws for one that the app does not serve. */
  authorize: Authorize<boolean>;
  /** Registers what ends an installation. */
  register(app: App): void;
  /** The pages of an installation. */
  routes: readonly HttpRoute[];
  /** Where an installation begins, for people; undefined where there is only the one workspace. */
  installPath: string | undefined;
  missingGrant: FindMissingGrant;
  installAddress: FindInstallAddress;
  /** Returns the ids of all workspaces that are served. */
  workspaceIds(): Promise<readonly string[]>;
  /** Rejects where Slack does not answer. */
  ask(): Promise<unknown>;
  /** Called before requests are received. Throws a StartupError that says what Slack does not accept. */
  start(): Promise<void>;
  /** Resolves when every event of an installation received so far is done. */
  settled(): Promise<void>;
  /** Completes the removal of workspaces. Called every minute. */
  sweep(): Promise<void>;
  /** Asks Slack whether the app is still let in. Called every hour. */
  check(): Promise<void>;
  /** Resolves when nothing of an installation is under way. */
  stop(): Promise<void>;
}
