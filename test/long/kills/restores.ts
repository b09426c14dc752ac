import assert from 'node:assert/strict';
import { copyFileSync, cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import type { Services } from '../../../src/services/services.ts';
import { isHeld } from '../../../src/store/campaigns/campaign-moves.ts';
import type { Store } from '../../../src/store/store.ts';
import type { RunningProcess, TestHooks } from '../../support/app/app-process.ts';
import { type CrashHarness, startHarness } from './crash-harness.ts';

/** The ways to make a back-up and restore it. */
const recipes = {
  'VACUUM INTO while it runs; the file replaces the database': (restoration: Restoration) =>
    backUpByVacuum(restoration, (backUp) => {
      removeDatabase(restoration.dataDir);
      copyFileSync(backUp, join(restoration.dataDir, database));
    }),
  'VACUUM INTO while it runs; its content is written into the database file': (restoration: Restoration) =>
    backUpByVacuum(restoration, (backUp) => {
      rmSync(join(restoration.dataDir, `${database}-wal`), { force: true });
      rmSync(join(restoration.dataDir, `${database}-shm`), { force: true });
      writeFileSync(join(restoration.dataDir, database), readFileSync(backUp));
    }),
  'the folder copied after a stop; the copy replaces the folder': (restoration: Restoration) =>
    backUpByCopy(restoration, (backUp) => {
      rmSync(restoration.dataDir, { recursive: true });
      renameSync(backUp, restoration.dataDir);
    }),
  'the folder copied after a stop; each file is written into the one that is there': (
    restoration: Restoration,
  ) =>
    backUpByCopy(restoration, (backUp) => {
      cpSync(backUp, restoration.dataDir, { recursive: true, preserveTimestamps: true });
    }),
  'the folder copied after a stop; only its database is restored': (restoration: Restoration) =>
    backUpByCopy(restoration, (backUp) => {
      removeDatabase(restoration.dataDir);
      copyFileSync(join(backUp, database), join(restoration.dataDir, database));
    }),
  'the folder copied after a stop; the copy is started elsewhere': (restoration: Restoration) =>
    backUpByCopy(restoration, (backUp) => {
      restoration.dataDir = backUp;
    }),
} as const;
type Recipe = keyof typeof recipes;

const database = 'switchboard.db';

/** One restoration: the folder the program runs in, its back-up, and when each step happens. */
interface Restoration {
  harness: CrashHarness;
  dataDir: string;
  backUp: string;
  timing: Timing;
}

/** When the steps of a restoration happen. */
interface Timing {
  /** Requests to the provider before the back-up. */
  backUp: number;
  /** Requests to the provider between the back-up and the end of the program. */
  sentSince: number;
  isKilled: boolean;
  /** Milliseconds from the first start on the restored data to its kill. */
  killedAfter: number;
  /** Milliseconds from the readiness of the second start to its stop. */
  stoppedAfter: number;
}

const timings: fc.Arbitrary<Timing> = fc.record({
  backUp: fc.integer({ min: 1, max: 12 }),
  sentSince: fc.integer({ min: 1, max: 12 }),
  isKilled: fc.boolean(),
  killedAfter: fc.integer({ min: 0, max: 1_500 }),
  stoppedAfter: fc.integer({ min: 0, max: 1_000 }),
});

export interface RestoreResult {
  restores: number;
  /** How often the provider was asked to send a campaign's message to a number, by campaign and number. */
  asked: ReadonlyMap<string, number>;
}

/**
 * Runs campaigns with the program of `npm start`, restores a back-up in the middle of them by one recipe after the other,
 * and starts the program on it. Nobody resumes a campaign.
 */
export async function runRestores(
  test: TestHooks,
  { restores, seed }: { restores: number; seed: number },
): Promise<RestoreResult> {
  const harness = await startHarness(test, { messagesPerSecond: 2_000 });
  const restoration = { harness, dataDir: harness.dataDir };
  const names = Object.keys(recipes) as Recipe[];
  await harness.whileStopped((services, store) => startCampaigns(harness, services, store));

  for (const [index, timing] of fc.sample(timings, { seed, numRuns: restores }).entries()) {
    const recipe = names[(seed + index) % names.length];
    if (recipe === undefined) {
      continue;
    }
    const restored: Restoration = { ...restoration, backUp: `${harness.dataDir}.${index}`, timing };
    const putBack = await recipes[recipe](restored);
    putBack();
    restoration.dataDir = restored.dataDir;
    await startRestored(restored, recipe);
  }
  return { restores, asked: harness.asked() };
}

/** Starts two campaigns now, and schedules one and a message in two seconds. */
async function startCampaigns(harness: CrashHarness, services: Services, store: Store): Promise<void> {
  await harness.start(services, store, { recipients: 3_000, personal: false });
  await harness.start(services, store, { recipients: 100, personal: true });
  await harness.start(services, store, { recipients: 50, personal: true, after: 2_000 });
  await harness.start(services, store, { recipients: 1, personal: false, after: 2_000, isMessage: true });
}

/** Makes a back-up while the program sends; it sends more before it ends. Resolves with the restoration. */
async function backUpByVacuum(
  restoration: Restoration,
  putBack: (backUp: string) => void,
): Promise<() => void> {
  const { harness, dataDir, backUp, timing } = restoration;
  const program = harness.run(dataDir);
  await harness.arrivals(timing.backUp, program);
  const other = new Database(join(dataDir, database), { timeout: 5_000 });
  other.prepare('vacuum into ?').run(backUp);
  other.close();
  await harness.arrivals(timing.sentSince, program);
  await end(program, timing);
  return () => putBack(backUp);
}

/** Copies the folder after a stop of the program; a second run sends more. Resolves with the restoration. */
async function backUpByCopy(
  restoration: Restoration,
  putBack: (backUp: string) => void,
): Promise<() => void> {
  const { harness, dataDir, backUp, timing } = restoration;
  const first = harness.run(dataDir);
  await harness.arrivals(timing.backUp, first);
  await first.ready();
  await first.stop();
  cpSync(dataDir, backUp, { recursive: true, preserveTimestamps: true });
  const second = harness.run(dataDir);
  await harness.arrivals(timing.sentSince, second);
  await end(second, timing);
  return () => putBack(backUp);
}

async function end(program: RunningProcess, { isKilled }: Timing): Promise<void> {
  if (!isKilled) {
    await program.ready();
  }
  await (isKilled ? program.kill() : program.stop());
}

/** Starts the program twice on restored data, killing it the first time. Asserts that it sends nothing and holds its campaigns. */
async function startRestored({ harness, dataDir, timing }: Restoration, recipe: Recipe): Promise<void> {
  const before = harness.provider.arrivals.length;
  const killed = harness.run(dataDir);
  await pause(timing.killedAfter);
  await killed.kill();
  const program = harness.run(dataDir);
  await program.ready();
  await pause(timing.stoppedAfter);
  await program.stop();
  assert.equal(harness.provider.arrivals.length, before, recipe);
  await harness.whileStopped(async (services, store) => {
    assert.ok(store.installation.restoredAt, recipe);
    const open = await store.campaigns.inState(['scheduled', 'running', 'paused']);
    for (const campaign of open) {
      assert.equal(campaign.state, 'paused', recipe);
      assert.ok(isHeld(campaign), recipe);
      assert.equal(campaign.inFlight, 0, recipe);
    }
    await startCampaigns(harness, services, store);
  }, dataDir);
}

function removeDatabase(dataDir: string): void {
  for (const suffix of ['', '-wal', '-shm']) {
    rmSync(join(dataDir, `${database}${suffix}`), { force: true });
  }
}

/** Asserts that no recipient was sent to twice. */
export function assertNoneRepeated({ asked }: RestoreResult): void {
  const twice = [...asked].filter(([, times]) => times > 1);
  assert.deepEqual(twice, []);
}
