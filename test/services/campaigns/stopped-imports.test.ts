import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type CampaignHarness,
  campaignHarness,
  createdBy,
  workspaceId,
} from '../../support/campaign-harness.ts';
import { killAtEachStep } from '../../support/kill-walk.ts';
import { startable } from '../../support/splits.ts';
import { forEachDatabase } from '../../support/store/databases.ts';

const before = ['+2348031234561', '+2348031234562'];
const after = ['+2348050000001', '+2348050000002', '+2348050000003'];

async function versionOf(harness: CampaignHarness): Promise<string | undefined> {
  const [shown] = await startable(harness);
  return shown?.draft.version;
}

const importAgain = (
  { services }: CampaignHarness,
  shownVersion: string | undefined,
  numbers: readonly string[],
) =>
  services.campaigns.importRecipients({
    workspaceId,
    userId: createdBy,
    id: 'sale',
    shownVersion,
    source: { kind: 'pasted', text: numbers.join('\n') },
    form: { text: 'Edited', route: 'dnd', senderId: 'PalmMarket' },
    isAwaited: true,
  });

/** Takes the waiting notices about imports: the title of one that left nothing. */
const takeNotices = ({ store }: CampaignHarness) =>
  store.db.deleteFrom('outbox').where('subject', '=', 'import').returning(['subjectId', 'title']).execute();

forEachDatabase(() => {
  test('a draft stays until the list of its form was read again, and its creator is told how that ended', async (t) => {
    const harness = await campaignHarness(t);
    await harness.read('sale', before, { text: 'First' });
    assert.equal((await importAgain(harness, await versionOf(harness), ['nobody'])).kind, 'faults');
    const [first] = await startable(harness);
    assert.deepEqual([first?.draft.text, first?.to], ['First', before]);
    assert.deepEqual(await takeNotices(harness), [{ subjectId: 'sale', title: 'Pasted numbers' }]);

    const steps = await killAtEachStep(t, harness, {
      async begin(step) {
        await harness.read('sale', before, { text: 'First' });
        return { version: await versionOf(harness), isBegun: step !== 'step-0' };
      },
      work: ({ version }) => importAgain(harness, version, after),
      async again({ isBegun }, where) {
        const [left, ...more] = await startable(harness);
        assert.deepEqual(more, [], where);
        assert.equal(left?.draft.id, 'sale');
        const isNew = left.draft.text === 'Edited';
        assert.deepEqual(left.to, isNew ? after : before, where);
        const titles = (await takeNotices(harness)).map(({ title }) => title);
        const told = isNew ? undefined : 'Pasted numbers';
        assert.deepEqual(titles, isBegun ? [told] : [], where);
      },
    });
    assert.ok(steps >= 2, `${steps} steps`);
    const ended = await importAgain(harness, await versionOf(harness), after);
    assert.ok(ended.kind === 'ready', ended.kind);
    assert.equal(ended.review.campaign.id, 'sale');
    const found = await harness.services.campaigns.find(
      { workspaceId, userId: createdBy, isAdmin: false },
      'sale',
    );
    assert.equal(found?.text, 'Edited');
  });
});
