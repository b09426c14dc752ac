import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { verbsBetween } from '../../../src/store/campaigns/campaign-moves.ts';
import type { CampaignState } from '../../../src/store/campaigns/campaigns.ts';
import type { StoredState } from '../../../src/store/schema/campaigns.ts';
import { forEachDatabase, onlyOn } from '../../support/store/databases.ts';
import { dueNotices } from '../../support/store/due-notices.ts';
import { whileLocked } from '../../support/store/lock-barrier.ts';
import { moveSeen, readyCampaign, recipient } from '../../support/store/stored-campaigns.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';

const states = [
  'reading',
  'ready',
  'scheduled',
  'running',
  'paused',
  'done',
  'cancelled',
  'missed',
  'discarded',
] as const satisfies readonly StoredState[];

/** Every legal pair. All others are illegal. */
const legal: Readonly<Record<string, readonly string[]>> = {
  'reading → ready': ['finishImport'],
  'reading → discarded': ['discard', 'forget'],
  'ready → scheduled': ['schedule'],
  'ready → running': ['start'],
  'ready → missed': ['miss'],
  'ready → discarded': ['discard', 'forget'],
  'scheduled → ready': ['unschedule'],
  'scheduled → scheduled': ['changeTime'],
  'scheduled → running': ['start'],
  'scheduled → paused': ['hold'],
  'scheduled → cancelled': ['cancel'],
  'scheduled → missed': ['miss'],
  'scheduled → discarded': ['forget'],
  'running → paused': ['pause', 'hold'],
  'running → done': ['complete'],
  'running → cancelled': ['cancel'],
  'running → discarded': ['forget'],
  'paused → scheduled': ['reschedule'],
  'paused → running': ['resume'],
  'paused → paused': ['hold'],
  'paused → done': ['complete'],
  'paused → cancelled': ['cancel'],
  'paused → missed': ['miss'],
  'paused → discarded': ['forget'],
  'done → discarded': ['forget'],
  'cancelled → discarded': ['forget'],
  'missed → ready': ['unschedule'],
  'missed → scheduled': ['schedule'],
  'missed → running': ['start'],
  'missed → discarded': ['discard', 'forget'],
  'discarded → discarded': ['forget'],
};

forEachDatabase(() => {
  for (const from of states) {
    for (const to of states) {
      const verbs = legal[`${from} → ${to}`] ?? [];
      test(`${from} → ${to} is ${verbs.length === 0 ? 'illegal' : `legal by ${verbs.join(' and ')}`}`, () => {
        assert.deepEqual(verbsBetween(from, to), verbs);
      });
    }
  }

  test('the repository refuses an illegal move, changes nothing and logs it', async (t) => {
    const logged: unknown[] = [];
    const store = await temporaryStore(t, {
      log: { error: (details: unknown) => void logged.push(details), warn() {}, info() {} },
    });
    await readyCampaign(store, [recipient('+2348031234567')]);
    const stateOf = async () => (await store.campaigns.find('T1', 'sale'))?.state;
    const move = (from: CampaignState[], to: CampaignState) =>
      moveSeen(store.campaigns, 'T1', 'sale', from, to);

    assert.equal(await move(['ready'], 'done'), undefined);
    assert.equal(await stateOf(), 'ready');
    assert.deepEqual(logged, [{ campaign: 'sale', from: ['ready'], to: 'done' }]);
    assert.deepEqual(await dueNotices(store), []);

    await move(['ready'], 'running');
    await move(['running'], 'cancelled');
    assert.equal(await move(['cancelled', 'paused'], 'running'), undefined, 'one of the two is legal');
    assert.equal(await stateOf(), 'cancelled');
    assert.equal(logged.length, 2);
  });

  test('an end that is being shown while the campaign goes on is shown again, as it is by then', async (t) => {
    const store = await temporaryStore(t);
    await readyCampaign(store, [recipient('+2348031234567')]);
    const move = (from: CampaignState, to: CampaignState) =>
      moveSeen(store.campaigns, 'T1', 'sale', [from], to);
    await move('ready', 'missed');
    const shown: unknown[] = [];
    const campaign = { workspaceId: 'T1', subject: 'campaign', subjectId: 'sale' } as const;
    await store.outbox.deliver(campaign, async () => {
      shown.push((await store.campaigns.find('T1', 'sale'))?.state);
      if (shown.length === 1) {
        await move('missed', 'running');
        await move('running', 'done');
      }
    });
    assert.deepEqual(shown, ['missed', 'done']);
  });

  test('the end of a campaign is told only where it has ended, also after it was started again', async (t) => {
    const store = await temporaryStore(t);
    await readyCampaign(store, [recipient('+2348031234567')]);
    const move = (from: CampaignState, to: CampaignState) =>
      moveSeen(store.campaigns, 'T1', 'sale', [from], to);
    const campaign = { workspaceId: 'T1', subject: 'campaign', subjectId: 'sale' } as const;
    await move('ready', 'missed');
    await move('missed', 'running');
    assert.equal(await store.outbox.deliver(campaign, () => assert.fail('it has not ended')), 'held');
    await move('running', 'done');
    assert.equal(await store.outbox.deliver(campaign, async () => {}), 'taken');
    assert.equal(await store.outbox.deliver(campaign, () => assert.fail('told twice')), 'gone');
  });

  test(
    'the notice of an end stays where it is taken while the campaign is started again',
    onlyOn('postgres', 'SQLite has one writer'),
    async (t) => {
      const store = await temporaryStore(t);
      await readyCampaign(store, [recipient('+2348031234567')]);
      await moveSeen(store.campaigns, 'T1', 'sale', ['ready'], 'missed');
      const campaign = { workspaceId: 'T1', subject: 'campaign', subjectId: 'sale' } as const;
      const start = sql`
        with started as (update campaign set state = 'running', ended_at = null where id = 'sale')
        update outbox set version = version + 1 where subject_id = 'sale'`;
      await whileLocked(store, start, [() => store.outbox.deliver(campaign, async () => {})]);
      assert.equal(await store.outbox.deliver(campaign, () => assert.fail('it goes on')), 'held');
    },
  );

  test('the repository logs nothing if the campaign is in none of the given states', async (t) => {
    const logged: unknown[] = [];
    const store = await temporaryStore(t, {
      log: { error: (details: unknown) => void logged.push(details), warn() {}, info() {} },
    });
    await readyCampaign(store, [recipient('+2348031234567')]);
    assert.equal(await moveSeen(store.campaigns, 'T1', 'sale', ['paused'], 'running'), undefined);
    assert.deepEqual(logged, []);
  });
});
