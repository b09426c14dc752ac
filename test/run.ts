import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { startPostgresServer } from '../sandbox/postgres-server.ts';
import { memoryFolder } from './support/memory-folder.ts';
import { smallerSizes } from './support/sizes.ts';

/**
 * `npm test`: runs every test file. Loading the program takes longer than most test files do, so a process runs many of
 * them in sequence. Files that measure time or memory, or drive other processes, have a process of their own.
 */
const alone = globSync([
  'test/cluster/*.test.ts',
  'test/e2e/**/*.test.ts',
  'test/fuzz/*.test.ts',
  'test/main*.test.ts',
  'test/soak/*.test.ts',
  'test/**/linear.test.ts',
  'test/**/*fuzz.test.ts',
  'sandbox/test/main.test.ts',
]).sort();
/** Files about the store that run once, by the reason. */
const onDatabasesOfTheirOwn: Readonly<Record<string, string>> = {
  'test/store/sqlite/database.test.ts': 'it is about SQLite',
  'test/store/installation/installation.test.ts':
    'it is about copied files; postgres-installation.test.ts is its like',
  'test/store/migrations/migrate.test.ts': 'database.test.ts is its like on PostgreSQL',
  'test/store/move/move-store.test.ts': 'it uses both',
  'test/store/move/copy-table.test.ts': 'it uses both',
  'test/store/installation/postgres-installation.test.ts': 'it is about PostgreSQL',
  'test/store/postgres/database.test.ts': 'it is about PostgreSQL',
  'test/store/jobs/postgres-jobs.test.ts': 'it is about PostgreSQL',
  'test/store/deliveries/deliveries.test.ts': 'it uses both',
  'test/store/deliveries/resolve-operation.test.ts': 'it uses both',
  'test/store/jobs/jobs.test.ts': 'it uses both',
  'test/store/outbox/notice-leases.test.ts': 'it uses both',
  'test/store/campaigns/sending/leases.test.ts': 'it uses both',
  'test/store/campaigns/sending/pace.test.ts': 'it needs no database',
  'test/store/campaigns/row-mapping.test.ts': 'it needs no database',
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
  .filter((file) => !(file in onDatabasesOfTheirOwn));
/** These run a second time, with each request on another of three instances. */
const onInstances = [
  'approvals',
  'channel-check',
  'contacts',
  'delivery-reports',
  'form-values-survive',
  'latest-action',
  'number-lookup',
  'otp',
  'twice',
  'uninstall',
].map((name) => `test/journeys/${name}.test.ts`);

const soak = 'test/soak/soak.test.ts';

/** What a process has to do, by about: loading the program takes it some three of them. */
const secondsPerProcess = 90;

/** Files that take long where CI is set, by about how many seconds. */
const longFiles: Readonly<Record<string, number>> = {
  [soak]: 150,
  'test/cluster/cluster.test.ts': 75,
  'test/e2e/browser/messages.test.ts': 55,
  'test/e2e/crash/kills.test.ts': 55,
  'test/e2e/browser/campaigns.test.ts': 35,
  'test/journeys/crossing.test.ts': 25,
  'test/e2e/browser/other-features.test.ts': 25,
  'sandbox/test/main.test.ts': 20,
  'test/journeys/shut-out.test.ts': 20,
  'test/main.test.ts': 20,
  'test/operating/lost-answers.test.ts': 18,
  'test/journeys/recovery.test.ts': 17,
  'test/fuzz/fuzz.test.ts': 16,
  'test/e2e/browser/install.test.ts': 15,
  'test/services/limits/simulated-days.test.ts': 14,
  'test/operating/database-away.test.ts': 14,
  'test/production-install.test.ts': 13,
  'sandbox/test/sandbox.test.ts': 12,
  'test/provider/http/random-connections.test.ts': 12,
  'test/provider/response/receipt.test.ts': 12,
  'test/provider/phonebooks/contacts.test.ts': 12,
  'test/provider/response/random-responses.test.ts': 12,
  'test/e2e/crash/restores.test.ts': 10,
  'test/operating/proxy.test.ts': 10,
  'test/journeys/campaign-sending.test.ts': 10,
  'test/journeys/restored-data.test.ts': 10,
  'test/store/campaigns/campaigns-model.test.ts': 10,
  'test/store/erasure/erasure.test.ts': 8,
  'sandbox/test/page/modal.test.ts': 8,
  'test/packaging/image.test.ts': 8,
  'test/journeys/esim-status.test.ts': 8,
  'test/packaging/bundle.test.ts': 8,
  'test/journeys/history.test.ts': 8,
  'test/journeys/ownership.test.ts': 8,
  'sandbox/test/page/reading.test.ts': 7,
  'test/journeys/campaign-steering.test.ts': 7,
  'test/journeys/permissions.test.ts': 7,
  'test/journeys/provider-faults.test.ts': 7,
  'test/store/installation/installation.test.ts': 7,
  'test/journeys/contacts.test.ts': 7,
  'test/e2e/crash/moves.test.ts': 7,
  'test/journeys/suppression-list.test.ts': 7,
  'test/slack/features/campaigns/progress/update-turns.test.ts': 7,
  'test/slack/features/view-limits.test.ts': 6,
  'test/journeys/dnd-check-long-lists.test.ts': 6,
  'test/journeys/sms.test.ts': 6,
  'test/journeys/erasure.test.ts': 6,
  'test/journeys/approvals.test.ts': 5,
  'test/journeys/twice.test.ts': 5,
  'test/journeys/otp.test.ts': 4,
  'test/journeys/number-lookup.test.ts': 4,
};

const shared = globSync(['test/**/*.test.ts', 'sandbox/test/**/*.test.ts'])
  .sort()
  .filter((file) => !alone.includes(file));

interface Group {
  files: string[];
  env: NodeJS.ProcessEnv;
  seconds: number;
}

const groups: Group[] = [
  ...alone.map((file) => ({ files: [file], env: {}, seconds: secondsOf(file) })),
  // Beside the one on SQLite: two minutes are two minutes.
  { files: [soak], env: { TEST_DATABASE: 'postgres' }, seconds: secondsOf(soak) },
  ...share(shared, {}, 1),
  ...share(onPostgres, { TEST_DATABASE: 'postgres' }, 4),
  ...share(onInstances, { TEST_INSTANCES: '3' }, 6),
  // The longest first, so that none is left alone at the end.
].sort((one, other) => other.seconds - one.seconds);

function secondsOf(file: string): number {
  return longFiles[file] ?? 1;
}

/** Deals files out, the longest first, each to the process that has least to do. */
function share(files: readonly string[], env: NodeJS.ProcessEnv, factor: number): Group[] {
  const seconds = factor * files.reduce((sum, file) => sum + secondsOf(file), 0);
  const dealt = Array.from({ length: Math.ceil(seconds / secondsPerProcess) }, () => ({
    files: [] as string[],
    env,
    seconds: 0,
  }));
  for (const file of files.toSorted((one, other) => secondsOf(other) - secondsOf(one))) {
    const [least] = dealt.toSorted((one, other) => one.seconds - other.seconds);
    least?.files.push(file);
    if (least !== undefined) {
      least.seconds += factor * secondsOf(file);
    }
  }
  return dealt;
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
const temporary = memoryFolder();
process.once('exit', () => temporary?.remove());
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => process.exit(1));
}
/** What was compiled is kept for the next run. */
const environment = {
  NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
  ...(temporary && { TMPDIR: temporary.path }),
  ...process.env,
  TEST_DATABASE_URL: postgres.url,
};

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
      env: { ...environment, ...env },
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
    const failures = output.split('\n✖ failing tests:\n')[1] ?? '';
    failed.push(
      `${files.length === 1 ? files[0] : `${files[0]} and ${files.length - 1} other files`}\n${failures}`,
    );
  }
}

const begin = performance.now();
const next = groups.values();
// One more than there are processors: tests also wait for timers, programs and databases. With more, browsers run late.
await Promise.all(
  Array.from({ length: availableParallelism() + 1 }, async () => {
    for (const group of next) {
      await run(group);
    }
  }),
);
await postgres.remove();
for (const [file, reason] of Object.entries(onDatabasesOfTheirOwn)) {
  console.log(`on one run only: ${file}: ${reason}`);
}
const smaller = smallerSizes();
if (smaller !== undefined) {
  console.log(`smaller than where CI is set: ${smaller}`);
}
for (const files of failed) {
  console.log(`failed: ${files}`);
}
const seconds = Math.round((performance.now() - begin) / 1000);
console.log(
  `${totals.tests} tests in ${seconds} s: ${totals.pass} passed, ${totals.fail} failed, ${totals.skipped} skipped`,
);
process.exitCode = failed.length === 0 && totals.tests > 0 ? 0 : 1;
