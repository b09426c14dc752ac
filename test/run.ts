import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync, statSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { startPostgresServer } from '../sandbox/postgres-server.ts';
import { findBrowser } from './support/browser/find-browser.ts';
import { childrensCpuSeconds } from './support/cpu-times.ts';
import { type EndedFile, endedFileSchema, endedProcessSchema } from './support/ended-file.ts';
import { memoryFolder } from './support/memory-folder.ts';
import { readTimes, writeTimes } from './support/test-times.ts';

/**
 * `npm test`, `npm run test:databases` and `npm run test:long`: runs the test files of one suite, or the
 * files named, with Node's runner. With `TEST_SAMPLE=0/4`, of the long suite and of the files on three instances only every
 * fourth, from the first on. Prints a line for each file, then the slowest files, the failures, and the number of passed tests.
 *
 * Loading the program takes longer than most files do, so each process runs a share of the files in sequence.
 * Files under `test/long` start processes themselves, and run in a process of their own.
 */
const suites: Readonly<Record<string, () => Run[]>> = {
  test: () => inShares(everyday, {}),
  databases: () => [
    ...inShares(everyday.filter(calls('forEachDatabase')), onPostgres),
    ...inShares(sampled(everyday.filter(calls('forOneAndThreeInstances'))), { TEST_INSTANCES: '3' }),
  ],
  long: () =>
    sampled([
      ...[isMinutesLong, isSeconds].flatMap((isNext) => [
        ...long.filter(isNext).map((file) => ({ files: [file], env: fresh })),
        ...long
          .filter(isNext)
          .filter(calls('forEachDatabase'))
          .map((file) => ({ files: [file], env: { ...fresh, ...onPostgres } })),
      ]),
      ...inShares(everyday.filter(isRandom), { ...fresh, TEST_ROUNDS: 'many' }),
    ]),
};

interface Run {
  files: readonly string[];
  env: NodeJS.ProcessEnv;
}

const onPostgres = { TEST_DATABASE: 'postgres' };
const [suite = 'test', ...given] = process.argv.slice(2);
const all = given.length > 0 ? given : globSync(['test/**/*.test.ts', 'sandbox/test/**/*.test.ts']).sort();
// Windows has its own separator.
const named = all.map((file) => relative('', file).replaceAll('\\', '/'));
const withoutBrowser = findBrowser() === undefined ? named.filter(calls('openBrowser')) : [];
const chosen = named.filter((file) => !withoutBrowser.includes(file));
const isLong = (file: string) => file.includes('test/long/');
const isRandom = (file: string) =>
  /fc\.assert\(|\b(?:assertLinear|rounds|sampled|everySeed)\b/.test(readFileSync(file, 'utf8'));
const long = chosen.filter(isLong);
const everyday = chosen.filter((file) => !isLong(file));
/** Files that take more than a minute. They start first, so that they don't end last. */
const minutesLong = [
  'store/move-store',
  'operating/watchers',
  'campaigns/repeats',
  'campaigns/killed-repeats',
  'kills/midway',
  'reports/reports',
  'soak/soak',
  'kills/kills',
  'cluster/cluster',
  'program/main',
].map((name) => `test/long/${name}.test.ts`);
const isMinutesLong = (file: string) => minutesLong.includes(file);
const isSeconds = (file: string) => !isMinutesLong(file);
/** `npm test` uses a fixed seed, `npm run test:long` a new one. */
const freshSeed = Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));
const fresh = { TEST_SEED: String(freshSeed) };

const sample = process.env.TEST_SAMPLE;
if (sample !== undefined && !/^\d+\/[1-9]\d*$/.test(sample)) {
  throw new Error(`TEST_SAMPLE is a number and how many there are, such as 0/4, and not ${sample}`);
}

function sampled<T>(all: readonly T[]): T[] {
  const [first = 0, step = 1] = sample?.split('/').map(Number) ?? [];
  return all.filter((_, index) => index % step === first);
}

/** Whether a file says that it runs elsewhere too: it calls the function of this name. */
function calls(name: string): (file: string) => boolean {
  return (file) => readFileSync(file, 'utf8').includes(`${name}(`);
}

/** Processes at a time: more than there are processors, as tests also wait for timers, programs and databases. */
const parallel = availableParallelism() + 1;

/**
 * Splits files into shares of about the same duration, by the times of earlier runs or else by file size.
 * There are as many shares as parallel processes, because each spends some seconds of CPU time on loading the
 * program and warming up.
 */
function inShares(files: readonly string[], env: NodeJS.ProcessEnv): Run[] {
  const times = readTimes();
  const weighed = files
    .map((file) => ({ file, weight: times?.[file]?.seconds ?? expectedSeconds(file) }))
    .sort((one, other) => other.weight - one.weight);
  const shares = Array.from({ length: Math.min(files.length, parallel) }, () => ({
    files: [] as string[],
    weight: 0,
  }));
  for (const { file, weight } of weighed) {
    const lightest = shares.reduce((least, share) => (share.weight < least.weight ? share : least));
    lightest.files.push(file);
    lightest.weight += weight;
  }
  return shares.map((share) => ({ files: share.files, env }));
}

/** A journey drives the whole app, so a line of it takes longer than one of another test. */
function expectedSeconds(file: string): number {
  return (statSync(file).size / 5_000) * (file.startsWith('test/journeys/') ? 3 : 1);
}

for (const file of withoutBrowser) {
  console.log(`skipped: ${file}: there is no Chrome, Edge or Chromium on this machine`);
}
const runs = suites[suite]?.() ?? [];
if (runs.length === 0 && withoutBrowser.length === 0) {
  throw new Error(
    `Nothing to run: \`npm run test:long\` runs test/long, and \`npm run test:databases\` what names a database. Usage: node test/run.ts ${Object.keys(suites).join('|')} [file …]`,
  );
}

const temporary = memoryFolder();
process.once('exit', () => temporary?.remove());
/**
 * One for all. The smoke of the store in `npm test` starts its own. A test's database is hundreds of files, made in memory: not
 * in the folder of the tests, whose removal would keep the server from being found and ended.
 */
const postgres =
  suite === 'test' ? undefined : await startPostgresServer({ within: temporary && dirname(temporary.path) });
/** With the files that have not ended in each. */
const children = new Map<ChildProcess, ReadonlySet<string>>();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    const underWay = [...children.values()].flatMap(([file]) => file ?? []);
    console.log(`Ended by ${signal}, during ${underWay.join(', ')}`);
    // Not by the same signal, which apps under test take for themselves.
    for (const child of children.keys()) {
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

const total = runs.reduce((sum, { files }) => sum + files.length, 0);
const ended: EndedFile[] = [];
const slownesses: number[] = [];
let done = 0;
/** Files that did not end, and the files of a process that failed although its tests passed. */
const lost: { file: string; end: string }[] = [];

async function run({ files, env }: Run): Promise<void> {
  const child = spawn(
    process.execPath,
    [
      // Fewer collections: the tests leave much behind, and the machine has the memory.
      '--max-semi-space-size=64',
      '--import',
      './test/support/compile-cache.ts',
      '--import',
      './test/support/without-promise-hooks.ts',
      '--import',
      './test/support/seeds.ts',
      ...(suite === 'test' ? ['--import', './test/support/database-without-thread.ts'] : []),
      'test/support/run-files.ts',
      ...files,
    ],
    { env: { ...environment, ...env }, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  );
  const missing = new Set(files);
  let hasEnded = false;
  child.on('message', (message) => {
    const end = endedProcessSchema.safeParse(message);
    if (end.success) {
      hasEnded = true;
      slownesses.push(end.data.slowness);
      return;
    }
    const file = endedFileSchema.parse(message);
    done += Number(missing.delete(file.file));
    ended.push(file);
    printFile(file);
  });
  children.set(child, missing);
  const [status, signal] = await once(child, 'close');
  children.delete(child);
  if (!hasEnded) {
    lost.push(...[...missing].map((file) => ({ file, end: 'its process ended before it did' })));
    return;
  }
  // Files whose tests a shared file defines, or that have none here.
  done += missing.size;
  const isTold = ended.some(({ file, failed }) => failed.length > 0 && files.includes(file));
  if (status !== 0 && !isTold) {
    lost.push({ file: files.join(', '), end: `the process ended with ${signal ?? `status ${status}`}` });
  }
}

function printFile({ file, seconds, cpuSeconds, passed, failed, skipped, notes }: EndedFile): void {
  const failures = ended.reduce((sum, each) => sum + each.failed.length, 0);
  const progress = `${String(done).padStart(4)}/${total}${failures > 0 ? `, ${failures} failed` : ''}`;
  const count = passed + failed.length + skipped.length;
  console.log(`${progress}  ${seconds.toFixed(1)} s, CPU ${cpuSeconds.toFixed(1)} s  ${file} (${count})`);
  for (const { name, line, error } of failed) {
    console.log(`✖ ${file}:${line}: ${name}\n${error}`);
  }
  for (const { name, reason } of skipped) {
    console.log(`skipped: ${name}: ${reason}`);
  }
  for (const note of notes) {
    console.log(note);
  }
}

const begin = performance.now();
const next = runs.values();
await Promise.all(
  Array.from({ length: parallel }, async () => {
    for (const each of next) {
      await run(each);
    }
  }),
);
await postgres?.remove();

const slowness = slownesses.reduce((sum, each) => sum + each, 0) / slownesses.length || 1;
// With more cases, files take longer than they may.
if (suite === 'test' && process.env.TEST_ROUNDS === undefined && process.env.TEST_TIMES === undefined) {
  writeTimes(ended, slowness);
}
const slowest = ended.toSorted((one, other) => other.cpuSeconds - one.cpuSeconds).slice(0, 10);
console.log('\nThe slowest files, by CPU time:');
for (const { file, seconds, cpuSeconds } of slowest) {
  console.log(`${cpuSeconds.toFixed(1).padStart(6)} s of ${seconds.toFixed(1)} s  ${file}`);
}
console.log(`One file again: npm ${suite === 'test' ? 'test' : `run test:${suite}`} -- ${slowest[0]?.file}`);
if (suite === 'long') {
  const again = sample === undefined ? '' : `TEST_SAMPLE=${sample} `;
  console.log(`The random tests again: ${again}TEST_SEED=${freshSeed} npm run test:long`);
}
const failures = ended.flatMap(({ file, failed }) => failed.map((failure) => ({ file, ...failure })));
for (const { file, line, name, error } of failures) {
  const seed = /seed: -?\d+/.exec(error)?.[0];
  console.log(`✖ ${file}:${line}: ${name}${seed === undefined ? '' : ` (${seed})`}`);
  // Without the frames of libraries, which would leave no room for the cause.
  const lines = error.split('\n').filter((line) => !/^\s+at .*(?:node_modules|node:)/.test(line));
  console.log(`  ${lines.slice(0, 12).join('\n  ').slice(0, 1_000)}`);
}
for (const { file, end } of lost) {
  console.log(`✖ ${file}: ${end}`);
}
const passed = ended.reduce((sum, each) => sum + each.passed, 0);
const skipped = ended.reduce((sum, each) => sum + each.skipped.length, 0);
const failed = failures.length + lost.length;
const used = childrensCpuSeconds();
console.log(`in ${Math.round((performance.now() - begin) / 1000)} s, CPU ${Math.round(used)} s`);
console.log(`This machine needs ${slowness.toFixed(2)} times the CPU time of the reference.`);
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
