import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { showProgress } from '../../../src/slack/notifier/progress.ts';

/** Records the updates, each in flight until the test ends it. */
function slowly() {
  const shown: number[] = [];
  const ends: (() => void)[] = [];
  const show = (done: number) => {
    shown.push(done);
    return new Promise<void>((resolve) => ends.push(resolve));
  };
  return { shown, show, end: () => ends.shift()?.() };
}

/** Resolves after all pending microtasks. */
const microtasks = () => new Promise((resolve) => setImmediate(resolve));

describe('progress', () => {
  it('shows each step when it is done, but not the end', async () => {
    const shown: number[] = [];
    const progress = showProgress(async (done) => void shown.push(done), 2, 6);
    for (const done of [1, 2, 3, 4, 5, 6]) {
      progress.report(done);
      await microtasks();
    }
    assert.deepEqual(shown, [2, 4]);
  });

  it('skips steps while an update is in flight', async () => {
    const { shown, show, end } = slowly();
    const progress = showProgress(show, 1, 10);
    for (const done of [1, 2, 3]) {
      progress.report(done);
    }
    assert.deepEqual(shown, [1]);
    end();
    await microtasks();
    progress.report(4);
    assert.deepEqual(shown, [1, 4]);
  });

  it('is settled only when no update is in flight', async () => {
    const { show, end } = slowly();
    const progress = showProgress(show, 1, 10);
    progress.report(1);
    let settled = false;
    const settling = progress.settled().then(() => {
      settled = true;
    });
    await microtasks();
    assert.equal(settled, false);
    end();
    await settling;
  });

  it('continues after an update that failed', async () => {
    const shown: number[] = [];
    const progress = showProgress(
      async (done) => {
        shown.push(done);
        throw new Error('Slack is away');
      },
      1,
      10,
    );
    progress.report(1);
    await progress.settled();
    progress.report(2);
    await progress.settled();
    assert.deepEqual(shown, [1, 2]);
  });
});
