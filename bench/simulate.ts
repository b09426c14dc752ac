import { randomBytes } from 'node:crypto';
import { globSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { sql } from 'kysely';
import { readSettings } from '../src/config/settings.ts';
import { openStore } from '../src/store/store.ts';
import { databaseConnections, databaseLabel, endDatabases, newDatabase } from './support/databases.ts';
import { type Action, perform, type Step, stepsOf, workspaceAt } from './support/day.ts';
import { percentile, table } from './support/figures.ts';
import { startProgram } from './support/program.ts';
import { connectAll, createBenchServices, run } from './support/services.ts';
import { slackSettings } from './support/workspace.ts';

/**
 * A day of many workspaces, as fast as the store takes it: what people do goes through the services to the real store and
 * to a provider that accepts all. Prints what each kind of action costs, and a workspace in rows, bytes and memory.
 *
 * `node bench/simulate.ts --workspaces 10000 --together 32 --seed 7`; with `--database PostgreSQL` on one of its own, which
 * confirms what is on disk alone, and with `DATABASE_URL` on that.
 */
const { values: options } = parseArgs({
  options: {
    workspaces: { type: 'string', default: '10000' },
    /** How many actions are under way at once. */
    together: { type: 'string', default: '32' },
    seed: { type: 'string', default: '7' },
    database: { type: 'string', default: 'SQLite' },
  },
});
const workspaces = Number(options.workspaces);
const together = Number(options.together);
const DATABASE_URL =
  process.env.DATABASE_URL ??
  (options.database === 'PostgreSQL' ? (await newDatabase('PostgreSQL')).DATABASE_URL : undefined);

const provider = await startProgram(new URL('fake-provider.ts', import.meta.url));
const dataDir = mkdtempSync(join(tmpdir(), 'switchboard-simulate-'));
process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
const settings = await readSettings({
  ...slackSettings('http://127.0.0.1:9'),
  PROVIDER_BASE_URL: provider.url,
  ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
  DATA_DIR: dataDir,
  CAMPAIGN_MESSAGES_PER_SECOND: '1000000',
  ...(DATABASE_URL === undefined ? {} : { DATABASE_URL, DATABASE_CONNECTIONS: databaseConnections }),
});
let statements = 0;
const store = await openStore({
  ...settings,
  onStatement: () => {
    statements += 1;
  },
});
const { services, close } = createBenchServices(settings, store);
services.campaigns.startSending();

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** What is resident, and what of the heap is in use after a collection. */
function memory(): string {
  const resident = process.memoryUsage.rss();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  const inUse = `${(heapUsed / 1e6).toFixed(0)} MB of the heap and ${(external / 1e6).toFixed(0)} MB beside it`;
  return `${(resident / 1e6).toFixed(0)} MB, in use ${inUse}`;
}

async function bytesOnDisk(): Promise<number> {
  if (DATABASE_URL !== undefined) {
    const { rows } = await sql<{ size: number }>`select pg_database_size(current_database()) as size`.execute(
      store.db,
    );
    return Number(rows[0]?.size);
  }
  return globSync('switchboard.db*', { cwd: dataDir }).reduce(
    (sum, file) => sum + statSync(join(dataDir, file)).size,
    0,
  );
}

async function rowsByTable(): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { name } of await store.db.introspection.getTables()) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(
      store.db,
    );
    counts.set(name, Number(rows[0]?.count));
  }
  return counts;
}

const before = memory();
const connectBegin = performance.now();
await connectAll(services, workspaces, together);
const connectedIn = (performance.now() - connectBegin) / 1000;
const idleBytes = await bytesOnDisk();
const connected = memory();

// What each kind costs alone: one after the other, in one workspace, so that its statements are known.
const kinds: Action[] = ['Home', 'message', 'code', 'check of 5 numbers', 'history', 'campaign of 1,000'];
const alone = new Map<Action, { statements: number; milliseconds: number }>();
for (const action of kinds) {
  const samples = action.startsWith('campaign') ? 3 : 10;
  const steps = Array.from({ length: samples }, (): Step => ({ workspaceId: workspaceAt(0), action }));
  const from = statements;
  const times = await run(steps, (step) => perform(step, services), 1);
  alone.set(action, {
    statements: (statements - from) / samples,
    milliseconds: percentile([...times.values()], 0.5),
  });
}

const steps = stepsOf(workspaces, Number(options.seed));
const [dayBegin, from] = [performance.now(), statements];
const times = await run(steps, (step) => perform(step, services), together);
const seconds = (performance.now() - dayBegin) / 1000;
const dayStatements = statements - from;
const after = memory();
const rows = await rowsByTable();
const bytes = await bytesOnDisk();

await services.campaigns.stopSending();
await close();
await store.close();
await provider.stop();
await endDatabases();

console.log(
  table([
    ['action', 'a day', 'statements alone', 'ms alone', 'p50 ms', 'p99 ms'],
    ...kinds.map((action) => {
      const took = [...times].filter(([step]) => step.action === action).map(([, time]) => time);
      const { statements: count = 0, milliseconds = 0 } = alone.get(action) ?? {};
      return [
        action,
        String(took.length),
        count.toFixed(1),
        milliseconds.toFixed(1),
        percentile(took, 0.5).toFixed(1),
        percentile(took, 0.99).toFixed(1),
      ];
    }),
  ]),
);
console.log(`
${databaseLabel(DATABASE_URL === undefined ? 'SQLite' : 'PostgreSQL')}.
${workspaces} workspaces connected in ${connectedIn.toFixed(0)} s: ${(idleBytes / workspaces).toFixed(0)} bytes each on disk
${steps.length} actions in ${seconds.toFixed(0)} s: ${(steps.length / seconds).toFixed(0)} a second, ${(dayStatements / seconds).toFixed(0)} statements a second
a workspace and its day: ${(dayStatements / workspaces).toFixed(1)} statements, ${(bytes / workspaces).toFixed(0)} bytes
memory of this process: at first ${before}; with all connected ${connected}; after the day ${after}
rows: ${[...rows]
  .filter(([, count]) => count > 0)
  .sort(([, one], [, other]) => other - one)
  .map(([name, count]) => `${name} ${count}`)
  .join(', ')}`);
