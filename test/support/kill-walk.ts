import assert from 'node:assert/strict';
import { withEpoch } from '../../src/domain/access/request-keys.ts';
import type { Store } from '../../src/store/store.ts';
import { copyData } from './store/copy-data.ts';
import { killAfter } from './store/kill-after.ts';

/** A program that a test can restart: `CampaignHarness`, or an app. */
export interface Killable {
  readonly store: Store;
  /** The data folder. */
  readonly folder: string;
  restart(options?: { isRestored?: boolean; whileStopped?: () => Promise<void> }): Promise<void>;
}

export interface KilledWork<Scene> {
  /** Sets up a scene. `id` is unique, and has the epoch of the data. */
  begin(id: string): Promise<Scene>;
  /** The work that is killed. It may fail. */
  work(scene: Scene): Promise<unknown>;
  /** Asserts what the next start finds, and finishes the work. */
  again(scene: Scene, where: string): Promise<void>;
  /**
   * Asserts that nothing happens twice or is lost silently if the data is restored to the moment of the kill.
   */
  restored?(scene: Scene, where: string): Promise<void>;
}

/** More commits than any work has. */
const mostSteps = 60;

/**
 * Kills a program after each commit of some work in turn, restarts it to finish the work, and restores the
 * data from the kill. Returns the number of steps.
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
