/**
 * Gives what a piece of work gives, if that is there while Slack still waits for the answer to a request; undefined:
 * it takes longer.
 */
export type BeforeAckDeadline = <Result>(work: Promise<Result>) => Promise<Result | undefined>;

/** In milliseconds from the arrival of a request. Slack gives up after 3 s, and the answer is still to be made. */
const patience = 1_500;

/** To be called when a request arrives: whatever is done before `soon` leaves less time for it. */
export function startAckDeadline(): BeforeAckDeadline {
  const over = new Promise<undefined>((resolve) => {
    setTimeout(resolve, patience, undefined).unref();
  });
  return (work) => Promise.race([work, over]);
}
