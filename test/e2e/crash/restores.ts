import assert from 'node:assert/strict';
import { once } from 'node:events';
import { copyFileSync, cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import type { Services } from '../../../src/services/services.ts';
import { isHeld } from '../../../src/store/campaigns/hold-campaigns.ts';
import type { Store } from '../../../src/store/store.ts';
import type { RunningProgram } from '../../support/program.ts';
import { type Stage, startStage, type Test } from './crash-harness.ts';

/** How a back-up is made and put back. */
const recipes = {
  'VACUUM INTO while it runs, and the file put in the place of the database': (place: Place) =>
    vacuumed(place, (backUp) => {
      removeDatabase(place.dataDir);
      copyFileSync(backUp, join(place.dataDir, database));
    }),
  'VACUUM INTO while it runs, and its content put into the database': (place: Place) =>
    vacuumed(place, (backUp) => {
      rmSync(join(place.dataDir, `${database}-wal`), { force: true });
      rmSync(join(place.dataDir, `${database}-shm`), { force: true });
      writeFileSync(join(place.dataDir, database), readFileSync(backUp));
    }),
  'the folder copied after a stop, and put in the place of the folder': (place: Place) =>
    copied(place, (backUp) => {
      rmSync(place.dataDir, { recursive: true });
      renameSync(backUp, place.dataDir);
    }),
  'the folder copied after a stop, and each file put into the one that is there': (place: Place) =>
    copied(place, (backUp) => {
      cpSync(backUp, place.dataDir, { recursive: true, preserveTimestamps: true });
    }),
  'the folder copied after a stop, and its database alone put back': (place: Place) =>
    copied(place, (backUp) => {
      removeDatabase(place.dataDir);
      copyFileSync(join(backUp, database), join(place.dataDir, database));
    }),
  'the folder copied after a stop, and the copy started elsewhere': (place: Place) =>
    copied(place, (backUp) => {
      place.dataDir = backUp;
    }),
} as const;
type Recipe = keyof typeof recipes;

const database = 'switchboard.db';

/** Where the program runs; the copy of it goes on elsewhere. */
interface Place {
  stage: Stage;
  dataDir: string;
  /** For this restoration alone. */
  backUp: string;
  moment: Moment;
}

/** When things happen: after so many requests, or milliseconds. */
interface Moment {
  backUp: number;
  sentSince: number;
  isKilled: boolean;
  /** Of a start on the restored data that is killed, since it was made; and of the next one, since it was ready. */
  killedAfter: number;
  stoppedAfter: number;
}

const moments: fc.Arbitrary<Moment> = fc.record({
  backUp: fc.integer({ min: 1, max: 12 }),
  sentSince: fc.integer({ min: 1, max: 12 }),
  isKilled: fc.boolean(),
  killedAfter: fc.integer({ min: 0, max: 1_500 }),
  stoppedAfter: fc.integer({ min: 0, max: 1_000 }),
});

export interface Restores {
  restores: number;
  /** How often the provider was asked to send a campaign's message to a number, by both of them. */
  asked: ReadonlyMap<string, number>;
}

/**
 * Runs campaigns with the program of `npm start`, restores a back-up in the midst of them by one recipe after the other,
 * and starts the program on it, as often as asked. Nobody resumes anything.
 */
export async function restore(
  test: Test,
  { restores, seed }: { restores: number; seed: number },
): Promise<Restores> {
  const stage = await startStage(test, { messagesPerSecond: 2_000 });
  const place = { stage, dataDir: stage.dataDir };
  const names = Object.keys(recipes) as Recipe[];
  await stage.between((services, store) => startCampaigns(stage, services, store));

  for (const [index, moment] of fc.sample(moments, { seed, numRuns: restores }).entries()) {
    const recipe = names[(seed + index) % names.length];
    if (recipe === undefined) {
      continue;
    }
    const restored: Place = { ...place, backUp: `${stage.dataDir}.${index}`, moment };
    const putBack = await recipes[recipe](restored);
    putBack();
    place.dataDir = restored.dataDir;
    await startRestored(restored, recipe);
  }
  return { restores, asked: stage.asked() };
}

/** Two that are sent at once, and one that is due soon. */
async function startCampaigns(stage: Stage, services: Services, store: Store): Promise<void> {
  await stage.start(services, store, { recipients: 3_000, personal: false });
  await stage.start(services, store, { recipients: 100, personal: true });
  await stage.start(services, store, { recipients: 50, personal: true, after: 2_000 });
}

/** The program sends, is backed up while it does, and sends more until it ends. */
async function vacuumed(place: Place, putBack: (backUp: string) => void): Promise<() => void> {
  const { stage, dataDir, backUp, moment } = place;
  const program = stage.run(dataDir);
  await stage.arrivals(moment.backUp, program);
  const other = new Database(join(dataDir, database), { timeout: 5_000 });
  other.prepare('vacuum into ?').run(backUp);
  other.close();
  await stage.arrivals(moment.sentSince, program);
  await end(program, moment);
  return () => putBack(backUp);
}

/** The program sends, is stopped and copied, and sends more until it ends. */
async function copied(place: Place, putBack: (backUp: string) => void): Promise<() => void> {
  const { stage, dataDir, backUp, moment } = place;
  const first = stage.run(dataDir);
  await stage.arrivals(moment.backUp, first);
  await first.says('Switchboard is ready');
  first.child.kill('SIGTERM');
  await first.ended;
  cpSync(dataDir, backUp, { recursive: true, preserveTimestamps: true });
  const second = stage.run(dataDir);
  await stage.arrivals(moment.sentSince, second);
  await end(second, moment);
  return () => putBack(backUp);
}

async function end(program: RunningProgram, { isKilled }: Moment): Promise<void> {
  if (!isKilled) {
    await program.says('Switchboard is ready');
  }
  program.child.kill(isKilled ? 'SIGKILL' : 'SIGTERM');
  await once(program.child, 'close');
}

/** Starts on restored data: killed at first, whatever it is doing just then. It sends nothing, and says so. */
async function startRestored({ stage, dataDir, moment }: Place, recipe: Recipe): Promise<void> {
  const before = stage.provider.arrivals.length;
  const killed = stage.run(dataDir);
  await pause(moment.killedAfter);
  killed.child.kill('SIGKILL');
  await killed.ended;
  const program = stage.run(dataDir);
  await program.says('Switchboard is ready');
  await pause(moment.stoppedAfter);
  program.child.kill('SIGTERM');
  await program.ended;
  assert.equal(stage.provider.arrivals.length, before, recipe);
  await stage.between(async (services, store) => {
    assert.ok(store.installation.restoredAt, recipe);
    const open = await store.campaigns.inState(['scheduled', 'running', 'paused']);
    for (const campaign of open) {
      assert.equal(campaign.state, 'paused', recipe);
      assert.ok(isHeld(campaign), recipe);
      assert.equal(campaign.inFlight, 0, recipe);
    }
    await startCampaigns(stage, services, store);
  }, dataDir);
}

function removeDatabase(dataDir: string): void {
  for (const suffix of ['', '-wal', '-shm']) {
    rmSync(join(dataDir, `${database}${suffix}`), { force: true });
  }
}

/** Nobody was sent to twice, whatever was forgotten of them meanwhile. */
export function assertNobodyTwice({ asked }: Restores): void {
  const twice = [...asked].filter(([, times]) => times > 1);
  assert.deepEqual(twice, []);
}
