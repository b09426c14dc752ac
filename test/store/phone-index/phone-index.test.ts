import assert from 'node:assert/strict';
import { test } from 'node:test';
import { phoneNumberSchema } from '../../../src/domain/phone/phone-number.ts';
import type { Store } from '../../../src/store/store.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { performIn } from '../../support/store/perform-in.ts';
import { sentTo } from '../../support/store/sent-to.ts';
import { moveSeen, settleAndClaim } from '../../support/store/stored-campaigns.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';

const number = '+2348031234567';

const other = '+2348051234567';

async function send(store: Store, key: string, userId: string, numbers: string[], workspaceId = 'T1') {
  const intent = { workspaceId, key, kind: 'sms.send', userId, summary: {}, numbers };
  const { operation } = await performIn(store.ledger, intent, async () => ({ state: 'accepted' }));
  return operation.id;
}

async function campaign(store: Store, id: string, createdBy: string, numbers: string[]) {
  const writer = await store.campaigns.begin({
    workspaceId: 'T1',
    id,
    createdBy,
    name: 'Sale',
    route: 'dnd',
    senderId: 'PalmMarket',
    personal: true,
    text: 'Hello',
  });
  await writer?.add(
    numbers.map((to, line) => ({
      kind: 'recipient',
      line,
      number: to,
      text: 'Hello',
      pages: 1,
      quiet: false,
    })),
  );
  await writer?.finish();
  await moveSeen(store.campaigns, 'T1', id, ['ready'], 'running');
}

forEachDatabase(() => {
  test('finds what was sent to a number, newest first, and nothing of another number or workspace', async (t) => {
    const store = await temporaryStore(t);
    const first = await send(store, 'a', 'U1', [number]);
    await send(store, 'b', 'U1', [other]);
    const third = await send(store, 'c', 'U2', [other, number]);
    await send(store, 'd', 'U1', [number], 'T2');
    await campaign(store, 'one', 'U1', [other, number]);
    assert.deepEqual(await sentTo(store, 'T1', number), {
      operationIds: [third, first],
      campaigns: [{ id: 'one', chunk: 1, state: 'waiting', error: undefined, providerId: undefined }],
    });
    assert.deepEqual((await sentTo(store, 'T1', number, { limit: 2 })).operationIds, [third]);
  });

  test('finds what a user sent among many operations and campaigns of others', async (t) => {
    const store = await temporaryStore(t);
    const own = await send(store, 'own', 'U1', [number]);
    for (const key of ['a', 'b', 'c']) {
      await send(store, key, 'U2', [number]);
    }
    await campaign(store, 'theirs', 'U2', [number]);
    await campaign(store, 'mine', 'U1', [number]);
    await campaign(store, 'theirs too', 'U2', [number]);
    assert.deepEqual(await sentTo(store, 'T1', number, { userId: 'U1' }), {
      operationIds: [own],
      campaigns: [{ id: 'mine', chunk: 0, state: 'waiting', error: undefined, providerId: undefined }],
    });
  });

  test('finds the last one-time code to a number, whoever sent it, but no token that was only shown', async (t) => {
    const store = await temporaryStore(t);
    const sendsCode = async (key: string, kind: string, workspaceId = 'T1') => {
      const expiresAt = new Date(60_000);
      const intent = { workspaceId, key, kind, userId: key, summary: {}, numbers: [number], expiresAt };
      const { operation } = await performIn(store.ledger, intent, async () => ({ state: 'accepted' }));
      return operation.id;
    };
    await sendsCode('a', 'otp.sms');
    await send(store, 'b', 'U1', [number]);
    await sendsCode('c', 'otp.in_app');
    await sendsCode('d', 'otp.sms', 'T2');
    const last = await sendsCode('e', 'otp.voice');
    const codeTo = async (to: string) => {
      const code = await store.history.lastCode('T1', phoneNumberSchema.parse(to));
      return code?.id;
    };
    assert.equal(await codeTo(number), last);
    assert.equal(await codeTo(other), undefined);
  });

  test('finds how the chunk of a number ended, and why', async (t) => {
    const store = await temporaryStore(t);
    await campaign(store, 'one', 'U1', [number, other]);
    const sale = { workspaceId: 'T1', id: 'one' };
    await settleAndClaim(store, sale, [], 2);
    const error = { reason: 'refused', detail: 'No.' };
    await settleAndClaim(
      store,
      sale,
      [
        { number: 0, state: 'rejected', error },
        { number: 1, state: 'accepted', providerId: 'm1' },
      ],
      0,
    );
    const found = async (to: string) => (await sentTo(store, 'T1', to)).campaigns;
    assert.deepEqual(await found(number), [
      { id: 'one', chunk: 0, state: 'rejected', error, providerId: undefined },
    ]);
    assert.deepEqual(await found(other), [
      { id: 'one', chunk: 1, state: 'accepted', error: undefined, providerId: 'm1' },
    ]);
  });
});
