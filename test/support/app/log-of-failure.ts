/** The context of a test that can say how it went: node:test's, or only its `after`. */
export interface TestEnd {
  after(end: () => void | Promise<void>): void;
  readonly passed?: boolean;
  diagnostic?(message: string): void;
}

/** The level of pino's warnings; errors have a higher one. */
const warning = 40;
const maxLines = 20;

/** Prints the last warnings and errors of the app’s log if the test fails, so that a rare failure tells its cause at once. */
export function showLogOfFailure(test: TestEnd, log: () => string): void {
  test.after(() => {
    if (test.passed === false) {
      const lines = log()
        .split('\n')
        .filter((line) => Number(/"level":(\d+)/.exec(line)?.[1] ?? 0) >= warning);
      test.diagnostic?.(['the app’s last warnings and errors:', ...lines.slice(-maxLines)].join('\n'));
    }
  });
}
