import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { phoneNumberSchema } from '../../../src/domain/phone/phone-number.ts';
import { createTime } from '../../../src/lib/time/trusted-time.ts';
import {
  createHistory,
  type HistoryEntry,
  type HistoryReader,
} from '../../../src/services/history/history.ts';
import type { CampaignState } from '../../../src/store/campaigns/campaigns.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { newEncryptionKey } from '../../support/store/temporary-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { stoppedClock } from '../../support/time/test-clock.ts';

const number = phoneNumberSchema.parse('+2348031234567');
const everyone: HistoryReader = { workspaceId: 'T1', userId: 'U1', scope: 'everyone' };
const own: HistoryReader = { ...everyone, scope: 'own' };

/** A store and its history, on a clock that stands still between entries unless told to move. */
async function historyOf(test: { after(end: () => void | Promise<void>): void }) {
  const { clock, pass } = stoppedClock();
  const store = await openStore({
    dataDir: temporaryFolder(test),
    encryptionKeys: [newEncryptionKey()],
    time: createTime(clock),
  });
  test.after(() => store.close());
  return {
    store,
    history: createHistory(store),
    pass,
  };
}

async function send(store: Store, key: string, userId = 'U1') {
  const intent = { workspaceId: 'T1', key, kind: 'sms.send', userId, summary: {}, numbers: [number] };
  await store.ledger.perform(intent, async () => ({ state: 'accepted' }));
}

async function campaign(store: Store, id: string, state: CampaignState = 'running', createdBy = 'U1') {
  const writer = await store.campaigns.begin({
    workspaceId: 'T1',
    id,
    createdBy,
    name: id,
    route: 'dnd',
    senderId: 'PalmMarket',
    personal: false,
    text: 'Hello',
  });
  await writer?.add([{ kind: 'recipient', line: 1, number, pages: 1, quiet: false }]);
  await writer?.finish();
  if (state !== 'ready') {
    await store.campaigns.move('T1', id, ['ready'], 'running');
  }
  if (state === 'cancelled') {
    await store.campaigns.move('T1', id, ['running'], state);
  }
}

function keysOf(entries: readonly HistoryEntry[]): string[] {
  return entries.map((entry) => (entry.kind === 'operation' ? entry.operation.key : entry.campaign.id));
}

describe('the history of a workspace', () => {
  it('lists operations and campaigns together, newest first, without campaigns that nobody started', async (test) => {
    const { store, history, pass } = await historyOf(test);
    const entries = [
      () => send(store, 'first'),
      () => campaign(store, 'second'),
      () => campaign(store, 'not confirmed', 'ready'),
      () => send(store, 'third', 'U2'),
      () => campaign(store, 'fourth', 'cancelled', 'U2'),
    ];
    for (const entry of entries) {
      await entry();
      pass(1);
    }
    const { entries: all, next } = await history.page(everyone, { limit: 10 });
    assert.deepEqual(keysOf(all), ['fourth', 'third', 'second', 'first']);
    assert.equal(next, undefined);
    assert.deepEqual(keysOf((await history.page(own, { limit: 10 })).entries), ['second', 'first']);
  });

  it('has each entry on one page, with any number of entries at one instant and any page size', async () => {
    const ended: (() => void | Promise<void>)[] = [];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ isCampaign: fc.boolean(), later: fc.nat({ max: 1 }) }), { maxLength: 12 }),
        fc.integer({ min: 1, max: 5 }),
        async (plan, limit) => {
          const { store, history, pass } = await historyOf({ after: (end) => ended.push(end) });
          for (const [index, { isCampaign, later }] of plan.entries()) {
            await (isCampaign ? campaign(store, `c${index}`) : send(store, `o${index}`));
            pass(later);
          }
          const pages: HistoryEntry[][] = [];
          let after: string | undefined;
          do {
            const page = await history.page(everyone, { after, limit });
            pages.push(page.entries);
            after = page.next;
          } while (after !== undefined);
          const turned = pages.flat();
          assert.deepEqual(keysOf(turned), keysOf(await Array.fromAsync(history.all(everyone))));
          assert.equal(new Set(keysOf(turned)).size, plan.length);
          assert.ok(pages.every((page, index) => page.length === limit || index === pages.length - 1));
          const times = turned.map(({ at }) => at.getTime());
          assert.deepEqual(
            times,
            times.toSorted((one, other) => other - one),
          );
        },
      ),
      { numRuns: 15 },
    );
    for (const end of ended.toReversed()) {
      await end();
    }
  });

  it('is read to its end however long it is, and yields to other work meanwhile', async (test) => {
    const { store, history } = await historyOf(test);
    for (let index = 0; index < 503; index += 1) {
      await send(store, `o${index}`);
    }
    let turns = 0;
    const beat = () => {
      turns += 1;
      beating = setImmediate(beat);
    };
    let beating = setImmediate(beat);
    const keys = keysOf(await Array.fromAsync(history.all(everyone)));
    clearImmediate(beating);
    assert.ok(turns >= 2, `${turns} turns`);
    assert.equal(new Set(keys).size, 503);
    assert.equal(keys.at(-1), 'o0');
  });
});

describe('a search by number', () => {
  it('names the campaign that the number was in, and how its chunk ended', async (test) => {
    const { store, history, pass } = await historyOf(test);
    await campaign(store, 'spring', 'running', 'U2');
    pass(1);
    await send(store, 'message');
    pass(1);
    await campaign(store, 'not confirmed', 'ready');
    const place = { workspaceId: 'T1', id: 'spring' };
    await store.campaigns.settleAndClaim(place, [], 1);
    await store.campaigns.settleAndClaim(place, [{ number: 0, state: 'unconfirmed' }], 0);

    const found = await history.search(everyone, number, 10);
    assert.deepEqual(keysOf(found.entries), ['message', 'spring']);
    assert.equal(found.more, false);
    const [, spring] = found.entries;
    assert.ok(spring?.kind === 'campaign');
    assert.deepEqual(spring.chunk, { id: 'spring', chunk: 0, state: 'unconfirmed', error: undefined });
    assert.equal(spring.campaign.state, 'done');
    assert.deepEqual(keysOf((await history.search(own, number, 10)).entries), ['message']);
  });

  it('reports whether there are more results than requested', async (test) => {
    const { store, history, pass } = await historyOf(test);
    for (const key of ['one', 'two', 'three']) {
      await send(store, key);
      pass(1);
    }
    const found = await history.search(own, number, 2);
    assert.deepEqual(
      { keys: keysOf(found.entries), more: found.more },
      { keys: ['three', 'two'], more: true },
    );
    assert.equal((await history.search(own, number, 3)).more, false);
  });
});
