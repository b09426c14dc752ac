import type { PublicContacts } from '../../config/settings.ts';
import type { Forgetting } from '../../lib/forgetting.ts';
import type { Log } from '../../lib/log.ts';
import type { Clock, Stopwatch } from '../../lib/time/clock.ts';
import type { Timers } from '../../lib/time/timers.ts';
import type { Services } from '../../services/services.ts';
import type { Channels } from '../client/channels.ts';
import type { Files } from '../client/files.ts';
import type { FindMissingGrant } from '../client/granted-scopes.ts';
import type { UserGroups } from '../client/user-groups.ts';
import type { UserName } from '../client/user-names.ts';
import type { Navigation } from '../navigation/navigation.ts';
import type { OutcomeNotifier, OutcomeRenderers } from '../notifier/outcome-notifier.ts';

/** What the features share. */
export interface AppContext {
  services: Services;
  notifier: OutcomeNotifier;
  outcomeRenderers: OutcomeRenderers;
  navigation: Navigation;
  files: Files;
  channels: Channels;
  userName: UserName;
  userGroups: UserGroups;
  missingGrant: FindMissingGrant;
  /** Returns the address that Switchboard has on the web, such as `https://sms.example.com`; undefined where it isn’t known. */
  publicOrigin(workspaceId: string): Promise<string | undefined>;
  /** Told of every cache with something of a workspace. */
  forgetting: Forgetting;
  clock: Clock;
  elapsed: Stopwatch;
  timers: Timers;
  commandPrefix: string;
  contacts: PublicContacts;
  /** Aborted when the program stops: long work ends early, with what it has. */
  stopping: AbortSignal;
  log: Log;
}
