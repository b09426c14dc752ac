import { join, relative } from 'node:path';
import { run } from 'node:test';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { chargeCpu, cpuSeconds, fileUnderWay } from './cpu-times.ts';
import type { EndedFile } from './ended-file.ts';
import { measureSlowness } from './yardstick.ts';

/**
 * Runs test files one after the other in this process, and reports each result to the parent process: times,
 * tests, failures and skips. Started by `test/run.ts`. Exits with status 1 if a test failed or an error
 * wasn't caught.
 */
let current = startFile('');
/** Comes first, so that it is active for all other files. */
const charging = join(import.meta.dirname, 'charge-each-test.ts');

function startFile(file: string): EndedFile {
  return { file, seconds: 0, cpuSeconds: 0, passed: 0, skipped: [], failed: [], notes: [] };
}

let isRed = false;
const slownessBefore = measureSlowness();

function endFile(): void {
  const { passed, failed, skipped, notes } = current;
  isRed ||= failed.length > 0;
  if (passed + failed.length + skipped.length + notes.length > 0) {
    process.send?.({ ...current, cpuSeconds: cpuSeconds.get(current.file) ?? 0 });
  }
}

/** A failure that no test tells of. */
function report(file: string, name: string, error: unknown): void {
  isRed = true;
  process.send?.({ ...startFile(file), failed: [{ name, line: 0, error: inspect(error) }] });
}

// The runner has no test to charge with them, see `without-promise-hooks.ts`, and says nothing.
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error) => report(fileUnderWay(), 'an error that nothing caught', error));
}

const files = process.argv.slice(2);
for await (const { type, data } of run({
  files: [charging, ...files],
  isolation: 'none',
  concurrency: false,
})) {
  if (type === 'test:diagnostic' && data.file !== undefined) {
    current.notes.push(`${relative(process.cwd(), data.file)}: ${data.message}`);
  }
  if ((type !== 'test:pass' && type !== 'test:fail') || data.file === charging) {
    continue;
  }
  const isSuite = data.details.type === 'suite';
  const hasTests = current.passed + current.failed.length + current.skipped.length > 0;
  // A suite ends after its tests, and is where it was defined: by `forEachDatabase`, for one.
  const file = isSuite && hasTests ? current.file : relative(process.cwd(), data.file ?? '');
  if (file !== current.file) {
    endFile();
    current = startFile(file);
  }
  if (data.nesting === 0) {
    current.seconds += data.details.duration_ms / 1000;
  }
  // A suite fails with its tests, which are counted, or by a hook of its own.
  const isByItself = type === 'test:fail' && data.details.error.failureType !== 'subtestsFailed';
  if (isSuite && data.skip === undefined && !isByItself) {
    continue;
  }
  if (type === 'test:fail') {
    const error = inspect(data.details.error.cause ?? data.details.error);
    current.failed.push({ name: data.name, line: data.line ?? 0, error });
    // An `after` at the top of a file runs at the end of the process. When it fails those of the other files don't run, and what
    // they would close keeps the process alive.
    if (data.details.error.failureType === 'hookFailed' && data.name === data.file) {
      break;
    }
  } else if (data.skip !== undefined) {
    current.skipped.push({ name: data.name, reason: String(data.skip) });
  } else {
    current.passed += 1;
  }
}

chargeCpu();
endFile();
for (const file of files) {
  // The runner keeps silent about a file that failed after its first test was defined. What was loaded isn't run again.
  await import(pathToFileURL(file).href).catch((error) => report(file, 'could not be loaded', error));
}
process.send?.({ slowness: (slownessBefore + measureSlowness()) / 2 });
if (isRed) {
  // Resources left open by a failed test would keep the process alive.
  process.exit(1);
}
process.disconnect?.();
