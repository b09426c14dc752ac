import { createLog } from '../../../src/lib/log.ts';
import { systemTimers } from '../../../src/lib/time/timers.ts';
import type { Services } from '../../../src/services/services.ts';
import { registerFeatures } from '../../../src/slack/features/register-features.ts';
import type { Router } from '../../../src/slack/middleware/router/router.ts';

export type ListenerKind = 'action' | 'submission' | 'closed' | 'options' | 'command' | 'shortcut';

export interface Listener {
  kind: ListenerKind;
  name: string;
}

/** Every listener that the features register. */
export function everyListener(services: Services): Listener[] {
  const listeners: Listener[] = [];
  const on = (kind: ListenerKind) => (name: string) => void listeners.push({ kind, name });
  const listening: Router = {
    command: on('command'),
    submission: on('submission'),
    action: on('action'),
    options: on('options'),
    shortcut: on('shortcut'),
    closed: on('closed'),
    home() {},
    settled: async () => {},
  };
  registerFeatures(listening, {
    services,
    notifier: {
      notify: async () => ({ delivered: false }),
      sendMessage: async () => {},
      post: async () => undefined,
      deliver: async () => {},
    },
    channels: {
      known: () => undefined,
      check: async () => ({ kind: 'unknown' }),
      forget() {},
      join: async () => {},
    },
    files: {
      share: async () => {},
      async *stream() {},
    },
    userName: async () => undefined,
    clock: () => new Date(),
    elapsed: () => 0,
    timers: systemTimers,
    commandPrefix: '',
    stopping: new AbortController().signal,
    log: createLog('silent'),
  });
  return listeners;
}
