import { type App, AuthorizationError, type Authorize, type Logger, type Receiver } from '@slack/bolt';
import type { WebClientOptions } from '@slack/web-api';
import { throttle } from '../../lib/time/throttle.ts';
import type { SlackContext } from '../client/slack-context.ts';
import { ObservedApp } from './observed-app.ts';

const warnEveryMs = 60_000;

/** Bolt's app. It has no token of its own: what calls Slack has the client of its workspace. */
export function createBoltApp(
  { time: { elapsed }, metrics, log }: SlackContext,
  options: {
    receiver: Receiver;
    authorize: Authorize<boolean>;
    clientOptions: WebClientOptions & { logger: Logger };
  },
): App {
  const { logger } = options.clientOptions;
  const app = new ObservedApp(
    { ...options, logger, convoStore: false },
    { onAcknowledged: metrics.acknowledged, elapsed },
  );
  const warnOfStranger = throttle(warnEveryMs, elapsed, (error: Error) =>
    log.warn({ err: error }, 'a request was not served; at most one a minute is logged'),
  );
  app.error(async (error) => {
    if (error instanceof AuthorizationError) {
      warnOfStranger(error);
    } else {
      log.warn({ err: error }, 'a request was not handled');
    }
  });
  return app;
}
