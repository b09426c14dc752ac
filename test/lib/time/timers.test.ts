import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { systemTimers } from '../../../src/lib/time/timers.ts';

it('a sleep until a time that is past ends soon, without a warning on the standard error', async (test) => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => void warnings.push(warning);
  process.on('warning', onWarning);
  test.after(() => process.off('warning', onWarning));
  await systemTimers.sleep(-0.77);
  await setImmediate();
  assert.deepEqual(warnings, []);
});
