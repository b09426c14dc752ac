import type { WorkspaceCaches } from '../../lib/workspace-caches.ts';
import type { Context } from '../../services/context.ts';
import type { Services } from '../../services/services.ts';
import type { Channels } from './channels.ts';
import type { People } from './people.ts';
import type { Posting } from './posting.ts';
import type { UserGroups } from './user-groups.ts';
import type { UserName } from './user-names.ts';
import type { WorkspaceClients } from './workspace-clients.ts';

/** What the program gives to Slack's side of it. */
export interface ProgramContext extends Context {
  services: Services;
  /** Told of every cache with something of a workspace. */
  caches: WorkspaceCaches;
}

/** What every module of Slack’s side is given, made once when the app is composed. */
export interface SlackContext extends ProgramContext {
  clients: WorkspaceClients;
  posting: Posting;
  channels: Channels;
  people: People;
  userName: UserName;
  userGroups: UserGroups;
}
