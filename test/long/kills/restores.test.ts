import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { sizeOf } from '../../support/sizes.ts';
import { assertNoneRepeated, runRestores } from './restores.ts';

test('restored back-ups send nothing until somebody resumes them: nobody gets a message twice', async (t) => {
  const seed = Number(process.env.CRASH_SEED ?? randomInt(2 ** 31));
  t.diagnostic(`seed ${seed}: repeat with CRASH_SEED=${seed}`);
  assertNoneRepeated(await runRestores(t, { restores: sizeOf('restored backups'), seed }));
});
