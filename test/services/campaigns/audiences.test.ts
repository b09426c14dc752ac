import { it } from 'node:test';
import { assertAudiences } from '../../support/audience-histories.ts';
import { everySeed, rounds } from '../../support/sizes.ts';
import { forEachDatabase } from '../../support/store/databases.ts';

forEachDatabase(() => {
  it('an audience is who it says, as a model has them, and its size is theirs', async (test) => {
    await assertAudiences(test, { runs: rounds(60), seed: everySeed });
  });
});
