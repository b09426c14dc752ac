import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { phoneNumberSchema } from '../../../src/domain/phone/phone-number.ts';
import type { StopAnswer } from '../../../src/domain/replies/stop-words.ts';
import type { AuditRecord } from '../../../src/services/audit/audit-service.ts';
import { answerReply } from '../../../src/services/replies/stops.ts';
import {
  createOptOutService,
  createSuppressionService,
} from '../../../src/services/suppression-list/suppression-list.ts';
import type { Store } from '../../../src/store/store.ts';
import { type DatabaseName, forEachDatabase } from '../../support/store/databases.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';
import { testContext } from '../../support/test-context.ts';
import { stoppedClock } from '../../support/time/test-clock.ts';

const workspaceId = 'T1';
const number = phoneNumberSchema.parse('+2348051234500');
const areas = {};
const minutes = 60_000;
const days = 24 * 60 * minutes;

function answering(store: Store) {
  const list = store.suppressionList;
  const recorded: AuditRecord[] = [];
  const record = async (entry: AuditRecord) => void recorded.push(entry);
  const suppressionList = createSuppressionService(testContext(store, { record }), {
    campaigns: { lostRecipients: async () => {} },
  });
  const optOut = createOptOutService(
    testContext({
      ...store,
      campaigns: {
        ...store.campaigns,
        findByOptOutToken: async () => ({
          workspaceId,
          number,
          campaign: { id: 'sale', name: 'Sale', senderId: 'PalmMarket' },
        }),
      },
    }),
    { suppressionList },
  );
  return {
    recorded,
    suppressionList,
    /** What the owner of the number does by the link in a message. */
    pressesLink: () => optOut.optOut('token'),
    /** Returns whether the number is on the list for this very reply. */
    async answer(text: string, sentAt?: Date, { identity = `${text} ${sentAt}`, from = number } = {}) {
      const reply = { workspaceId, from, text, sentAt, identity };
      return (await answerReply(suppressionList, reply, { stop: [], start: [] }))?.isListed;
    },
    isListed: async (of = number) => (await list.among(workspaceId, [of])).length === 1,
  };
}

/** Opens a store whose clock stands still, and returns what makes times of this clock. */
async function open(t: Parameters<typeof temporaryStore>[0], database: DatabaseName) {
  const { clock, pass } = stoppedClock();
  const store = await temporaryStore(t, { database, time: clock });
  const start = clock.now().getTime();
  return { store, pass, ...answering(store), at: (since: number) => new Date(start + since * minutes) };
}

forEachDatabase((database) => {
  it('holds the order in which stops and starts were written, of which each may come late and again', async (t) => {
    const { answer, isListed, at, recorded } = await open(t, database);
    const steps = [
      ['stop', 0, true],
      // The number is on the list already.
      ['stop', 10, true],
      ['start', 5, true],
      ['start', 20, false],
      // The first ones, again.
      ['stop', 0, false],
      ['stop', 10, false],
      // It was under way for long.
      ['stop', 15, false],
      ['stop', 20, true],
      ['start', 20, true],
    ] as const;
    for (const [index, [text, time, listed]] of steps.entries()) {
      await answer(text, at(time));
      assert.equal(await isListed(), listed, `step ${index}: ${text} of minute ${time}`);
    }
    assert.deepEqual(
      recorded.map(({ action }) => action),
      ['suppression.add', 'suppression.remove', 'suppression.add'],
    );
  });

  it('ends the same for every order and repetition of the same stops and starts', async (t) => {
    const { answer, isListed, at } = await open(t, database);
    const replies = fc.array(
      fc.record({ text: fc.constantFrom<StopAnswer>('stop', 'start'), time: fc.nat(5), id: fc.nat(2) }),
      { minLength: 1, maxLength: 8 },
    );
    const orders = replies.chain((sent) =>
      fc.record({
        sent: fc.constant(sent),
        arrived: fc
          .array(fc.constantFrom(...sent), { maxLength: 6 })
          .chain((again) =>
            fc.shuffledSubarray([...sent, ...again], { minLength: sent.length + again.length }),
          ),
      }),
    );
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(orders, fc.boolean(), async ({ sent, arrived }, atOnce) => {
        runs += 1;
        const from = phoneNumberSchema.parse(`+234805123${String(runs).padStart(4, '0')}`);
        const give = ({ text, time, id }: (typeof sent)[number]) =>
          answer(text, at(time), { identity: JSON.stringify([id, from, text, time]), from });
        if (atOnce) {
          await Promise.all(arrived.map(give));
        } else {
          for (const reply of arrived) {
            await give(reply);
          }
        }
        const latest = (of: StopAnswer) =>
          Math.max(-1, ...sent.filter(({ text }) => text === of).map(({ time }) => time));
        assert.equal(await isListed(from), latest('stop') >= 0 && latest('stop') >= latest('start'));
      }),
      { numRuns: 60 },
    );
  });

  it('holds no stop against a time that is still to come', async (t) => {
    const { answer, isListed, at, pass, suppressionList } = await open(t, database);
    const hours = 60;
    await answer('stop', at(0));
    await answer('start', at(20 * hours));
    assert.equal(await isListed(), true);
    await suppressionList.remove(workspaceId, [number]);
    await answer('stop', at(22 * hours));
    assert.equal(await isListed(), true);
    await suppressionList.remove(workspaceId, [number]);
    pass(5 * minutes);
    await answer('stop', at(5));
    assert.equal(await isListed(), true);
  });

  it('keeps a number on the list that its owner or a person put there later than a start was written', async (t) => {
    const { answer, isListed, at, pass, suppressionList, pressesLink } = await open(t, database);
    const add = () =>
      suppressionList.add({ workspaceId, userId: 'U1', numbers: [number], source: { kind: 'typed' } });
    await add();
    pass(3 * days);
    await answer('stop', at(3 * 24 * 60));
    await answer('start', at(2 * 24 * 60));
    assert.equal(await isListed(), true, 'a start from before the stop');

    pass(3 * days);
    await add();
    await answer('start', at(5 * 24 * 60));
    assert.equal(await isListed(), true, 'a start from before somebody added it again');
    pass(3 * days);
    assert.deepEqual(await pressesLink(), { senderId: 'PalmMarket', isOptedOut: true });
    await answer('start', at(8 * 24 * 60));
    assert.equal(await isListed(), true, 'a start from before the link was used');
    await answer('start', at(9 * 24 * 60 + 61));
    assert.equal(await isListed(), false);
  });

  it('counts a stop without a time from when it came, and a copy of it not at all', async (t) => {
    const { answer, isListed, at, pass } = await open(t, database);
    pass(10 * minutes);
    const stop = (identity: string) => answer('stop', undefined, { identity });
    assert.deepEqual(
      [await stop('first'), await stop('first')],
      [true, true],
      'as if the first were cut off',
    );
    assert.equal(await stop('second'), false, 'the number was on the list before');
    await answer('start', at(5 + 60));
    assert.equal(await isListed(), true);
    await answer('start', undefined);
    assert.equal(await isListed(), true, 'nobody knows whether it is later');
    await answer('start', at(11 + 60));
    assert.equal(await isListed(), false);
    assert.deepEqual([await stop('first'), await stop('second'), await isListed()], [false, false, false]);
    assert.equal(await stop('third'), true);
  });

  it('does nothing again that a person undid', async (t) => {
    const { answer, isListed, at, suppressionList } = await open(t, database);
    await answer('stop', at(10));
    await suppressionList.remove(workspaceId, [number]);
    await answer('stop', at(10));
    await answer('stop', at(5));
    assert.equal(await isListed(), false);
    assert.equal(await answer('stop', at(11)), true);
  });

  it('forgets an erased number without letting it off the list, and what is too old to come again', async (t) => {
    const { store, answer, isListed, at, pass, suppressionList } = await open(t, database);
    const rows = async () => (await store.db.selectFrom('replyAnswer').selectAll().execute()).length;
    await suppressionList.add({ workspaceId, userId: 'U1', numbers: [number] });
    pass(30 * days);
    await answer('stop', at(30 * 24 * 60));
    pass(days);
    const other = phoneNumberSchema.parse('+2348051234511');
    await answer('stop', at(30 * 24 * 60), { from: other, identity: 'other' });
    await store.erasure.erase({
      workspaceIds: [workspaceId],
      number,
      areas,
      signal: new AbortController().signal,
    });
    assert.equal(await rows(), 1);
    await answer('start', at(29 * 24 * 60));
    assert.equal(await isListed(), true);
    await store.suppressionList.expireAnswers(at(31 * 24 * 60));
    assert.equal(await rows(), 2);
    await store.suppressionList.expireAnswers(at(31 * 24 * 60 + 1));
    assert.deepEqual([await rows(), await isListed(other)], [0, true]);
  });
});
