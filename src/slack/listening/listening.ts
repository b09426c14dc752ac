import type { App } from '@slack/bolt';
import type { Log } from '../../log.ts';
import type { People } from '../people.ts';
import { onAction } from './action.ts';
import type { Listening } from './calls.ts';
import { onCommand } from './command.ts';
import { onHome } from './home.ts';
import { onOptions } from './options.ts';
import { createReception, type RequestKind } from './reception.ts';
import { onShortcut } from './shortcut.ts';
import { onSubmission } from './submission.ts';

export function createListening(tools: {
  app: App;
  people: People;
  log: Log;
  commandPrefix: string;
  /** Of the data, see `keyIn`. */
  epoch: string;
  /** Called with each request's kind, for the metrics. */
  count: (kind: RequestKind) => void;
}): Listening {
  const underWay = new Set<Promise<void>>();
  const reception = createReception({ ...tools, underWay });
  return {
    command: (name, handle, help) => onCommand(reception, name, handle, help),
    submission: (callbackId, handle) => onSubmission(reception, callbackId, handle),
    action: (actionId, handle) => onAction(reception, actionId, handle),
    options: (actionId, handle) => onOptions(reception, actionId, handle),
    shortcut: (callbackId, handle) => onShortcut(reception, callbackId, handle),
    home: (handle) => onHome(reception, handle),
    settled: async () => {
      await Promise.allSettled(underWay);
    },
  };
}
