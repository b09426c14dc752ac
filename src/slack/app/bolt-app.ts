import { type App, AuthorizationError, type Authorize, type Logger, type Receiver } from '@slack/bolt';
import type { WebClientOptions } from '@slack/web-api';
import type { Log } from '../../lib/log.ts';
import type { Stopwatch } from '../../lib/time/clock.ts';
import { throttle } from '../../lib/time/throttle.ts';
import { ObservedApp, type OnAcknowledged } from './observed-app.ts';

const warnEveryMs = 60_000;

/** Bolt's app. It has no token of its own: what calls Slack has the client of its workspace. */
export function createBoltApp(options: {
  receiver: Receiver;
  authorize: Authorize<boolean>;
  clientOptions: WebClientOptions;
  logger: Logger;
  elapsed: Stopwatch;
  onAcknowledged: OnAcknowledged;
  log: Log;
}): App {
  const { receiver, authorize, clientOptions, logger, elapsed, onAcknowledged, log } = options;
  const app = new ObservedApp(
    { receiver, logger, clientOptions, convoStore: false, authorize },
    { onAcknowledged, elapsed },
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
