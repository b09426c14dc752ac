import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { assertNobodyTwice, restore } from './restores.ts';

test('of restored back-ups nothing is sent until somebody says so: nobody gets a message twice', async (t) => {
  const seed = Number(process.env.CRASH_SEED ?? randomInt(2 ** 31));
  t.diagnostic(`seed ${seed}: again with CRASH_SEED=${seed}`);
  assertNobodyTwice(await restore(t, { restores: 3, seed }));
});
