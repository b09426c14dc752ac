import type { Log } from '../../lib/log.ts';
import { type Notice, type NoticeSubject, noticeName, type Outbox } from '../../store/outbox/outbox.ts';

/** Delivers at the same time: a user or channel for which Slack takes long keeps only part of them waiting. */
const concurrency = 4;

/**
 * Returns what delivers all notices that are due: after a crash, or after Slack was out of reach. Each is attempted once
 * a call. Once `ending` fires, the rest is left to the next time.
 */
export function createNotifier({
  outbox,
  deliver,
  log,
}: {
  outbox: Outbox;
  /** How each is delivered, through `Outbox.deliver`. */
  deliver: Readonly<Record<NoticeSubject, (notice: Notice) => Promise<unknown>>>;
  log: Log;
}): (ending?: AbortSignal) => Promise<void> {
  return async (ending) => {
    const attempted = new Set<string>();
    const underWay = new Set<Promise<unknown>>();
    for (;;) {
      const notice = ending?.aborted ? undefined : await outbox.next(attempted);
      if (notice === undefined) {
        break;
      }
      attempted.add(noticeName(notice));
      const { subject, subjectId } = notice;
      const delivery = deliver[subject](notice)
        .catch((error: unknown) =>
          log.error({ err: error, subject, subjectId }, 'a user could not be told yet'),
        )
        .finally(() => underWay.delete(delivery));
      underWay.add(delivery);
      if (underWay.size >= concurrency) {
        await Promise.race(underWay);
      }
    }
    await Promise.all(underWay);
  };
}
