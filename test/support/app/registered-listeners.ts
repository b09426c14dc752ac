import type { RunningApp } from '../../../src/app.ts';
import type { Permission } from '../../../src/domain/access/roles.ts';
import type { Channels } from '../../../src/slack/client/channels.ts';
import { registerFeatures } from '../../../src/slack/features/register-features.ts';
import type { CommandRule } from '../../../src/slack/middleware/router/command.ts';
import { type Router, registerForms } from '../../../src/slack/middleware/router/router.ts';

export type ListenerKind =
  | 'action'
  | 'submission'
  | 'closed'
  | 'options'
  | 'command'
  | 'shortcut'
  | 'home'
  | 'tool';

export interface Listener {
  kind: ListenerKind;
  name: string;
  /** What it needs. Of the end of a modal, nothing: nobody is refused. */
  rule: CommandRule | undefined;
}

/** No listener is called. */
const notCalled = () => Promise.reject(new Error('Slack is not asked'));

/** Every listener that the features and their forms register. */
export function everyListener({ context }: RunningApp): Listener[] {
  const listeners: Listener[] = [];
  const on = (kind: ListenerKind) => (name: string, rule: CommandRule) =>
    void listeners.push({ kind, name, rule });
  const listening: Router = {
    command: on('command'),
    submission: on('submission'),
    action: on('action'),
    options: on('options'),
    shortcut: on('shortcut'),
    closed: (name) => void listeners.push({ kind: 'closed', name, rule: undefined }),
    home: (rule: Permission) => void listeners.push({ kind: 'home', name: 'home', rule }),
    tool: ({ name, needs }) => void listeners.push({ kind: 'tool', name, rule: needs }),
    settled: async () => {},
  };
  const channels: Channels = {
    known: () => undefined,
    find: async () => undefined,
    check: async () => ({ kind: 'unknown' }),
    forget() {},
    join: async () => {},
  };
  registerForms(listening, { closedForms: { openAgain: async () => {} }, channels });
  registerFeatures(listening, {
    ...context,
    clients: { for: notCalled },
    posting: { postMessage: notCalled, postFile: notCalled, openConversation: notCalled },
    people: { known: () => undefined, find: notCalled },
    notifier: {
      notify: async () => ({ postedHere: false }),
      sendMessage: async () => {},
      deliver: async () => {},
      contentOf: async () => ({ text: '', blocks: [] }),
    },
    posts: {
      message: async () => undefined,
      file: async () => undefined,
      privateFile: async () => undefined,
      deliver: async () => {},
    },
    channels,
    files: {
      share: async () => {},
      async *stream() {},
    },
    missingGrant: async () => undefined,
    userName: async () => undefined,
    userGroups: { list: async () => ({ kind: 'no_scope' }) },
    stopping: new AbortController().signal,
  });
  return listeners;
}
