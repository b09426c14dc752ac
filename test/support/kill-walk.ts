import assert from 'node:assert/strict';
import { withEpoch } from '../../src/domain/access/request-keys.ts';
import type { Store } from '../../src/store/store.ts';
import { copyData } from './store/copy-data.ts';
import { killAfter } from './store/kill-after.ts';

/** A program that a test starts again: `CampaignHarness`, or an app. */
export interface Killable {
  readonly store: Store;
  /** The data folder. */
  readonly folder: string;
  restart(options?: { isRestored?: boolean; whileStopped?: () => Promise<void> }): Promise<void>;
}

export interface KilledWork<Scene> {
  /** Makes what the work is about. `id` is another one each time, and of the epoch of the data. */
  begin(id: string): Promise<Scene>;
  /** What is killed; it may fail. */
  work(scene: Scene): Promise<unknown>;
  /** Asserts what the next start finds, and ends the work. */
  again(scene: Scene, where: string): Promise<void>;
  /**
   * Asserts that what has happened since happens no second time, and is not lost in silence, where the data were restored to what
   * they were when the program was killed.
   */
  restored?(scene: Scene, where: string): Promise<void>;
}

/** More commits than any work has. */
const mostSteps = 60;

/**
 * Kills a program after each commit of some work in turn, starts it again, has it end the work, and restores the data as they
 * were at the kill. Returns how many steps the work has.
 */
export async function killAtEachStep<Scene>(
  test: { after(end: () => void | Promise<void>): void },
  program: Killable,
  { begin, work, again, restored }: KilledWork<Scene>,
): Promise<number> {
  for (let step = 0; step < mostSteps; step += 1) {
    const where = `killed after ${step} commits`;
    const scene = await begin(withEpoch(program.store.installation.epoch, `step-${step}`));
    const kill = killAfter(program.store, step);
    await work(scene).catch(() => {});
    kill.revive();
    let putBack = async () => {};
    await program.restart({
      async whileStopped() {
        putBack = restored === undefined ? putBack : await copyData(test, program.folder);
      },
    });
    await again(scene, where);
    if (restored !== undefined) {
      await program.restart({ isRestored: true, whileStopped: putBack });
      await restored(scene, `${where}, and restored`);
    }
    if (!kill.hasCome()) {
      return step;
    }
  }
  return assert.fail('the work did not end');
}
