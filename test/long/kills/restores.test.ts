import { test } from 'node:test';
import { everySeed, sizeOf } from '../../support/sizes.ts';
import { assertNoneRepeated, runRestores } from './restores.ts';

test('restored back-ups send nothing until somebody resumes them: nobody gets a message twice', async (t) => {
  assertNoneRepeated(await runRestores(t, { restores: sizeOf('restored backups'), seed: everySeed }));
});
