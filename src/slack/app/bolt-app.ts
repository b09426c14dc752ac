import { randomBytes } from 'node:crypto';
import {
  App,
  type AppOptions,
  AuthorizationError,
  type Authorize,
  type Logger,
  LogLevel,
  type Receiver,
  type ReceiverEvent,
} from '@slack/bolt';
import type { Log } from '../../lib/log.ts';
import { withLogFields } from '../../lib/log-fields.ts';
import { redact } from '../../lib/redact.ts';
import type { Stopwatch } from '../../lib/time/clock.ts';
import { throttle } from '../../lib/time/throttle.ts';
import type { SlackContext } from '../client/slack-context.ts';
import type { ClientOptions } from '../client/web-client.ts';

const warnEveryMs = 60_000;

/** Bolt's app. It has no token: every call of Slack goes through the client of its workspace. */
export function createBoltApp(
  { time: { elapsed }, metrics, log }: SlackContext,
  options: {
    receiver: Receiver;
    authorize: Authorize<boolean>;
    clientOptions: ClientOptions;
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

/** Called with each acknowledgement, `took` milliseconds after the request arrived. */
type OnAcknowledged = (kind: string, took: number) => void;

/** Slack: the types of interactions. */
const kinds: Readonly<Record<string, string>> = {
  block_actions: 'action',
  block_suggestion: 'options',
  view_submission: 'submission',
  view_closed: 'closed',
  message_action: 'shortcut',
  event_callback: 'event',
};

/** Bolt's app, which gives each request an id: everything that is logged because of it has that id as `request`. */
class ObservedApp extends App {
  readonly #onAcknowledged: OnAcknowledged;
  readonly #elapsed: Stopwatch;

  constructor(options: AppOptions, observe: { onAcknowledged: OnAcknowledged; elapsed: Stopwatch }) {
    super(options);
    this.#onAcknowledged = observe.onAcknowledged;
    this.#elapsed = observe.elapsed;
  }

  override processEvent(event: ReceiverEvent): Promise<void> {
    const from = this.#elapsed();
    const { body } = event;
    const kind = 'command' in body ? 'command' : (kinds[body.type] ?? 'other');
    const ack: ReceiverEvent['ack'] = async (response) => {
      await event.ack(response);
      this.#onAcknowledged(kind, this.#elapsed() - from);
    };
    return withLogFields({ request: randomBytes(6).toString('hex') }, () =>
      super.processEvent({ ...event, ack }),
    );
  }
}

/**
 * A logger for Slack's libraries, which log whole requests at their debug level, message texts included: it writes
 * warnings and errors only, at any level of the program's own log.
 */
export function createBoltLogger(log: Log): Logger {
  const write =
    (level: 'warn' | 'error') =>
    (...parts: unknown[]) => {
      const errors = parts.filter((part) => part instanceof Error);
      const text = parts.filter((part) => typeof part === 'string').join(' ');
      log[level]({ from: 'slack-sdk', ...(errors[0] === undefined ? {} : { err: errors[0] }) }, redact(text));
    };
  return {
    debug: () => {},
    info: () => {},
    warn: write('warn'),
    error: write('error'),
    setLevel: () => {},
    getLevel: () => LogLevel.WARN,
    setName: () => {},
  };
}
