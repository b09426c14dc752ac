import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toE164 } from '../../../src/domain/phone/phone-number.ts';
import { createSplit } from '../../../src/services/campaigns/split.ts';
import type { StoreError } from '../../../src/store/engine/errors.ts';
import {
  asSeen,
  by,
  campaignHarness,
  createdBy,
  startOf,
  workspaceId,
} from '../../support/campaign-harness.ts';
import { killAtEachStep } from '../../support/kill-walk.ts';
import { reasonOf } from '../../support/refusals.ts';
import { numbersToSplit, splitRequest, startable } from '../../support/splits.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { testContext } from '../../support/test-context.ts';
import { stoppedClock } from '../../support/time/test-clock.ts';

const onDnd = ['+2348050000007', '+2348050000017'];
const others = ['+2348031234561', '+2348031234562'];

forEachDatabase(() => {
  test('a draft that is edited while Do-Not-Disturb is checked is not split', async (t) => {
    const harness = await campaignHarness(t);
    const { services, store } = harness;
    await harness.read('sale', [...onDnd, ...others], { route: 'generic' });
    const request = await splitRequest(harness, 'sale', { by: 'dnd' });
    const { split } = createSplit(testContext(store), {
      ...services,
      dndChecker: {
        async checkDnd(_, numbers) {
          const edited = ['+2348050000027', '+2348031234563'];
          await harness.read('sale', edited, { route: 'generic', text: 'Edited' });
          const stateOf = (number: string) => (onDnd.includes(number) ? 'active' : 'inactive');
          return numbers.map((number) => ({ number, dnd: stateOf(toE164(number)) }));
        },
      },
    });
    assert.equal((await split(request)).kind, 'changed');
    const [left, ...more] = await startable(harness);
    assert.deepEqual(more, []);
    assert.equal(left?.draft.text, 'Edited');
    assert.deepEqual(left?.to, ['+2348050000027', '+2348031234563']);
  });

  test('the parts are found by a second click for as long as drafts are kept', async (t) => {
    const { clock, pass } = stoppedClock();
    const harness = await campaignHarness(t, { clock });
    await harness.read('sale', [...onDnd, ...others], { route: 'generic' });
    const request = await splitRequest(harness, 'sale', { by: 'dnd' });
    const { split } = harness.services.campaigns;
    const first = await split(request);
    assert.equal(first.kind, 'split');
    pass(6 * 24 * 60 * 60_000);
    assert.deepEqual(await split(request), first);
  });

  test('a draft is left as it is where no key is connected any more', async (t) => {
    const harness = await campaignHarness(t);
    const { campaigns, workspaces } = harness.services;
    await harness.read('sale', [...onDnd, ...others], { route: 'generic' });
    const request = await splitRequest(harness, 'sale', { by: 'quiet_hours' });
    await workspaces.disconnect(workspaceId);
    assert.deepEqual(await reasonOf(campaigns.split(request)), { kind: 'not_connected' });
    assert.equal((await startable(harness)).length, 1);
  });

  test('an edited draft does not replace one that was changed while its list was read', async (t) => {
    const harness = await campaignHarness(t);
    const { campaigns } = harness.services;
    await harness.read('sale', others);
    const found = await campaigns.findOfDraft(by('creator', 'sale'));
    assert.ok(found.kind === 'found');
    await harness.read('sale', onDnd, { text: 'From the second window' });
    const edited = await campaigns.importRecipients({
      workspaceId,
      userId: createdBy,
      id: 'edited',
      source: found.source,
      form: { text: 'From the first window', route: 'dnd', senderId: 'PalmMarket' },
    });
    assert.match(JSON.stringify(edited), /This draft has changed since you opened the form/);
    const [left, ...more] = await startable(harness);
    assert.deepEqual(more, []);
    assert.deepEqual([left?.draft.text, left?.to], ['From the second window', onDnd]);
  });

  test('a draft whose split is killed at any step is whole, or both parts are there, and neither starts where the data are restored', async (t) => {
    const harness = await campaignHarness(t);
    const ids = (all: readonly { id: string }[]) => all.map(({ id }) => id).sort();
    const steps = await killAtEachStep(t, harness, {
      async begin(id) {
        await harness.read(id, numbersToSplit, { route: 'generic' });
        return splitRequest(harness, id);
      },
      work: (request) => harness.services.campaigns.split(request),
      async again(request, where) {
        const left = await startable(harness);
        assert.deepEqual(left.flatMap(({ to }) => to).sort(), numbersToSplit, where);
        const isWhole = left.length === 1 && left[0]?.draft.id === request.id;
        assert.ok(
          isWhole || (left.length === 2 && left.every(({ draft }) => draft.id !== request.id)),
          where,
        );
        const split = await harness.services.campaigns.split(request);
        assert.ok(split.kind === 'split', `${where}, then ${split.kind}`);
        const now = await startable(harness);
        assert.deepEqual(now.flatMap(({ to }) => to).sort(), numbersToSplit, where);
        assert.deepEqual(
          ids(split.parts),
          ids(isWhole ? now.map(({ draft }) => draft) : left.map(({ draft }) => draft)),
          where,
        );
        for (const { draft } of now) {
          await harness.services.campaigns.start(await asSeen(harness.services.campaigns, startOf(draft.id)));
        }
        harness.begin();
        for (const { draft } of now) {
          await harness.advanceUntil(draft.id, ({ state }) => state === 'done');
        }
      },
      async restored(request, where) {
        const { campaigns } = harness.services;
        const sent = harness.asked();
        // A second click finds the parts, if the data has them.
        await campaigns.split(request).then(
          ({ kind }) => assert.equal(kind, 'split', where),
          (error: StoreError) => assert.equal(error.fault, 'outdated', where),
        );
        for (const { draft } of await startable(harness)) {
          const start = campaigns.start(await asSeen(campaigns, startOf(draft.id)));
          await assert.rejects(start, { fault: 'outdated' }, where);
          assert.ok(await campaigns.discard(by('creator', draft.id)), where);
        }
        assert.equal(harness.asked(), sent, where);
      },
    });
    assert.ok(steps >= 3, `${steps} steps`);
  });
});
