import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgresServer } from '../sandbox/postgres-server.ts';
import { memoryFolder } from './support/memory-folder.ts';
import { totalsSchema } from './support/test-totals.ts';

/**
 * `npm test`, `npm run test:databases` and `npm run test:long`: runs the test files of one of them, or those named after it, by
 * node's own runner. Prints a line for each file, and at the end how many tests passed and failed.
 *
 * Loading the program takes longer than most files do, so a process runs its share of the files in sequence. A file under
 * `test/long` starts processes itself, and has one of its own.
 */
const suites: Readonly<Record<string, () => Run[]>> = {
  test: () => inShares(everyday, {}),
  databases: () => [
    ...inShares(everyday.filter(calls('forEachDatabase')), onPostgres),
    ...inShares(everyday.filter(calls('forOneAndThreeInstances')), { TEST_INSTANCES: '3' }),
  ],
  long: () => [
    ...long.map((file) => ({ files: [file], env: {} })),
    ...long.filter(calls('forEachDatabase')).map((file) => ({ files: [file], env: onPostgres })),
  ],
};

interface Run {
  files: readonly string[];
  env: NodeJS.ProcessEnv;
}

const onPostgres = { TEST_DATABASE: 'postgres' };
const [suite = 'test', ...given] = process.argv.slice(2);
const chosen = given.length > 0 ? given : globSync(['test/**/*.test.ts', 'sandbox/test/**/*.test.ts']).sort();
const isLong = (file: string) => file.includes('test/long/');
const long = chosen.filter(isLong);
const everyday = chosen.filter((file) => !isLong(file));

/** Whether a file says that it runs elsewhere too: it calls the function of this name. */
function calls(name: string): (file: string) => boolean {
  return (file) => readFileSync(file, 'utf8').includes(`${name}(`);
}

/** Smaller shares end at about the same time, and each costs the loading of the program once more. */
const sharesPerProcessor = 3;

function inShares(files: readonly string[], env: NodeJS.ProcessEnv): Run[] {
  const shares = Math.min(files.length, sharesPerProcessor * availableParallelism());
  return Array.from({ length: shares }, (_, share) => ({
    files: files.filter((_, index) => index % shares === share),
    env,
  }));
}

const runs = suites[suite]?.() ?? [];
if (runs.length === 0) {
  throw new Error(`Nothing to run. Usage: node test/run.ts ${Object.keys(suites).join('|')} [file …]`);
}

/** One for all. The smoke of the store in `npm test` starts its own. */
const postgres = suite === 'test' ? undefined : await startPostgresServer();
const temporary = memoryFolder();
process.once('exit', () => temporary?.remove());
const children = new Set<ChildProcess>();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    // Not by the same signal, which apps under test take for themselves.
    for (const child of children) {
      child.kill('SIGKILL');
    }
    process.exit(1);
  });
}
const environment = {
  NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
  ...(temporary && { TMPDIR: temporary.path }),
  ...process.env,
  ...(postgres && { TEST_DATABASE_URL: postgres.url }),
};

const totals = { passed: 0, failed: 0, skipped: 0 };
let isGreen = true;

async function run({ files, env }: Run): Promise<void> {
  const child = spawn(
    process.execPath,
    ['--import', './test/support/compile-cache.ts', 'test/support/run-files.ts', ...files],
    { env: { ...environment, ...env }, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  );
  child.on('message', (message) => {
    const { passed, failed, skipped } = totalsSchema.parse(message);
    totals.passed += passed;
    totals.failed += failed;
    totals.skipped += skipped;
  });
  children.add(child);
  const [code] = await once(child, 'close');
  children.delete(child);
  isGreen &&= code === 0;
}

const begin = performance.now();
const next = runs.values();
// One more than there are processors: tests also wait for timers, programs and databases.
await Promise.all(
  Array.from({ length: availableParallelism() + 1 }, async () => {
    for (const each of next) {
      await run(each);
    }
  }),
);
await postgres?.remove();
console.log(`in ${Math.round((performance.now() - begin) / 1000)} s`);
console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exitCode = isGreen && totals.passed > 0 ? 0 : 1;
