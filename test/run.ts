import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { text } from 'node:stream/consumers';

/**
 * `npm test`: runs every test file. Loading the program takes longer than most test files do, so a process takes many of
 * them, one after the other. Files that measure time or memory, or drive other processes, have a process of their own.
 */
const alone = globSync([
  'test/e2e/**/*.test.ts',
  'test/fuzz/*.test.ts',
  'test/main*.test.ts',
  'test/**/linear.test.ts',
  'test/**/*fuzz.test.ts',
  'sandbox/test/main.test.ts',
]).sort();
const filesPerProcess = 20;

const shared = globSync(['test/**/*.test.ts', 'sandbox/test/**/*.test.ts'])
  .sort()
  .filter((file) => !alone.includes(file));
const groups = alone.map((file) => [file]);
// Dealt like cards, so that neighbours, which take about the same time, are in different processes.
const count = Math.ceil(shared.length / filesPerProcess);
for (let first = 0; first < count; first += 1) {
  groups.push(shared.filter((_, index) => index % count === first));
}

interface Totals {
  tests: number;
  pass: number;
  fail: number;
  skipped: number;
}

const totals: Totals = { tests: 0, pass: 0, fail: 0, skipped: 0 };
const failed: string[] = [];

async function run(files: readonly string[]): Promise<void> {
  const child = spawn(
    process.execPath,
    [
      '--import',
      './test/support/compile-cache.ts',
      '--test',
      '--test-isolation=none',
      '--test-reporter=spec',
      ...files,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  const output = await text(child.stdout);
  process.stdout.write(output);
  for (const name of ['tests', 'pass', 'fail', 'skipped'] as const) {
    totals[name] += Number(new RegExp(`^ℹ ${name} (\\d+)$`, 'm').exec(output)?.[1] ?? 0);
  }
  if ((await closed) !== 0) {
    failed.push(files.length === 1 ? `${files[0]}` : `${files[0]} and ${files.length - 1} other files`);
  }
}

const begin = performance.now();
const next = groups.values();
// One more than there are processors: some wait for a browser or a program.
await Promise.all(
  Array.from({ length: availableParallelism() + 1 }, async () => {
    for (const files of next) {
      await run(files);
    }
  }),
);
const seconds = Math.round((performance.now() - begin) / 1000);
console.log(
  `${totals.tests} tests in ${seconds} s: ${totals.pass} passed, ${totals.fail} failed, ${totals.skipped} skipped`,
);
for (const files of failed) {
  console.log(`failed: ${files}`);
}
process.exitCode = failed.length === 0 && totals.tests > 0 ? 0 : 1;
