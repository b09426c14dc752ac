/** How the program can tell that it is late. Passed in, so that a test can say how late it is. */
export interface SystemLoad {
  /** In milliseconds from any moment; never set back. */
  now(): number;
  /** Reports again and again by how many milliseconds the event loop is late, and when. Returns a stop function. */
  watchDelay(report: (delayMs: number, atMs: number) => void): () => void;
}

const everyMs = 50;

export const systemLoad: SystemLoad = {
  now: () => performance.now(),
  watchDelay(report) {
    let due = performance.now() + everyMs;
    const timer = setInterval(() => {
      const now = performance.now();
      report(Math.max(0, now - due), now);
      due = now + everyMs;
    }, everyMs).unref();
    return () => clearInterval(timer);
  },
};
