import { relative } from 'node:path';
import { run } from 'node:test';
import { inspect } from 'node:util';
import type { Totals } from './test-totals.ts';

/**
 * Runs test files one after the other in this process, and prints a line for each: its time and its number of tests. What
 * failed is printed at once, with the place and the error; what was skipped, with the reason. Ends with status 1 where a test failed, or
 * where there was none. `run.ts` starts it.
 */
const totals: Totals = { passed: 0, failed: 0, skipped: 0 };
let current = { file: '', milliseconds: 0, tests: 0 };

function endFile(): void {
  const { file, milliseconds, tests } = current;
  if (tests > 0) {
    console.log(`${(milliseconds / 1000).toFixed(1).padStart(6)} s  ${file} (${tests})`);
  }
}

for await (const { type, data } of run({
  files: process.argv.slice(2),
  isolation: 'none',
  concurrency: false,
})) {
  if (type === 'test:diagnostic' && data.file !== undefined) {
    // The seed of what is random, for example.
    console.log(`${relative(process.cwd(), data.file)}: ${data.message}`);
  }
  if (type !== 'test:pass' && type !== 'test:fail') {
    continue;
  }
  const isSuite = data.details.type === 'suite';
  // A suite ends after its tests, and is where it was defined: by `forEachDatabase`, for one.
  const file = isSuite && current.tests > 0 ? current.file : relative(process.cwd(), data.file ?? '');
  if (file !== current.file) {
    endFile();
    current = { file, milliseconds: 0, tests: 0 };
  }
  if (data.nesting === 0) {
    current.milliseconds += data.details.duration_ms;
  }
  // A suite fails with its tests, which are counted, or by a hook of its own.
  const isByItself = type === 'test:fail' && data.details.error.failureType !== 'subtestsFailed';
  if (isSuite && data.skip === undefined && !isByItself) {
    continue;
  }
  current.tests += 1;
  if (type === 'test:fail') {
    totals.failed += 1;
    console.log(
      `✖ ${file}:${data.line}: ${data.name}\n${inspect(data.details.error.cause ?? data.details.error)}`,
    );
    // An `after` at the top of a file runs at the end of the process. When it fails those of the other files don't run, and what
    // they would close keeps the process alive.
    if (data.details.error.failureType === 'hookFailed' && data.name === data.file) {
      break;
    }
  } else if (data.skip !== undefined) {
    totals.skipped += 1;
    console.log(`skipped: ${file}: ${data.name}: ${data.skip}`);
  } else {
    totals.passed += 1;
  }
}

endFile();
const isGreen = totals.failed === 0 && totals.passed > 0;
process.exitCode = isGreen ? 0 : 1;
const end = () => isGreen || process.exit();
if (process.send === undefined) {
  end();
} else {
  process.send(totals, end);
}
