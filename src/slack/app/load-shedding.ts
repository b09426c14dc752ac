import type { AnyMiddlewareArgs, Middleware } from '@slack/bolt';
import { z } from 'zod';
import type { SystemLoad } from '../../lib/system-load.ts';
import { mrkdwn } from '../block-kit/text.ts';
import { errorMessage, errorView } from '../middleware/errors.ts';

/** Slack gives up after 3 s, and a window must be opened within them. */
const maxAgeMs = 2_000;
/** With fewer requests under way, what comes late was late on its way here, or some clock is wrong: it is served. */
const busyFrom = 30;
const maxDelayMs = 500;
/** How long the delay must last: a burst, or one piece of work that blocks, passes and is not overload. */
const lastingMs = 1_000;
/** Slack is called for 100 requests at a time (Bolt's client), and a window must be opened within 3 s. */
const maxUnderWay = 300;

/** Says nothing of what was sent: an earlier press of the same button may have been let in, and be sending. */
const busy = mrkdwn`Switchboard is very busy just now and did not take this. Look in your history before you try again.`;

export interface LoadShedder {
  /**
   * Bolt's middleware for every request. Under overload a command or a submitted form is answered with a refusal at once;
   * everything else is let through, as it continues what was let in before.
   */
  shed: Middleware<AnyMiddlewareArgs>;
  /** Stops watching. */
  stop(): void;
}

/**
 * Sheds what cannot be served in time, so that the rest is: what was long on its way to its handler while others are under
 * way, where the transport tells when Slack sent it (`sentAt` of the context, in seconds); everything while the event loop is late; and what comes
 * when very much is under way. `count` is called for each request that is refused.
 */
export function createLoadShedder(
  load: SystemLoad,
  count: (kind: 'command' | 'submission') => void,
): LoadShedder {
  const delay = lastingDelay();
  const ageOf = ages(load);
  const stop = load.watchDelay(delay.sample);
  let underWay = 0;

  function isLate(sentAt: unknown): boolean {
    return typeof sentAt === 'number' && ageOf(sentAt) > maxAgeMs && underWay >= busyFrom;
  }

  return {
    async shed(args) {
      if (isLate(args.context.sentAt) || delay.lasts() || underWay >= maxUnderWay) {
        if ('command' in args) {
          count('command');
          await args.ack({ response_type: 'ephemeral', ...errorMessage(busy) });
          return;
        }
        if (args.body.type === 'view_submission' && 'view' in args) {
          count('submission');
          await args.ack(refusalOf(args.view));
          return;
        }
      }
      underWay += 1;
      try {
        await args.next();
      } finally {
        underWay -= 1;
      }
    },
    stop,
  };
}

const baselineMs = 60 * 60_000;

/**
 * How long ago a request was sent, in milliseconds. Slack's clock and the machine's need not agree: the quickest request
 * of the last hour or two counts as sent just now. Slack tells whole seconds, so it can seem up to a second older.
 */
function ages({ now }: SystemLoad): (sentAtSeconds: number) => number {
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
 * Whether the event loop is late, and has been for a while. Once it has, it counts as late again at the first sign of it,
 * until it has been on time for as long.
 */
function lastingDelay() {
  let isLate = false;
  let since = Number.NEGATIVE_INFINITY;
  let lasting = false;
  return {
    sample(delayMs: number, atMs: number): void {
      const late = delayMs > maxDelayMs;
      if (late !== isLate) {
        isLate = late;
        since = atMs;
      } else if (atMs - since >= lastingMs) {
        lasting = late;
      }
    },
    lasts: () => lasting && isLate,
  };
}

const inputsSchema = z.object({ blocks: z.array(z.object({ type: z.string(), block_id: z.string() })) });

/** Beside a field, or over the form where it has none: what was typed stays in both. */
function refusalOf(view: unknown) {
  const blocks = inputsSchema.safeParse(view).data?.blocks ?? [];
  const input = blocks.find(({ type }) => type === 'input');
  return input === undefined
    ? { response_action: 'push' as const, view: errorView(busy) }
    : { response_action: 'errors' as const, errors: { [input.block_id]: busy.source } };
}
