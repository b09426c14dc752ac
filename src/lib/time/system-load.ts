/** How late the event loop is. Passed in, so that a test can say how late it is. */
export interface SystemLoad {
  /** Milliseconds by a clock that is never set back. */
  now(): number;
  /** Reports repeatedly by how many milliseconds the event loop is late, and when. Returns a stop function. */
  watchDelay(report: (delayMs: number, atMs: number) => void): () => void;
}

const sampleMs = 50;

export const systemLoad: SystemLoad = {
  now: () => performance.now(),
  watchDelay(report) {
    let due = performance.now() + sampleMs;
    const timer = setInterval(() => {
      const now = performance.now();
      report(Math.max(0, now - due), now);
      due = now + sampleMs;
    }, sampleMs).unref();
    return () => clearInterval(timer);
  },
};
