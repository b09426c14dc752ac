import { it } from 'node:test';
import { assertAudiences } from '../../support/audience-histories.ts';

it('an audience is who it says, as a model has them, and its size is theirs', async (test) => {
  await assertAudiences(test, { runs: 40, seed: 7 });
});
