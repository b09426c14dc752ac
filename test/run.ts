import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { text } from 'node:stream/consumers';
import { startPostgresServer } from '../sandbox/postgres-server.ts';

/**
 * `npm test`: runs every test file. Loading the program takes longer than most test files do, so a process runs many of
 * them in sequence. Files that measure time or memory, or drive other processes, have a process of their own.
 */
const alone = globSync([
  'test/cluster/*.test.ts',
  'test/e2e/**/*.test.ts',
  'test/fuzz/*.test.ts',
  'test/main*.test.ts',
  'test/**/linear.test.ts',
  'test/**/*fuzz.test.ts',
  'sandbox/test/main.test.ts',
]).sort();
/** Files about the store that run on SQLite alone, by the reason. */
const onSqliteOnly: Readonly<Record<string, string>> = {
  'test/store/sqlite/database.test.ts': 'it is that database',
  'test/store/installation/installation.test.ts':
    'it is about copied files; postgres-installation.test.ts is its like',
  'test/store/migrations/migrate.test.ts': 'the tables before a migration were only ever in SQLite',
  'test/store/former-version.test.ts': 'former versions had only SQLite',
  'test/store/move/move-store.test.ts': 'it has both databases',
  'test/store/move/table-digest.test.ts': 'it has both databases',
  'test/store/data-dir/private-dir.test.ts': 'it needs no database',
  'test/store/encryption/cipher.test.ts': 'it needs no database',
};
/** These run a second time, with the store on PostgreSQL. */
const onPostgres = globSync([
  'test/store/**/*.test.ts',
  'test/services/campaigns/faults.test.ts',
  'test/journeys/{sms,campaign-sending,otp,contacts,uninstall}.test.ts',
])
  .sort()
  .filter((file) => !(file in onSqliteOnly));
/** These run a second time, with each request on another of three instances. */
const onInstances = ['twice', 'number-lookup', 'latest-action', 'otp'].map(
  (name) => `test/journeys/${name}.test.ts`,
);
const filesPerProcess = 20;

const shared = globSync(['test/**/*.test.ts', 'sandbox/test/**/*.test.ts'])
  .sort()
  .filter((file) => !alone.includes(file));
interface Group {
  files: string[];
  env: NodeJS.ProcessEnv;
}

const groups: Group[] = alone.map((file) => ({ files: [file], env: {} }));
share(shared, {});
share(onPostgres, { TEST_DATABASE: 'postgres' });
share(onInstances, { TEST_INSTANCES: '3' });

/** Deals files out in turn, so that neighbours, which take about the same time, are in different processes. */
function share(files: readonly string[], env: NodeJS.ProcessEnv): void {
  const count = Math.ceil(files.length / filesPerProcess);
  for (let first = 0; first < count; first += 1) {
    groups.push({ files: files.filter((_, index) => index % count === first), env });
  }
}

interface Totals {
  tests: number;
  pass: number;
  fail: number;
  skipped: number;
}

const totals: Totals = { tests: 0, pass: 0, fail: 0, skipped: 0 };
const failed: string[] = [];

const postgres = await startPostgresServer();

async function run({ files, env }: Group): Promise<void> {
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
    {
      env: { ...process.env, TEST_DATABASE_URL: postgres.url, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
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
// One more than there are processors, as some wait for a browser or a program.
await Promise.all(
  Array.from({ length: availableParallelism() + 1 }, async () => {
    for (const group of next) {
      await run(group);
    }
  }),
);
await postgres.remove();
for (const [file, reason] of Object.entries(onSqliteOnly)) {
  console.log(`on SQLite only: ${file}: ${reason}`);
}
const seconds = Math.round((performance.now() - begin) / 1000);
console.log(
  `${totals.tests} tests in ${seconds} s: ${totals.pass} passed, ${totals.fail} failed, ${totals.skipped} skipped`,
);
for (const files of failed) {
  console.log(`failed: ${files}`);
}
process.exitCode = failed.length === 0 && totals.tests > 0 ? 0 : 1;
