import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type PhoneNumber, phoneNumberSchema, toE164 } from '../../../src/domain/phone/phone-number.ts';
import {
  createHistory,
  filterStates,
  type History,
  type HistoryEntry,
  type HistoryFilter,
  type HistoryReader,
  historySubjects,
  stateOfCampaign,
  stateOfOperation,
} from '../../../src/services/history/history.ts';
import type { CampaignState } from '../../../src/store/campaigns/campaigns.ts';
import type { Ending } from '../../../src/store/operations/operation.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { rounds } from '../../support/sizes.ts';
import { performIn } from '../../support/store/perform-in.ts';
import { rotateKeys } from '../../support/store/rotate-keys.ts';
import { moveSeen, settleAndClaim } from '../../support/store/stored-campaigns.ts';
import { newEncryptionKey } from '../../support/store/temporary-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { testContext } from '../../support/test-context.ts';
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
    time: clock,
  });
  test.after(() => store.close());
  return {
    store,
    history: createHistory(testContext(store)),
    pass,
  };
}

async function send(
  store: Store,
  key: string,
  userId = 'U1',
  {
    kind = 'sms.send',
    state = 'accepted',
    text,
    to = [number],
  }: { kind?: string; state?: Ending['state']; text?: string; to?: PhoneNumber[] } = {},
) {
  const intent = { workspaceId: 'T1', key, kind, userId, summary: {}, numbers: to, text };
  await performIn(store.ledger, intent, async () => ({
    state,
    providerId: state === 'accepted' ? key : undefined,
  }));
}

async function campaign(
  store: Store,
  id: string,
  state: CampaignState = 'running',
  createdBy = 'U1',
  to = [number],
) {
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
  await writer?.add(
    to.map((each, index) => ({
      kind: 'recipient',
      line: index + 1,
      number: toE164(each),
      pages: 1,
      quiet: false,
    })),
  );
  await writer?.finish();
  if (state !== 'ready') {
    await moveSeen(store.campaigns, 'T1', id, ['ready'], 'running');
  }
  if (state === 'cancelled') {
    await store.campaigns.move('T1', id, ['running'], state);
  }
}

function keysOf(entries: readonly HistoryEntry[]): string[] {
  return entries.map((entry) => (entry.kind === 'operation' ? entry.operation.key : entry.campaign.id));
}

describe('the history of a workspace', () => {
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
      { numRuns: rounds(15) },
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

/** Whether an entry is one of the filter, decided in memory. */
function isOf({ userId, subject, state, from, until }: HistoryFilter, entry: HistoryEntry): boolean {
  const [by, about, stands] =
    entry.kind === 'campaign'
      ? [entry.campaign.createdBy, 'campaign', stateOfCampaign(entry.campaign.state)]
      : [entry.operation.userId, entry.operation.kind.split('.')[0], stateOfOperation(entry.operation.state)];
  const isNotDelivered =
    entry.kind === 'campaign'
      ? (entry.campaign.deliveries?.failed.length ?? 0) > 0
      : entry.operation.notDeliveredAt !== undefined;
  const isUnconfirmed = entry.kind === 'campaign' && entry.campaign.counts.unconfirmed > 0;
  return (
    (userId === undefined || by === userId) &&
    (subject === undefined || about === subject) &&
    (state === undefined ||
      (state === 'not_delivered'
        ? isNotDelivered
        : stands === state || (state === 'unconfirmed' && isUnconfirmed))) &&
    (from === undefined || entry.at >= from) &&
    (until === undefined || entry.at < until)
  );
}

async function pagesOf(history: History, reader: HistoryReader, filter: HistoryFilter, limit: number) {
  const pages: HistoryEntry[][] = [];
  let after: string | undefined;
  do {
    const page = await history.page(reader, { filter, after, limit });
    pages.push(page.entries);
    after = page.next;
  } while (after !== undefined);
  return pages.flat();
}

describe('a filter of the history', () => {
  it('leaves what it leaves in memory, page by page, for any combination', async (test) => {
    const { store, history, pass } = await historyOf(test);
    const kinds = [
      'sms.send',
      'campaign.test',
      'otp.sms',
      'otp.in_app',
      'sender_id.request',
      'contact.add',
      'esim.top_up',
    ];
    const states = ['accepted', 'rejected', 'not_sent', 'unconfirmed'] as const;
    const times: Date[] = [];
    for (let index = 0; index < 60; index += 1) {
      const userId = `U${index % 3}`;
      if (index % 7 === 6) {
        const id = `c${index}`;
        await campaign(store, id, index % 2 === 0 ? 'running' : 'cancelled', userId);
        if (index % 2 === 0) {
          const place = { workspaceId: 'T1', id };
          await settleAndClaim(store, place, [], 1);
          await settleAndClaim(store, place, [{ number: 0, state: 'accepted', providerId: id }], 0);
        }
      } else {
        const kind = kinds[(index * 5) % kinds.length] ?? '';
        await send(store, `o${index}`, userId, { kind, state: states[index % 4] ?? 'accepted' });
      }
      if (index % 3 > 0) {
        const status = index % 3 === 1 ? 'Failed' : 'Delivered';
        const source = 'report';
        const providerId = index % 7 === 6 ? `c${index}` : `o${index}`;
        await store.deliveries.record('T1', [{ providerId, number: toE164(number), status, source }]);
        await store.deliveries.follow(new AbortController().signal);
      }
      const [last] = (await history.page(everyone, { limit: 1 })).entries;
      times.push(last?.at ?? new Date());
      pass(index % 3);
    }
    const all = await Array.fromAsync(history.all(everyone));
    assert.equal(all.length, 60);
    for (const kind of ['operation', 'campaign']) {
      assert.ok(all.some((entry) => entry.kind === kind && isOf({ state: 'not_delivered' }, entry)));
    }
    const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          userId: optional(fc.constantFrom('U0', 'U1', 'U2', 'U9')),
          subject: optional(fc.constantFrom(...historySubjects)),
          state: optional(fc.constantFrom(...filterStates)),
          from: optional(fc.constantFrom(...times)),
          until: optional(fc.constantFrom(...times)),
        }),
        fc.integer({ min: 1, max: 9 }),
        fc.constantFrom(everyone, own),
        async (filter, limit, reader) => {
          const asked = reader === own ? { ...filter, userId: 'U1' } : filter;
          const expected = keysOf(all.filter((entry) => isOf(asked, entry)));
          assert.deepEqual(keysOf(await pagesOf(history, reader, filter, limit)), expected);
          assert.deepEqual(keysOf(await Array.fromAsync(history.all(reader, filter))), expected);
        },
      ),
      { numRuns: rounds(150) },
    );
  });

  it('fills its pages with what was not delivered to a number, where others of a message missed it too', async (test) => {
    const { store, history, pass } = await historyOf(test);
    const other = phoneNumberSchema.parse('+2348051234567');
    const missed: string[] = [];
    for (let index = 0; index < 12; index += 1) {
      const id = `${index % 2 === 0 ? 'o' : 'c'}${index}`;
      if (index % 2 === 0) {
        await send(store, id, 'U2', { to: [number, other] });
      } else {
        await campaign(store, id, 'running', 'U2', [number, other]);
        await settleAndClaim(store, { workspaceId: 'T1', id }, [], 1);
        const accepted = { number: 0, state: 'accepted', providerId: id } as const;
        await settleAndClaim(store, { workspaceId: 'T1', id }, [accepted], 0);
      }
      const isMissed = index % 4 < 2;
      const toOther = { providerId: id, number: toE164(other), status: 'Failed', source: 'report' } as const;
      const toIt = { ...toOther, number: toE164(number), status: isMissed ? 'Failed' : 'Delivered' };
      await store.deliveries.record('T1', [toOther, toIt]);
      await store.deliveries.follow(new AbortController().signal);
      if (isMissed) {
        missed.unshift(id);
      }
      pass(1);
    }
    const filter = { number, state: 'not_delivered' } as const;
    const first = await history.page(everyone, { filter, limit: 4 });
    const second = await history.page(everyone, { filter, after: first.next, limit: 4 });
    assert.deepEqual([keysOf(first.entries), keysOf(second.entries)], [missed.slice(0, 4), missed.slice(4)]);
    assert.equal(second.next, undefined);
    const { lines } = await history.conversation(own, number, { filter, limit: 4 });
    assert.equal(lines.length, 4);
  });

  it('fills the pages of a conversation, where colleagues looked up or showed what is no message', async (test) => {
    const { store, history, pass } = await historyOf(test);
    for (let index = 0; index < 6; index += 1) {
      await send(store, `o${index}`, 'U2', { kind: index % 2 === 0 ? 'sms.send' : 'otp.in_app' });
      pass(1);
    }
    const { lines, next } = await history.conversation(own, number, { limit: 3 });
    assert.deepEqual([lines.length, next], [3, undefined]);
  });

  it('keeps the pages in place while new entries begin', async (test) => {
    const { store, history } = await historyOf(test);
    for (let index = 0; index < 6; index += 1) {
      await send(store, `o${index}`, 'U1', { state: index % 2 === 0 ? 'accepted' : 'rejected' });
    }
    const filter = { state: 'rejected' } as const;
    const first = await history.page(everyone, { filter, limit: 2 });
    await send(store, 'new', 'U1', { state: 'rejected' });
    const second = await history.page(everyone, { filter, after: first.next, limit: 2 });
    assert.deepEqual(keysOf([...first.entries, ...second.entries]), ['o5', 'o3', 'o1']);
  });
});

describe('the text of an operation', () => {
  const text = 'Your parcel is at the gate';

  /** What a reader sees of the one operation there is: in its entry, in the list, and by its number. */
  async function seenBy(history: History, reader: HistoryReader) {
    const { entries } = await history.page(reader, { limit: 10 });
    const { lines: found } = await history.conversation(reader, number, { limit: 10 });
    const [first] = entries;
    const opened =
      first?.kind === 'operation'
        ? [await history.entry(reader, { kind: 'operation', id: first.operation.id })]
        : [];
    return [...entries, ...found, ...opened].flatMap((entry) =>
      entry?.kind === 'reply' || entry?.isColleagues === true ? [] : [entry?.content],
    );
  }

  it('is for the user who sent it, with the numbers; for a reader of everyone’s, without; for nobody else', async (test) => {
    const { store, history } = await historyOf(test);
    await send(store, 'message', 'U1', { text });
    const [{ id } = { id: '' }] = await store.ledger.recent({ workspaceId: 'T1', limit: 1 });
    const inFull = { text, to: [number] };
    assert.deepEqual(await seenBy(history, own), [inFull, inFull, inFull]);
    const masked = { text, to: undefined };
    assert.deepEqual(await seenBy(history, { ...everyone, userId: 'U2' }), [masked, masked, masked]);
    for (const stranger of [
      { ...own, userId: 'U2' },
      { ...everyone, workspaceId: 'T2' },
    ]) {
      assert.deepEqual(await seenBy(history, stranger), []);
      assert.equal(await history.entry(stranger, { kind: 'operation', id }), undefined);
    }
  });

  it('lies encrypted, bound to its row, and is read after a rotation of the keys', async (test) => {
    const dataDir = temporaryFolder(test);
    const [old, fresh] = [newEncryptionKey(), newEncryptionKey()];
    const previous = await openStore({ dataDir, encryptionKeys: [old] });
    await send(previous, 'message', 'U1', { text });
    await send(previous, 'other', 'U1', { text: 'another' });
    const rows = await previous.db.selectFrom('operationText').selectAll().execute();
    assert.ok(
      rows.length === 2 &&
        !JSON.stringify(rows).includes('parcel') &&
        !JSON.stringify(rows).includes('8031234'),
    );
    await previous.close();
    const { name } = await rotateKeys({ dataDir, encryptionKeys: [fresh, old] });
    assert.equal(name, 'removable');

    const store = await openStore({ dataDir, encryptionKeys: [fresh] });
    test.after(() => store.close());
    const texts = (await createHistory(testContext(store)).page(own, { limit: 10 })).entries.map(
      (entry) => entry.content?.text,
    );
    assert.deepEqual(texts, ['another', text]);
    const [one, other] = await store.db.selectFrom('operationText').selectAll().execute();
    await store.db
      .updateTable('operationText')
      .set({ value: other?.value ?? '' })
      .where('operationId', '=', one?.operationId ?? '')
      .execute();
    await assert.rejects(createHistory(testContext(store)).page(own, { limit: 10 }), { fault: 'unreadable' });
  });

  it('is gone after the retention time, and with its workspace; the operation stays until then', async (test) => {
    const { store, history, pass } = await historyOf(test);
    for (let index = 0; index < 3; index += 1) {
      await send(store, `old ${index}`, 'U1', { text });
    }
    pass(1_000);
    await send(store, 'new', 'U1', { text });
    const [newest] = await store.ledger.recent({ workspaceId: 'T1', limit: 1 });
    const boundary = newest?.createdAt ?? new Date();
    await store.campaigns.expire(boundary, boundary);
    const { entries } = await history.page(own, { limit: 10 });
    assert.deepEqual(
      entries.map(({ content }) => content?.text),
      [text, undefined, undefined, undefined],
    );

    await store.forget('T1');
    assert.deepEqual(await store.db.selectFrom('operationText').selectAll().execute(), []);
    assert.deepEqual(await seenBy(history, own), []);
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
    await settleAndClaim(store, place, [], 1);
    await settleAndClaim(store, place, [{ number: 0, state: 'unconfirmed' }], 0);

    const filter = { number };
    const found = await history.page(everyone, { filter, limit: 10 });
    assert.deepEqual(keysOf(found.entries), ['message', 'spring']);
    assert.equal(found.next, undefined);
    const [, spring] = found.entries;
    assert.ok(spring?.kind === 'campaign');
    assert.deepEqual(spring.chunk, {
      id: 'spring',
      chunk: 0,
      state: 'unconfirmed',
      error: undefined,
      providerId: undefined,
    });
    assert.equal(spring.campaign.state, 'done');
    assert.deepEqual(keysOf((await history.page(own, { filter, limit: 10 })).entries), ['message']);
  });

  it('has each entry on one page', async (test) => {
    const { store, history, pass } = await historyOf(test);
    for (const key of ['one', 'two', 'three']) {
      await send(store, key);
      pass(1);
    }
    const page = { filter: { number }, limit: 2 };
    const found = await history.page(own, page);
    assert.deepEqual(keysOf(found.entries), ['three', 'two']);
    const rest = await history.page(own, { ...page, after: found.next });
    assert.deepEqual([keysOf(rest.entries), rest.next], [['one'], undefined]);
  });
});
