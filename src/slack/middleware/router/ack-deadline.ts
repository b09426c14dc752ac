import type { Timers } from '../../../lib/time/timers.ts';

/**
 * Resolves with the result of `work` if it is available while Slack waits for the acknowledgement; otherwise with
 * undefined.
 */
export type BeforeAckDeadline = <Result>(work: Promise<Result>) => Promise<Result | undefined>;

/** From the arrival of a request. Slack gives up after 3 s, and the acknowledgement is still to be made. */
const ackDeadlineMs = 1_500;

/**
 * Called when a request arrives: work done before `beforeAckDeadline` leaves less time for it.
 *
 * @param settled aborted when the request is done, and the deadline no longer matters
 */
export function startAckDeadline(timers: Timers, settled: AbortSignal): BeforeAckDeadline {
  const deadline = timers.bound(ackDeadlineMs, settled).then(() => undefined);
  return (work) => Promise.race([work, deadline]);
}
