import type { App } from '@slack/bolt';
import type { Log } from '../../lib/log.ts';
import type { Message } from '../block-kit/message.ts';
import { onAction } from './action.ts';
import type { People } from './authorize.ts';
import type { Listening } from './calls.ts';
import { onClosed } from './closed.ts';
import { createClosedForms, openAgainAction } from './closed-forms.ts';
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
  /** A message from the app to one person. */
  message: (personId: string, content: Message) => Promise<void>;
}): Listening {
  const underWay = new Set<Promise<void>>();
  const closedForms = createClosedForms(tools.message);
  const reception = createReception({ ...tools, underWay, closedForms });
  onAction(reception, openAgainAction, closedForms.openAgain);
  return {
    command: (name, handle, help) => onCommand(reception, name, handle, help),
    submission: (callbackId, handle) => onSubmission(reception, callbackId, handle),
    action: (actionId, handle) => onAction(reception, actionId, handle),
    options: (actionId, handle) => onOptions(reception, actionId, handle),
    shortcut: (callbackId, handle) => onShortcut(reception, callbackId, handle),
    closed: (callbackId, handle) => onClosed(reception, callbackId, handle),
    home: (handle) => onHome(reception, handle),
    settled: async () => {
      await Promise.allSettled(underWay);
    },
  };
}
