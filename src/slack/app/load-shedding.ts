import type { AnyMiddlewareArgs, Middleware } from '@slack/bolt';
import { z } from 'zod';
import type { SystemLoad } from '../../lib/time/system-load.ts';
import { mrkdwn } from '../block-kit/text.ts';
import { errorMessage, errorView } from '../middleware/errors.ts';

/** Slack gives up after 3 s, and a modal must be opened within them. */
const maxAgeMs = 2_000;
/** With fewer requests in flight, a late request was late on its way here, or a clock is wrong: it is served. */
const busyFrom = 30;
const maxDelayMs = 500;
/** How long the delay must last: a burst, or one piece of work that blocks, passes and is not overload. */
const sustainedMs = 1_000;
/** Slack is called for 100 requests at a time (Bolt's client), and a modal must be opened within 3 s. */
const maxInFlight = 300;

/** Doesn't claim that nothing was sent: an earlier press of the same button may have been admitted. */
const busy = mrkdwn`Switchboard is too busy right now. Check your history before you try again.`;

export interface LoadShedder {
  /**
   * Bolt middleware for every request. Under overload, a command or a submitted form is refused at once; everything else
   * is admitted, because it continues an admitted request.
   */
  shed: Middleware<AnyMiddlewareArgs>;
  /** Stops watching the event loop. */
  stop(): void;
}

/**
 * Sheds what cannot be served in time, so that the rest is: requests that took long to arrive while others are in
 * flight, if the transport tells when Slack sent them (`sentAt` of the context, in seconds); all requests while the event
 * loop is late; and all while very many are in flight. `count` is called for each request that is refused.
 */
export function createLoadShedder(
  load: SystemLoad,
  count: (kind: 'command' | 'submission') => void,
): LoadShedder {
  const delay = createSustainedDelay();
  const ageOf = createAgeEstimate(load);
  const stop = load.watchDelay(delay.sample);
  let inFlight = 0;

  function isLate(sentAt: unknown): boolean {
    return typeof sentAt === 'number' && ageOf(sentAt) > maxAgeMs && inFlight >= busyFrom;
  }

  return {
    async shed(args) {
      if (isLate(args.context.sentAt) || delay.isSustained() || inFlight >= maxInFlight) {
        if ('command' in args) {
          count('command');
          await args.ack({ response_type: 'ephemeral', ...errorMessage(busy) });
          return;
        }
        if (args.body.type === 'view_submission' && 'view' in args) {
          count('submission');
          await args.ack(busyResponse(args.view));
          return;
        }
      }
      inFlight += 1;
      try {
        await args.next();
      } finally {
        inFlight -= 1;
      }
    },
    stop,
  };
}

const baselineMs = 60 * 60_000;

/**
 * Estimates how long ago a request was sent, in milliseconds. Slack's clock and the machine's need not agree: the
 * quickest request of the last one to two hours counts as sent just now. Slack tells whole seconds, so a request can
 * seem up to a second older.
 */
function createAgeEstimate({ now }: SystemLoad): (sentAtSeconds: number) => number {
  let quickest = Number.POSITIVE_INFINITY;
  let quickestBefore = Number.POSITIVE_INFINITY;
  let since = Number.NEGATIVE_INFINITY;
  return (sentAtSeconds) => {
    const at = now();
    const age = at - sentAtSeconds * 1_000;
    if (at - since > baselineMs) {
      quickestBefore = quickest;
      quickest = age;
      since = at;
    }
    quickest = Math.min(quickest, age);
    return age - Math.min(quickest, quickestBefore);
  };
}

/**
 * Tells whether the event loop is late, and has been for a while. From then on it counts as late again at the first
 * sample that is, until it has been on time for as long.
 */
function createSustainedDelay() {
  let isLate = false;
  let since = Number.NEGATIVE_INFINITY;
  let wasSustained = false;
  return {
    sample(delayMs: number, atMs: number): void {
      const late = delayMs > maxDelayMs;
      if (late !== isLate) {
        isLate = late;
        since = atMs;
      } else if (atMs - since >= sustainedMs) {
        wasSustained = late;
      }
    },
    isSustained: () => wasSustained && isLate,
  };
}

const inputsSchema = z.object({ blocks: z.array(z.object({ type: z.string(), block_id: z.string() })) });

/** Beside a field, or over the form if it has no field, so that the form keeps its values. */
function busyResponse(view: unknown) {
  const blocks = inputsSchema.safeParse(view).data?.blocks ?? [];
  const input = blocks.find(({ type }) => type === 'input');
  return input === undefined
    ? { response_action: 'push' as const, view: errorView(busy) }
    : { response_action: 'errors' as const, errors: { [input.block_id]: busy.source } };
}
