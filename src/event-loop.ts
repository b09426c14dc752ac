/**
 * Reports again and again by how much the event loop is late, in milliseconds, and when. As late as it is, what arrives
 * waits before the program takes it up. Returns a stop function.
 */
export type WatchEventLoop = (report: (delayMs: number, atMs: number) => void) => () => void;

const everyMs = 50;

export const watchEventLoop: WatchEventLoop = (report) => {
  let due = performance.now() + everyMs;
  const timer = setInterval(() => {
    const now = performance.now();
    report(Math.max(0, now - due), now);
    due = now + everyMs;
  }, everyMs).unref();
  return () => clearInterval(timer);
};
