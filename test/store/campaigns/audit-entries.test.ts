import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withOrigin } from '../../../src/lib/request-origin.ts';
import type { CampaignState } from '../../../src/store/campaigns/campaigns.ts';
import { manyNumbers } from '../../support/slack/number-files.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { moveSeen, readyCampaign, recipient, settleAndClaim } from '../../support/store/stored-campaigns.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';

const rows = manyNumbers(2).map((number) => recipient(number));

forEachDatabase(() => {
  test('every move of a campaign is in the audit, by who made it, and its end once', async (t) => {
    const store = await temporaryStore(t);
    const { campaigns } = store;
    const by = <Result>(userId: string | undefined, work: () => Promise<Result>) =>
      withOrigin({ surface: userId === undefined ? 'background' : 'modal', userId }, work);
    const move = (userId: string | undefined, from: CampaignState, to: CampaignState) =>
      by(userId, () => moveSeen(campaigns, 'T1', 'sale', [from], to));

    await by('U1', () => readyCampaign(store, rows));
    await move('U1', 'ready', 'scheduled');
    assert.equal(
      await move('U1', 'ready', 'scheduled'),
      undefined,
      'a move that is not made is not recorded',
    );
    await move(undefined, 'scheduled', 'missed');
    await move('U2', 'missed', 'ready');
    await move('U1', 'ready', 'running');
    await move(undefined, 'running', 'paused');
    await move('U2', 'paused', 'running');
    await campaigns.recordEnded();
    const claimed = await settleAndClaim(store, { workspaceId: 'T1', id: 'sale' }, [], 9);
    const endings = (claimed?.claimed ?? []).map(({ number }) => ({ number, state: 'accepted' as const }));
    await settleAndClaim(store, { workspaceId: 'T1', id: 'sale' }, endings, 9);
    await Promise.all([campaigns.recordEnded(), campaigns.recordEnded()]);
    await campaigns.recordEnded();

    const entries = await Array.fromAsync(store.audit.all({ workspaceId: 'T1' }));
    assert.deepEqual(
      entries.map(({ userId, action, subject }) => [userId, action, subject]),
      [
        ['U1', 'campaign.import', 'sale'],
        ['U1', 'campaign.schedule', 'sale'],
        [undefined, 'campaign.miss', 'sale'],
        ['U2', 'campaign.unschedule', 'sale'],
        ['U1', 'campaign.start', 'sale'],
        [undefined, 'campaign.pause', 'sale'],
        ['U2', 'campaign.resume', 'sale'],
        [undefined, 'campaign.end', 'sale'],
      ],
    );
    const { state, accepted, name, createdBy } = JSON.parse(entries.at(-1)?.details ?? '');
    assert.deepEqual([state, accepted, name, createdBy], ['done', 2, 'Sale', 'U1']);
  });
});
