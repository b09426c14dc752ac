import type { Store } from '../../../src/store/store.ts';
import { ownTables } from './own-tables.ts';
import { performIn } from './perform-in.ts';
import { newApproval } from './stored-approvals.ts';
import { recipient, runningCampaign, settleAndClaim } from './stored-campaigns.ts';
import { newTemplate } from './stored-templates.ts';

export const storedNumber = '+2348031234567';
const sent = { kind: 'sms.send', userId: 'U1', summary: {} };

/** A message that came in. */
const storedReply = {
  number: '+2348051234567',
  receiver: '55019',
  channel: 'generic',
  notify: { userId: 'U1', channelId: 'C1' },
  identity: 'one',
  text: 'Is it ready?',
};

async function fillLimits({ db, limits }: Store, workspaceId: string): Promise<void> {
  await limits.take(workspaceId, [{ key: 'codes', points: 1, limit: 1, ends: { after: 1_000 } }]);
  const reached = {
    subject: 'codes',
    reached: { rule: 'again' as const, seconds: 60, shown: '…678' },
    userId: 'U1',
    freesAt: undefined,
  };
  await limits.reached.record(workspaceId, reached);
  const reservation = { workspaceId, campaignId: 'sale', windows: [], pages: 0 };
  await db
    .insertInto('limitReservation')
    .values({ ...reservation, takenBefore: 0 })
    .execute();
}

async function fillDeliveries(
  { db, deliveries, reportAddresses }: Store,
  workspaceId: string,
): Promise<void> {
  const message = { providerId: 'm1', number: storedNumber, sender: 'PalmMarket', text: 'Hello' };
  await deliveries.record(workspaceId, [{ ...message, status: 'Delivered', source: 'report' }]);
  const claim = { workspaceId, providerId: 'm1', operationId: `${workspaceId}-1` };
  await db
    .insertInto('deliveryClaim')
    .values({ ...claim, claimedAt: new Date(0) })
    .execute();
  const { sequence } = await db
    .selectFrom('campaign')
    .select('sequence')
    .where('workspaceId', '=', workspaceId)
    .executeTakeFirstOrThrow();
  const hash = (
    await db.selectFrom('delivery').select('hash').where('workspaceId', '=', workspaceId).execute()
  )[0];
  const own = {
    workspaceId,
    providerId: 'm1',
    hash: hash?.hash ?? '',
    source: 'report',
  } as const;
  await db
    .insertInto('messageClaim')
    .values({ ...own, campaign: sequence, chunk: 0, claimedAt: new Date(0) })
    .execute();
  await db
    .insertInto('campaignReport')
    .values({ campaign: sequence, version: 1, shown: 0, userNotified: false })
    .execute();
  await db
    .insertInto('campaignDelivery')
    .values({ campaign: sequence, outcome: 'delivered', recipients: 1 })
    .execute();
  await reportAddresses.create(workspaceId, 'U1');
}

/** Costs of the message above, which the operation is made to be of. */
async function fillCosts({ db, costs, deliveries }: Store, workspaceId: string): Promise<void> {
  await db
    .updateTable('operation')
    .set({ providerId: 'm1' })
    .where('workspaceId', '=', workspaceId)
    .where('key', '=', 'k')
    .execute();
  const report = { providerId: 'm1', number: storedNumber, status: 'Delivered', cost: '4.25' };
  await deliveries.record(workspaceId, [{ ...report, source: 'report' }]);
  await costs.count(async () => () => 'NGN', new AbortController().signal);
  const estimate = { total: '4.25 NGN', pages: 1, unknownPages: 0 };
  await costs.keepEstimate({ workspaceId, subject: 'operation', id: 'k' }, estimate);
}

/** Writes rows of two workspaces into every table that has rows of a workspace. Returns the names of those tables. */
export async function fillTables(store: Store): Promise<string[]> {
  const { db, keyv, ledger } = store;
  for (const workspaceId of ['T1', 'T2']) {
    await keyv(workspaceId, 'settings').set('route', 'dnd');
    await store.roles.replace({ workspaceId, version: 0, grants: [], userId: 'U1' });
    await performIn(
      ledger,
      { workspaceId, key: 'k', ...sent, numbers: [storedNumber], text: 'Hello' },
      async () => ({
        state: 'accepted',
      }),
    );
    await store.suppressionList.add(workspaceId, ['+2348039999999'], 'U1', { source: { kind: 'typed' } });
    const invalid = {
      kind: 'invalid',
      line: 2,
      text: 'n/a',
      reason: 'no number',
      problem: 'no_number',
    } as const;
    await runningCampaign(store, [recipient(storedNumber), invalid], {
      workspaceId,
      columns: ['Phone', 'Name'],
    });
    await settleAndClaim(store, { workspaceId, id: 'sale' }, [], 1);
    await store.slackInstallations.assign(workspaceId, 'E1');
    const { approval } = await store.approvals.request(newApproval({ workspaceId }));
    await store.approvals.end(approval, { state: 'rejected', by: 'U2', reason: 'Too early' });
    await store.audit.append({ workspaceId, action: 'lookup.number', outcome: 'done' });
    await fillLimits(store, workspaceId);
    await store.templates.save(newTemplate({ workspaceId }));
    await store.watches.begin(workspaceId, '', { isOn: false });
    await fillDeliveries(store, workspaceId);
    await fillCosts(store, workspaceId);
    await store.replies.take({ workspaceId, ...storedReply });
    const { identity } = storedReply;
    const start = { number: storedNumber, answer: 'start', sentAt: new Date(0), identity } as const;
    await store.suppressionList.answer({ workspaceId, ...start });
  }
  return (await ownTables(db))
    .map(({ name }) => name)
    .filter(
      (name) =>
        ![
          'encryption_key',
          'installation',
          'instance_mark',
          'instance',
          'job',
          'slack_lease',
          'slack_removal',
        ].includes(name),
    );
}
