import { type Notice, noticeName } from '../../store/outbox/notices.ts';
import type { NoticeSubject } from '../../store/schema/approvals.ts';
import type { SlackContext } from '../client/slack-context.ts';

/** Several at a time, so that a user or channel for which Slack is slow delays only some of the others. */
const concurrency = 4;

/**
 * Returns a function that delivers all notices that are due, after a crash or after Slack was out of reach. Each is
 * attempted once a call. Once `signal` is aborted, the rest is left to the next call.
 */
export function createNotifier(
  { store: { outbox }, log }: Pick<SlackContext, 'store' | 'log'>,
  /** Delivers a notice of each subject, through `Outbox.deliver`. */
  deliver: Readonly<Record<NoticeSubject, (notice: Notice) => Promise<unknown>>>,
): (signal?: AbortSignal) => Promise<void> {
  return async (signal) => {
    const attempted = new Set<string>();
    const inFlight = new Set<Promise<unknown>>();
    for (;;) {
      const notice = signal?.aborted ? undefined : await outbox.next(attempted);
      if (notice === undefined) {
        break;
      }
      attempted.add(noticeName(notice));
      const { subject, subjectId } = notice;
      const delivery = deliver[subject](notice)
        .catch((error: unknown) =>
          log.error({ err: error, subject, subjectId }, 'a notice is not delivered yet'),
        )
        .finally(() => inFlight.delete(delivery));
      inFlight.add(delivery);
      if (inFlight.size >= concurrency) {
        await Promise.race(inFlight);
      }
    }
    await Promise.all(inFlight);
  };
}
