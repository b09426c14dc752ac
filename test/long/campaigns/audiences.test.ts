import { it } from 'node:test';
import { assertAudiences } from '../../support/audience-histories.ts';

it('an audience is who it says in 1,000 random histories', async (test) => {
  const seed = Number(process.env.AUDIENCE_SEED ?? Math.floor(Math.random() * 2 ** 31));
  test.diagnostic(`AUDIENCE_SEED=${seed}`);
  await assertAudiences(test, { runs: 1_000, seed });
});
