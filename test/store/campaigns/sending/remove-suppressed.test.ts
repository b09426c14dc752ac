import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Store } from '../../../../src/store/store.ts';
import { forEachDatabase } from '../../../support/store/databases.ts';
import { settleAndClaim } from '../../../support/store/stored-campaigns.ts';
import { temporaryStore } from '../../../support/store/temporary-store.ts';

const numbers = Array.from({ length: 250 }, (_, index) => `+23480512300${String(index).padStart(2, '0')}`);

const [first = '', second = '', third = ''] = numbers;

const campaign = { workspaceId: 'T1', id: 'sale' };

async function begin(store: Store, personal = false) {
  const writer = await store.campaigns.begin({
    ...campaign,
    createdBy: 'U1',
    name: 'Sale',
    route: 'dnd',
    senderId: 'PalmMarket',
    personal,
    text: 'Hello',
  });
  assert.ok(writer);
  await writer.add(
    numbers.map((number, line) => ({
      kind: 'recipient',
      line,
      number,
      pages: 2,
      quiet: false,
      ...(personal ? { text: `Hello ${line}` } : {}),
    })),
  );
  return writer;
}

async function waiting(store: Store): Promise<string[]> {
  const all: string[] = [];
  for await (const { to } of store.campaigns.chunks('T1', 'sale', ['waiting'])) {
    all.push(...to);
  }
  return all;
}

const list = (store: Store, ...who: string[]) => store.suppressionList.add('T1', who, 'U2');

forEachDatabase(() => {
  for (const personal of [false, true]) {
    const kind = personal ? 'with personal texts' : 'with one text';

    test(`removes a suppressed number from a campaign ${kind} that is ready`, async (t) => {
      const store = await temporaryStore(t);
      await (await begin(store, personal)).finish();
      assert.equal(await list(store, first, second, '+2348031234567'), 3);
      assert.deepEqual(await waiting(store), numbers.slice(2));
      const { counts } = (await store.campaigns.find('T1', 'sale')) ?? assert.fail();
      assert.equal(counts.recipients, 248);
      assert.equal(counts.suppressed, 2);
      assert.equal(counts.pages, 496);
    });

    test(`excludes a number that is suppressed while a list ${kind} is imported`, async (t) => {
      const store = await temporaryStore(t);
      const writer = await begin(store, personal);
      await list(store, first);
      const { counts } = await writer.finish();
      assert.equal(counts.recipients, 249);
      assert.equal(counts.suppressed, 1);
      assert.deepEqual(await waiting(store), numbers.slice(1));
    });

    test(`excludes a number that is suppressed while the import of a list ${kind} ends`, async (t) => {
      const store = await temporaryStore(t);
      const writer = await begin(store, personal);
      let left = numbers;
      let isFinished = false;
      const finishing = writer.finish().then(() => {
        isFinished = true;
      });
      while (!isFinished) {
        const [next = '', ...others] = left;
        await list(store, next);
        left = others;
      }
      await finishing;
      assert.deepEqual(await waiting(store), left);
    });

    test(`keeps claimed recipients ${kind}, removes the others, and completes the campaign`, async (t) => {
      const store = await temporaryStore(t);
      await (await begin(store, personal)).finish();
      await store.campaigns.move('T1', 'sale', ['ready'], 'running');
      const { claimed = [] } = (await settleAndClaim(store, campaign, [], 1)) ?? {};
      assert.ok(claimed[0]?.digits.includes(first.slice(1)));
      // Suppresses all numbers, which removes only the unclaimed ones.
      await list(store, ...numbers);
      assert.deepEqual(await waiting(store), []);
      const endings = claimed.map(({ number }) => ({ number, state: 'accepted' as const }));
      const ended = await settleAndClaim(store, campaign, endings, 5);
      const sent = claimed.flatMap(({ digits }) => digits).length;
      assert.equal(ended?.campaign.state, 'done');
      assert.deepEqual(ended?.claimed, []);
      assert.equal(ended?.campaign.counts.accepted, sent);
      assert.equal(ended?.campaign.counts.recipients, sent);
      assert.equal(ended?.campaign.counts.suppressed, numbers.length - sent);
    });
  }

  test('removes every number of a file that is suppressed during an import', async (t) => {
    const store = await temporaryStore(t);
    const writer = await begin(store);
    const file = Array.from({ length: 33_000 }, (_, index) => `+23490${String(index).padStart(8, '0')}`);
    await list(store, ...numbers.slice(1), ...file);
    const { counts } = await writer.finish();
    assert.equal(counts.recipients, 1);
    assert.equal(counts.suppressed, 249);
    assert.deepEqual(await waiting(store), [first]);
  });

  for (const [kind, personal] of [
    ['with one text', false],
    ['with personal texts', true],
  ] as const) {
    test(`does not send again to a number ${kind} that was suppressed while in flight and not taken`, async (t) => {
      const store = await temporaryStore(t);
      await (await begin(store, personal)).finish();
      await store.campaigns.move('T1', 'sale', ['ready'], 'running');
      await settleAndClaim(store, campaign, [], 1);
      await list(store, first);
      const turned = await settleAndClaim(store, campaign, [{ number: 0, state: 'waiting' }], 300);
      const claimed = turned?.claimed.flatMap(({ digits }) => digits) ?? [];
      assert.deepEqual(
        claimed,
        numbers.slice(1).map((number) => number.slice(1)),
      );
      assert.equal(turned?.campaign.counts.recipients, 249);
      assert.equal(turned?.campaign.counts.suppressed, 1);
      assert.equal(turned?.campaign.counts.pages, 498);
      assert.equal(turned?.campaign.inFlight, 249);
      const endings = turned?.claimed.map(({ number }) => ({ number, state: 'accepted' as const })) ?? [];
      const ended = await settleAndClaim(store, campaign, endings, 1);
      assert.equal(ended?.campaign.state, 'done');
      assert.equal(ended?.campaign.inFlight, 0);
    });
  }

  test('completes a campaign whose last chunk is released without recipients', async (t) => {
    const store = await temporaryStore(t);
    await (await begin(store)).finish();
    await store.campaigns.move('T1', 'sale', ['ready'], 'running');
    const { claimed = [] } = (await settleAndClaim(store, campaign, [], 5)) ?? {};
    await list(store, ...numbers);
    const endings = claimed.map(({ number }) => ({ number, state: 'waiting' as const }));
    const turned = await settleAndClaim(store, campaign, endings, 5);
    assert.deepEqual(turned?.claimed, []);
    assert.equal(turned?.campaign.state, 'done');
    assert.equal(turned?.campaign.counts.recipients, 0);
    assert.ok(turned?.campaign.endedAt);
  });

  test('completes a paused campaign without recipients left', async (t) => {
    const store = await temporaryStore(t);
    await (await begin(store)).finish();
    await store.campaigns.move('T1', 'sale', ['ready'], 'running');
    await store.campaigns.move('T1', 'sale', ['running'], 'paused', {
      pause: { by: 'person', userId: 'U1' },
    });
    await list(store, ...numbers);
    assert.equal((await store.campaigns.find('T1', 'sale'))?.state, 'done');
  });

  test('removes nobody because of another workspace’s list', async (t) => {
    const store = await temporaryStore(t);
    await (await begin(store)).finish();
    await store.suppressionList.add('T2', [third], 'U2');
    assert.equal((await waiting(store)).length, 250);
  });
});
