import type { App } from '@slack/bolt';
import type { Log } from '../../../lib/log.ts';
import type { SlackMessage } from '../../block-kit/message.ts';
import type { Authorizer } from '../authorization/authorize.ts';
import { createClosedForms, openAgainAction } from '../forms/closed-forms.ts';
import type { Router } from '../requests.ts';
import { onAction } from './action.ts';
import { onClosed } from './closed.ts';
import { onCommand } from './command.ts';
import { onHome } from './home.ts';
import { onOptions } from './options.ts';
import { createRequestContext, type RequestKind } from './request-context.ts';
import { onShortcut } from './shortcut.ts';
import { onSubmission } from './submission.ts';

export function createRouter(context: {
  app: App;
  authorizer: Authorizer;
  log: Log;
  commandPrefix: string;
  /** Of the data, see `keyIn`. */
  epoch: string;
  /** Called with each request's kind, for the metrics. */
  count: (kind: RequestKind) => void;
  /** A message from the app to one person. */
  message: (userId: string, content: SlackMessage) => Promise<void>;
}): Router {
  const underWay = new Set<Promise<void>>();
  const closedForms = createClosedForms(context.message);
  const requestContext = createRequestContext({ ...context, underWay, closedForms });
  onAction(requestContext, openAgainAction, closedForms.openAgain);
  return {
    command: (name, handle, help) => onCommand(requestContext, name, handle, help),
    submission: (callbackId, handle) => onSubmission(requestContext, callbackId, handle),
    action: (actionId, handle) => onAction(requestContext, actionId, handle),
    options: (actionId, handle) => onOptions(requestContext, actionId, handle),
    shortcut: (callbackId, handle) => onShortcut(requestContext, callbackId, handle),
    closed: (callbackId, handle) => onClosed(requestContext, callbackId, handle),
    home: (handle) => onHome(requestContext, handle),
    settled: async () => {
      await Promise.allSettled(underWay);
    },
  };
}
