import type { Settings } from '../../config/settings.ts';
import type { Broadcast } from '../../lib/broadcast.ts';
import type { Forgetting } from '../../lib/forgetting.ts';
import type { Log } from '../../lib/log.ts';
import type { Metrics } from '../../lib/metrics.ts';
import type { Time } from '../../lib/time/clock.ts';
import type { Timers } from '../../lib/time/timers.ts';
import type { Services } from '../../services/services.ts';
import type { Store } from '../../store/store.ts';
import type { Channels } from './channels.ts';
import type { People } from './people.ts';
import type { Posting } from './posting.ts';
import type { UserGroups } from './user-groups.ts';
import type { UserName } from './user-names.ts';
import type { WorkspaceClients } from './workspace-clients.ts';

/** What the program gives to Slack's side of it. */
export interface ProgramContext {
  settings: Settings;
  store: Store;
  services: Services;
  broadcast: Broadcast;
  metrics: Metrics;
  time: Time;
  timers: Timers;
  log: Log;
  /** Told of every cache with something of a workspace. */
  forgetting: Forgetting;
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
