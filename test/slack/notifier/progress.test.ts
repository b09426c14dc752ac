import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { showProgress } from '../../../src/slack/notifier/progress.ts';

/** Shows what it is told, each as long under way as the test wants. */
function slowly() {
  const shown: number[] = [];
  const ends: (() => void)[] = [];
  const show = (done: number) => {
    shown.push(done);
    return new Promise<void>((resolve) => ends.push(resolve));
  };
  return { shown, show, end: () => ends.shift()?.() };
}

/** Everything that waits only for what is settled already has happened after this. */
const soon = () => new Promise((resolve) => setImmediate(resolve));

describe('progress', () => {
  it('shows each step once it is done, and leaves the end to the result', async () => {
    const shown: number[] = [];
    const progress = showProgress(async (done) => void shown.push(done), 2, 6);
    for (const done of [1, 2, 3, 4, 5, 6]) {
      progress.report(done);
      await soon();
    }
    assert.deepEqual(shown, [2, 4]);
  });

  it('skips steps while a showing is under way, so that none overtakes another', async () => {
    const { shown, show, end } = slowly();
    const progress = showProgress(show, 1, 10);
    for (const done of [1, 2, 3]) {
      progress.report(done);
    }
    assert.deepEqual(shown, [1]);
    end();
    await soon();
    progress.report(4);
    assert.deepEqual(shown, [1, 4]);
  });

  it('is settled only when no showing is under way that could hide the result', async () => {
    const { show, end } = slowly();
    const progress = showProgress(show, 1, 10);
    progress.report(1);
    let settled = false;
    const settling = progress.settled().then(() => {
      settled = true;
    });
    await soon();
    assert.equal(settled, false);
    end();
    await settling;
  });

  it('goes on after a showing that failed', async () => {
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
