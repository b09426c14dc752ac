import type { ProviderSandbox } from '../../../sandbox/provider/server.ts';
import type { SlackSandbox } from '../../../sandbox/slack/server.ts';
import type { RunningApp } from '../../../src/app.ts';
import type { SlackUser } from '../slack/slack-user.ts';

/** A workspace with people, channels and provider accounts, and the app in it. Others may stand beside it. */
export interface TestWorkspace {
  slack: SlackView;
  provider: ProviderView;
  /** A member, an admin, a guest, and a user of another organisation. */
  ada: SlackUser;
  grace: SlackUser;
  guy: SlackUser;
  sam: SlackUser;
  /** The id of the workspace. */
  teamId: string;
  /** The ids of its channels. */
  channels: { support: string; campaigns: string; oldNews: string };
  /** Returns the id that somebody or something of the first workspace's fixtures has here. */
  idOf(fixture: string): string;
  /** The app's own address. */
  url(): string;
  /** The running app. */
  app(): RunningApp;
  /** Everything logged since the test began, at every level. */
  log(): string;
  /** Connects the provider. Default: the key of the first account. */
  connect(key?: string): Promise<void>;
}

/** Slack, of which exchanges, faults, held calls, repeats and events are those of the workspace. */
export type SlackView = Pick<
  SlackSandbox,
  | 'url'
  | 'perform'
  | 'snapshot'
  | 'topModal'
  | 'exchanges'
  | 'onChange'
  | 'until'
  | 'redeliver'
  | 'later'
  | 'forge'
  | 'sendEvent'
  | 'setUserGroup'
  | 'fault'
  | 'hold'
  | 'setRole'
  | 'setDeactivated'
>;

/** The provider, of which everything is of the accounts of the workspace. The first of them is the default. */
export type ProviderView = Pick<
  ProviderSandbox,
  | 'url'
  | 'account'
  | 'otherAccount'
  | 'fullAccount'
  | 'record'
  | 'arrivals'
  | 'keys'
  | 'accountWith'
  | 'emptiedPhonebooks'
  | 'setBalance'
  | 'approveSenderId'
  | 'receive'
  | 'orderFault'
> & { webhook: Pick<ProviderSandbox['webhook'], 'set' | 'posts' | 'deliver'> };
