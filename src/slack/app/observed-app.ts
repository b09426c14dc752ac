import { randomBytes } from 'node:crypto';
import { App, type AppOptions, type ReceiverEvent } from '@slack/bolt';
import { withLogFields } from '../../lib/log-fields.ts';
import type { Stopwatch } from '../../lib/time/clock.ts';

/** Called with each acknowledgement, `took` milliseconds after the request arrived. */
export type OnAcknowledged = (kind: string, took: number) => void;

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
export class ObservedApp extends App {
  readonly #onAcknowledged: OnAcknowledged;
  readonly #elapsed: Stopwatch;

  constructor(options: AppOptions, observe: { onAcknowledged: OnAcknowledged; elapsed: Stopwatch }) {
    super(options);
    this.#onAcknowledged = observe.onAcknowledged;
    this.#elapsed = observe.elapsed;
  }

  override processEvent(event: ReceiverEvent): Promise<void> {
    const from = this.#elapsed();
    const ack: ReceiverEvent['ack'] = async (response) => {
      await event.ack(response);
      this.#onAcknowledged(kindOf(event.body), this.#elapsed() - from);
    };
    return withLogFields({ request: randomBytes(6).toString('hex') }, () =>
      super.processEvent({ ...event, ack }),
    );
  }
}

function kindOf(body: ReceiverEvent['body']): string {
  return 'command' in body ? 'command' : (kinds[body.type] ?? 'other');
}
