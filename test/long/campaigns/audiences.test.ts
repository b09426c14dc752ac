import { it } from 'node:test';
import { assertAudiences } from '../../support/audience-histories.ts';
import { sizeOf } from '../../support/sizes.ts';

const runs = sizeOf('histories of an audience');

it(`an audience is who it says in ${runs} random histories`, async (test) => {
  const seed = Number(process.env.AUDIENCE_SEED ?? Math.floor(Math.random() * 2 ** 31));
  test.diagnostic(`AUDIENCE_SEED=${seed}`);
  await assertAudiences(test, { runs, seed });
});
