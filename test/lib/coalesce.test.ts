import assert from 'node:assert/strict';
import { it } from 'node:test';
import { coalesce } from '../../src/lib/coalesce.ts';

it('shares the next run between all who ask while one runs, and goes on after one that failed', async () => {
  const runs: PromiseWithResolvers<void>[] = [];
  const ask = coalesce(() => {
    const run = Promise.withResolvers<void>();
    runs.push(run);
    return run.promise;
  });
  const first = ask();
  const later = [ask(), ask(), ask()];
  assert.equal(runs.length, 1);
  runs[0]?.reject(new Error('the first failed'));
  await assert.rejects(first, /the first failed/);
  await new Promise(setImmediate);
  assert.equal(runs.length, 2, 'one run for all of them');
  runs[1]?.resolve();
  await Promise.all(later);
  void ask();
  assert.equal(runs.length, 3);
});
