import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { withEpoch } from '../../../src/domain/access/request-keys.ts';
import type { DeliveryReport } from '../../../src/store/deliveries/deliveries.ts';
import type { Ending, Operation } from '../../../src/store/operations/operation.ts';
import type { Store } from '../../../src/store/store.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { performIn } from '../../support/store/perform-in.ts';
import { recipient, runningCampaign, settleAndClaim } from '../../support/store/stored-campaigns.ts';
import { newEncryptionKey, temporaryStore } from '../../support/store/temporary-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { stoppedClock } from '../../support/time/test-clock.ts';

const number = '+2348031234567';
const other = '+2348039999999';
const never = new AbortController().signal;
const nothing = { resolved: 0, recipients: 0, campaigns: 0, notices: 0, reduced: [] };
const unconfirmed: Ending = { state: 'unconfirmed', error: { reason: 'no_response' } };

interface Sent {
  key: string;
  ending?: Ending;
  numbers?: string[];
  text?: string | undefined;
  senderId?: string;
  workspaceId?: string;
}

/** Performs a message that ended in some way. */
async function sends(store: Store, { key, ending = unconfirmed, ...message }: Sent): Promise<Operation> {
  const { numbers = [number], senderId = 'PalmMarket', workspaceId = 'T1' } = message;
  const text = 'text' in message ? message.text : 'Hello';
  const summary = { senderId, recipients: numbers.length };
  const { operation } = await performIn(
    store.ledger,
    { workspaceId, key, kind: 'sms.send', userId: 'U1', summary, numbers, text },
    async () => ending,
  );
  return operation;
}

/** A report of a message that was sent now. */
const reportOf = (change: Partial<DeliveryReport> = {}): DeliveryReport => ({
  providerId: 'm1',
  number,
  sender: 'PalmMarket',
  text: 'Hello',
  status: 'DELIVERED',
  reportedAt: new Date(),
  source: 'report',
  ...change,
});

async function stateOf(store: Store, { id, workspaceId }: Operation) {
  const { state, providerId, resolvedFrom } =
    (await store.ledger.find(workspaceId, { id })) ?? assert.fail('it is gone');
  return resolvedFrom === undefined ? state : `${state} as ${providerId} by ${resolvedFrom}`;
}

/** The user has been told how each operation ended. */
const tellAll = (store: Store) => store.db.deleteFrom('outbox').execute();

async function notices(store: Store): Promise<string[]> {
  const rows = await store.db.selectFrom('outbox').select(['subject']).execute();
  return rows.map(({ subject }) => subject).sort();
}

forEachDatabase((database) => {
  async function begin(test: TestContext) {
    const store = await temporaryStore(test, { database });
    const report = async (...reports: DeliveryReport[]) => {
      await store.deliveries.record('T1', reports);
      return store.deliveries.follow(never);
    };
    return { store, report };
  }

  describe('an unconfirmed operation', () => {
    it('is resolved though the texts of another workspace cannot be read, whose reports wait', async (test) => {
      const { store } = await begin(test);
      const unreadable = await sends(store, { key: 'a' });
      const operation = await sends(store, { key: 'b', workspaceId: 'T2', numbers: [other] });
      const text = store.db.updateTable('operationText').where('workspaceId', '=', 'T1');
      const kept = await store.db
        .selectFrom('operationText')
        .select('value')
        .where('workspaceId', '=', 'T1')
        .executeTakeFirstOrThrow();
      await text.set({ value: 'damaged' }).execute();
      await store.deliveries.record('T1', [reportOf()]);
      await store.deliveries.record('T2', [reportOf({ providerId: 'm2', number: other })]);
      assert.equal((await store.deliveries.follow(never)).resolved, 1);
      assert.equal(await stateOf(store, operation), 'accepted as m2 by report');
      assert.equal(await stateOf(store, unreadable), 'unconfirmed');
      await text.set(kept).execute();
      assert.equal((await store.deliveries.follow(never)).resolved, 1);
      assert.equal(await stateOf(store, unreadable), 'accepted as m1 by report');
    });

    it('is accepted once a report shows its message, and its user is told once', async (test) => {
      const { store, report } = await begin(test);
      const operation = await sends(store, { key: 'a' });
      await tellAll(store);
      assert.deepEqual(await report(reportOf()), { ...nothing, resolved: 1, notices: 1 });
      assert.equal(await stateOf(store, operation), 'accepted as m1 by report');
      assert.deepEqual(await notices(store), ['operation_resolved']);
      assert.deepEqual(await report(reportOf(), reportOf({ status: 'Sent' })), nothing);
      const entries = await Array.fromAsync(store.audit.all({ workspaceId: 'T1' }));
      assert.deepEqual(
        entries.map(({ outcome, details }) => [
          outcome,
          (JSON.parse(details ?? '{}') as { resolvedFrom?: string }).resolvedFrom,
        ]),
        [
          ['unconfirmed', undefined],
          ['accepted', 'report'],
        ],
      );
    });

    it('is accepted though a contact of another workspace has the id of its message', async (test) => {
      const { store, report } = await begin(test);
      const contact = { workspaceId: 'T2', key: 'c', kind: 'contact.add', userId: 'U2', summary: {} };
      await performIn(store.ledger, contact, async () => ({ state: 'accepted', providerId: 'm1' }));
      const operation = await sends(store, { key: 'a' });
      await report(reportOf());
      assert.equal(await stateOf(store, operation), 'accepted as m1 by report');
    });

    it('needs no second notice where the first is still to be delivered, and waits while it is', async (test) => {
      const { store, report } = await begin(test);
      const operation = await sends(store, { key: 'a' });
      const key = { workspaceId: 'T1', subject: 'operation', subjectId: operation.id } as const;
      await store.outbox.hold(key, async () => {
        assert.equal((await report(reportOf())).resolved, 0);
        assert.equal(await stateOf(store, operation), 'unconfirmed');
      });
      assert.equal((await store.deliveries.follow(never)).resolved, 1);
      assert.deepEqual(await notices(store), ['operation']);
    });

    it('stays so where the number, the sender, the text or the time is another, or not known', async (test) => {
      const { store, report } = await begin(test);
      const operation = await sends(store, { key: 'a' });
      const hour = 60 * 60_000;
      await report(
        reportOf({ providerId: '1', number: other }),
        reportOf({ providerId: '2', sender: 'Palm' }),
        reportOf({ providerId: '3', text: 'Hello!' }),
        reportOf({ providerId: '4', reportedAt: new Date(Date.now() - hour) }),
        reportOf({ providerId: '5', reportedAt: new Date(Date.now() + 3 * hour) }),
        reportOf({ providerId: '6', reportedAt: undefined }),
        reportOf({ providerId: '7', text: undefined }),
        reportOf({ providerId: '8', sender: undefined }),
      );
      assert.equal(await stateOf(store, operation), 'unconfirmed');
    });

    it('is found by the clock of Lagos too', async (test) => {
      const { store, report } = await begin(test);
      const operation = await sends(store, { key: 'a' });
      await report(reportOf({ reportedAt: new Date(Date.now() + 60 * 60_000) }));
      assert.equal(await stateOf(store, operation), 'accepted as m1 by report');
    });

    it('stays so where two may have sent the message', async (test) => {
      const { store, report } = await begin(test);
      const operations = [await sends(store, { key: 'a' }), await sends(store, { key: 'b' })];
      await report(reportOf());
      for (const operation of operations) {
        assert.equal(await stateOf(store, operation), 'unconfirmed');
      }
    });

    it('stays so where a later report names a later time, by which only one may have sent the message', async (test) => {
      const { clock, pass } = stoppedClock();
      const store = await temporaryStore(test, { database, time: clock });
      const begin = clock.now().getTime();
      const after = (minutes: number) => new Date(begin + minutes * 60_000);
      const follow = async (...reports: DeliveryReport[]) => {
        await store.deliveries.record('T1', reports);
        await store.deliveries.follow(never);
      };
      const operations = [await sends(store, { key: 'a' })];
      pass(10 * 60_000);
      operations.push(await sends(store, { key: 'b' }));
      const sent = reportOf({ status: 'Message Sent', reportedAt: after(12) });
      await follow(sent);
      await follow(reportOf({ reportedAt: after(24) }));
      const other = { providerId: 'm2', text: 'Another' };
      operations.push(await sends(store, { key: 'c', text: 'Another' }));
      operations.push(await sends(store, { key: 'd', text: 'Another' }));
      pass(60_000);
      await follow({ ...sent, ...other }, reportOf({ ...other, reportedAt: after(24) }));
      for (const operation of operations) {
        assert.equal(await stateOf(store, operation), 'unconfirmed');
      }
    });

    it('is resolved once a report names the time of its message, also one that is behind', async (test) => {
      const { store, report } = await begin(test);
      const operation = await sends(store, { key: 'a' });
      await report(reportOf({ reportedAt: undefined }));
      assert.equal(await stateOf(store, operation), 'unconfirmed');
      await report(reportOf({ status: 'Message Sent' }));
      assert.equal(await stateOf(store, operation), 'accepted as m1 by report');
    });

    it('stays so where an unclear answer to another one names the message, or its own names another', async (test) => {
      const { store, report } = await begin(test);
      const operation = await sends(store, { key: 'a' });
      await sends(store, { key: 'b', numbers: [other], ending: { ...unconfirmed, receiptId: 'm1' } });
      await report(reportOf());
      const named = await sends(store, {
        key: 'c',
        numbers: [other],
        text: 'Named',
        ending: { ...unconfirmed, receiptId: 'm2' },
      });
      await report(reportOf({ providerId: 'm3', number: other, text: 'Named' }));
      assert.equal(await stateOf(store, operation), 'unconfirmed');
      assert.equal(await stateOf(store, named), 'unconfirmed');
    });

    it('stays so where the provider has two such messages', async (test) => {
      const { store, report } = await begin(test);
      const operation = await sends(store, { key: 'a' });
      await report(reportOf(), reportOf({ providerId: 'm2' }));
      assert.equal(await stateOf(store, operation), 'unconfirmed');
    });

    it('is not taken for a message that another one’s answer has named', async (test) => {
      const { store, report } = await begin(test);
      const operation = await sends(store, { key: 'a' });
      await sends(store, { key: 'b', ending: { state: 'accepted', providerId: 'm1' } });
      await report(reportOf());
      assert.equal(await stateOf(store, operation), 'unconfirmed');
      await report(reportOf({ providerId: 'm2' }));
      assert.equal(await stateOf(store, operation), 'accepted as m2 by report');
    });

    it('waits for an answer that may name the message', async (test) => {
      const { store, report } = await begin(test);
      const operation = await sends(store, { key: 'a' });
      const answer = Promise.withResolvers<Ending>();
      const asked = Promise.withResolvers<void>();
      const summary = { senderId: 'PalmMarket', recipients: 1 };
      const again = { workspaceId: 'T1', key: 'b', kind: 'sms.send', userId: 'U1', summary };
      const performing = performIn(store.ledger, { ...again, numbers: [number], text: 'Hello' }, () => {
        asked.resolve();
        return answer.promise;
      });
      await asked.promise;
      await report(reportOf());
      assert.equal(await stateOf(store, operation), 'unconfirmed');
      answer.resolve({ state: 'accepted', providerId: 'm1' });
      await performing;
      assert.equal((await store.deliveries.follow(never)).resolved, 0);
      assert.equal(await stateOf(store, operation), 'unconfirmed');
      await report(reportOf({ providerId: 'm2' }));
      assert.equal(await stateOf(store, operation), 'accepted as m2 by report');
    });

    it('stays so where a message to several, or one whose text is not kept, may be it', async (test) => {
      const { store, report } = await begin(test);
      const operation = await sends(store, { key: 'a' });
      const accepted: Ending = { state: 'accepted', providerId: 'bulk' };
      await sends(store, { key: 'b', numbers: [number, other], ending: accepted });
      await report(reportOf());
      assert.equal(await stateOf(store, operation), 'unconfirmed');

      const code = await sends(store, { key: 'c', numbers: [other], text: undefined });
      const second = await sends(store, { key: 'd', numbers: [other], text: 'Code' });
      await report(reportOf({ providerId: 'm3', number: other, text: 'Code' }));
      assert.deepEqual(
        [await stateOf(store, code), await stateOf(store, second)],
        ['unconfirmed', 'unconfirmed'],
      );
    });

    it('waits for a campaign that sends to the number, and stays so where that may have sent the message', async (test) => {
      const { store, report } = await begin(test);
      const operation = await sends(store, { key: 'a' });
      const campaign = { workspaceId: 'T1', id: 'sale' };
      await runningCampaign(store, [recipient(number), recipient(other)], { text: 'Hello' });
      const [chunk] = (await settleAndClaim(store, campaign, [], 1))?.claimed ?? [];
      await report(reportOf());
      const isPending = async () =>
        (await store.db.selectFrom('delivery').select('pending').executeTakeFirstOrThrow()).pending;
      assert.ok(await isPending());
      const lost = {
        number: chunk?.number ?? 0,
        state: 'unconfirmed',
        error: { reason: 'no_response' },
      } as const;
      await settleAndClaim(store, campaign, [lost], 0);
      await store.deliveries.follow(never);
      assert.ok(!(await isPending()));
      assert.equal(await stateOf(store, operation), 'unconfirmed');
      const byAnother = await sends(store, { key: 'b', senderId: 'Mango' });
      await report(reportOf({ providerId: 'm2', sender: 'Mango' }));
      assert.equal(await stateOf(store, byAnother), 'accepted as m2 by report');
    });

    it('of several numbers is accepted once a message to each of them is shown, whatever their ids', async (test) => {
      const { store, report } = await begin(test);
      const operation = await sends(store, { key: 'a', numbers: [number, other] });
      await tellAll(store);
      await report(reportOf());
      assert.equal(await stateOf(store, operation), 'unconfirmed');
      await report(reportOf({ providerId: 'm2', number: other, text: 'Another', status: 'Expired' }));
      assert.equal(await stateOf(store, operation), 'unconfirmed');
      assert.equal((await report(reportOf({ number: other, status: 'Expired' }))).resolved, 1);
      assert.equal(await stateOf(store, operation), 'accepted as m1 by report');
      const known = await store.deliveries.of('T1', ['m1']);
      assert.deepEqual(known.map(({ state }) => state).sort(), ['delivered', 'failed']);

      const apart = await sends(store, { key: 'b', numbers: [number, other], text: 'Apart' });
      await report(reportOf({ providerId: 'm3', text: 'Apart' }));
      await report(reportOf({ providerId: 'm4', number: other, text: 'Apart', status: 'Sent' }));
      assert.equal(await stateOf(store, apart), 'accepted as m4 by report');
      const ofBoth = await store.deliveries.of('T1', ['m4']);
      assert.deepEqual(ofBoth.map(({ state }) => state).sort(), ['delivered', 'sent']);
      const find = await store.deliveries.ofRecipients('T1', ['m1', 'm4']);
      const ofNumbers = [number, other].map((to) => find('m4', to)?.state);
      assert.deepEqual(ofNumbers, ['delivered', 'sent'], 'each by the id that names the operation');
      assert.equal(find('m1', other)?.state, 'failed');
      assert.equal((await store.deliveries.ofRecipients('T2', ['m4']))('m4', number), undefined);
    });

    it('of several numbers stays so where one of them may have its message from another', async (test) => {
      const { store, report } = await begin(test);
      const several = await sends(store, { key: 'a', numbers: [number, other] });
      const single = await sends(store, { key: 'b', numbers: [other] });
      await report(reportOf(), reportOf({ number: other }));
      assert.deepEqual(
        [await stateOf(store, several), await stateOf(store, single)],
        ['unconfirmed', 'unconfirmed'],
      );
    });

    it('of another workspace is none of it', async (test) => {
      const { store, report } = await begin(test);
      const operation = await sends(store, { key: 'a', workspaceId: 'T2' });
      await report(reportOf());
      assert.equal(await stateOf(store, operation), 'unconfirmed');
    });

    it('is claimed once, however many follow the reports at once', async (test) => {
      const { store } = await begin(test);
      const operation = await sends(store, { key: 'a' });
      await tellAll(store);
      await store.deliveries.record('T1', [reportOf()]);
      const followed = await Promise.all([1, 2, 3, 4].map(() => store.deliveries.follow(never)));
      assert.equal(
        followed.reduce((sum, { resolved }) => sum + resolved, 0),
        1,
      );
      assert.equal(await stateOf(store, operation), 'accepted as m1 by report');
      assert.deepEqual(await notices(store), ['operation_resolved']);
      const claim = {
        workspaceId: 'T1',
        providerId: 'm2',
        operationId: operation.id,
        claimedAt: new Date(0),
      };
      await assert.rejects(store.db.insertInto('deliveryClaim').values(claim).execute());
    });
  });

  describe('an unconfirmed operation, where two workspaces use one account of the provider', () => {
    const accepted: Ending = { state: 'accepted', providerId: 'm1' };

    it('is not taken for a message that the answer to the other one has named', async (test) => {
      const { store, report } = await begin(test);
      const operation = await sends(store, { key: 'a' });
      await sends(store, { key: 'b', workspaceId: 'T2', ending: accepted });
      await report(reportOf());
      assert.equal(await stateOf(store, operation), 'unconfirmed');
      await report(reportOf({ providerId: 'm2' }));
      assert.equal(await stateOf(store, operation), 'accepted as m2 by report');
    });

    it('is not taken for a message that the other one’s turned out to be, or its campaign’s', async (test) => {
      const { store, report } = await begin(test);
      await sends(store, { key: 'b', workspaceId: 'T2' });
      await store.deliveries.record('T2', [reportOf()]);
      assert.equal((await store.deliveries.follow(never)).resolved, 1);
      const campaign = await runningCampaign(store, [recipient(other)], { workspaceId: 'T2', text: 'Hello' });
      await settleAndClaim(store, campaign, [], 1);
      await settleAndClaim(store, campaign, [{ number: 0, state: 'accepted', providerId: 'c1' }], 0);
      const operations = [
        await sends(store, { key: 'a' }),
        await sends(store, { key: 'c', numbers: [other] }),
      ];
      await report(reportOf(), reportOf({ providerId: 'c1', number: other }));
      for (const operation of operations) {
        assert.equal(await stateOf(store, operation), 'unconfirmed');
      }
      const counts = await store.db.selectFrom('campaignDelivery').selectAll().execute();
      assert.deepEqual(counts, []);
    });

    it('waits where the numbers of the other one cannot be read, and nothing else waits for those', async (test) => {
      const { store, report } = await begin(test);
      const theirs = { workspaceId: 'T2', key: 'b', kind: 'sender_id.request', userId: 'U2', summary: {} };
      await performIn(store.ledger, theirs, async () => ({ state: 'accepted' }));
      await store.db.insertInto('numberKey').values({ workspaceId: 'T2', encryptedKey: 'damaged' }).execute();
      const operation = await sends(store, { key: 'a' });
      const known = await sends(store, {
        key: 'c',
        numbers: [other],
        ending: { ...accepted, providerId: 'm2' },
      });
      await store.ledger.posted(known, { channel: 'C1', ts: '1.1' });
      assert.equal((await report(reportOf(), reportOf({ providerId: 'm2', number: other }))).notices, 1);
      assert.equal(await stateOf(store, operation), 'unconfirmed');
      await store.db.deleteFrom('numberKey').where('workspaceId', '=', 'T2').execute();
      assert.equal((await store.deliveries.follow(never)).resolved, 1);
    });

    it('stays so where the other one may have sent the message too', async (test) => {
      const { store, report } = await begin(test);
      const theirs = await sends(store, { key: 'b', workspaceId: 'T2' });
      const operation = await sends(store, { key: 'a' });
      await report(reportOf());
      assert.equal(await stateOf(store, operation), 'unconfirmed');
      assert.equal(await stateOf(store, theirs), 'unconfirmed');
    });

    it('stays so where the other one’s campaign may have sent the message too', async (test) => {
      const { store, report } = await begin(test);
      const campaign = await runningCampaign(store, [recipient(number)], {
        workspaceId: 'T2',
        text: 'Hello',
      });
      await settleAndClaim(store, campaign, [], 1);
      const operation = await sends(store, { key: 'a' });
      await report(reportOf());
      assert.equal(await stateOf(store, operation), 'unconfirmed');
      const lost = { number: 0, state: 'unconfirmed', error: { reason: 'no_response' } } as const;
      await settleAndClaim(store, campaign, [lost], 0);
      await store.deliveries.follow(never);
      assert.equal(await stateOf(store, operation), 'unconfirmed');
    });

    it('waits for an answer to the other one that may name the message', async (test) => {
      const { store, report } = await begin(test);
      const operation = await sends(store, { key: 'a' });
      const answer = Promise.withResolvers<Ending>();
      const asked = Promise.withResolvers<void>();
      const summary = { senderId: 'PalmMarket', recipients: 1 };
      const theirs = { workspaceId: 'T2', key: 'b', kind: 'sms.send', userId: 'U1', summary };
      const performing = performIn(store.ledger, { ...theirs, numbers: [number], text: 'Hello' }, () => {
        asked.resolve();
        return answer.promise;
      });
      await asked.promise;
      await report(reportOf());
      assert.equal(await stateOf(store, operation), 'unconfirmed');
      const waiting = await store.db.selectFrom('delivery').select('pending').execute();
      assert.deepEqual(waiting, [{ pending: true }]);
      answer.resolve(accepted);
      await performing;
      await store.deliveries.follow(never);
      assert.equal(await stateOf(store, operation), 'unconfirmed');
    });

    it('stays so where another such message is reported to the other one', async (test) => {
      const { store, report } = await begin(test);
      const operation = await sends(store, { key: 'a' });
      await sends(store, { key: 'b', workspaceId: 'T2', ending: { ...accepted, providerId: 'm3' } });
      await store.deliveries.record('T2', [reportOf({ providerId: 'm2' })]);
      await report(reportOf());
      assert.equal(await stateOf(store, operation), 'unconfirmed');
    });

    it('is resolved where the other one has sent another text, or to another number', async (test) => {
      const { store, report } = await begin(test);
      const operation = await sends(store, { key: 'a' });
      await sends(store, { key: 'b', workspaceId: 'T2', text: 'Another' });
      await sends(store, { key: 'c', workspaceId: 'T2', numbers: [other] });
      await report(reportOf());
      assert.equal(await stateOf(store, operation), 'accepted as m1 by report');
    });

    it('waits while what the other one has sent cannot be read, and what is none of it does not', async (test) => {
      const { store, report } = await begin(test);
      const operation = await sends(store, { key: 'a' });
      const apart = await sends(store, { key: 'b', numbers: [other] });
      await sends(store, { key: 'c', workspaceId: 'T2', text: 'Another' });
      const text = store.db.updateTable('operationText').where('workspaceId', '=', 'T2');
      const { value } = await store.db
        .selectFrom('operationText')
        .select('value')
        .where('workspaceId', '=', 'T2')
        .executeTakeFirstOrThrow();
      await text.set({ value: 'damaged' }).execute();
      await report(reportOf(), reportOf({ providerId: 'm2', number: other }));
      assert.equal(await stateOf(store, operation), 'unconfirmed');
      assert.equal(await stateOf(store, apart), 'accepted as m2 by report');
      await text.set({ value }).execute();
      await store.deliveries.follow(never);
      assert.equal(await stateOf(store, operation), 'accepted as m1 by report');
    });
  });

  describe('an unconfirmed operation of data that was restored', () => {
    const minute = 60_000;

    async function restored(test: TestContext) {
      const { clock, pass } = stoppedClock();
      const data = { database, dataDir: temporaryFolder(test), encryptionKeys: [newEncryptionKey()] };
      const before = await temporaryStore(test, { ...data, time: clock });
      const known = await sends(before, { key: 'before', text: 'Before' });
      await before.close();
      pass(minute);
      const store = await temporaryStore(test, { ...data, time: clock, isRestored: true });
      const at = clock.now().getTime();
      /** Reports a message. `minutes`: after the data was restored, by the provider’s clock. */
      const report = async (minutes: number, change: Partial<DeliveryReport> = {}) => {
        const reportedAt = new Date(at + minutes * minute);
        await store.deliveries.record('T1', [reportOf({ reportedAt, ...change })]);
        await store.deliveries.follow(never);
      };
      const send = (text: string) => sends(store, { key: withEpoch(store.installation.epoch, text), text });
      return { store, known, report, send, pass: (minutes: number) => pass(minutes * minute) };
    }

    it('stays so where its request began before', async (test) => {
      const { store, known, report } = await restored(test);
      await report(0, { text: 'Before' });
      assert.equal(await stateOf(store, known), 'unconfirmed');
    });

    it('stays so where a request that is forgotten may have sent the message, by the clock of Lagos too', async (test) => {
      const { store, report, send, pass } = await restored(test);
      const soon = await send('Hello');
      // Sent 50 minutes before, by the clock of Lagos.
      await report(10);
      assert.equal(await stateOf(store, soon), 'unconfirmed');
      pass(60);
      const later = await send('Later');
      // Of a request a minute before, which the provider sent 14 minutes after it, by the clock of Lagos.
      await report(73, { providerId: 'm2', text: 'Later' });
      assert.equal(await stateOf(store, later), 'unconfirmed');
    });

    it('is resolved where no request from before can have sent the message', async (test) => {
      const { store, report, send, pass } = await restored(test);
      pass(75);
      const operation = await send('Hello');
      await report(75);
      assert.equal(await stateOf(store, operation), 'accepted as m1 by report');
    });
  });

  describe('the message of Slack that shows an operation', () => {
    it('is changed when more is known, also where that came before it was posted', async (test) => {
      const { store, report } = await begin(test);
      const ending: Ending = { state: 'accepted', providerId: 'm1' };
      const operation = await sends(store, { key: 'a', ending });
      await tellAll(store);
      assert.equal((await report(reportOf({ status: 'Sent' }))).notices, 0);
      await store.ledger.posted(operation, { channel: 'C1', ts: '1.1' });
      assert.equal((await store.deliveries.follow(never)).notices, 1);
      assert.deepEqual(await notices(store), ['delivery']);
      const key = { workspaceId: 'T1', subject: 'delivery', subjectId: operation.id } as const;
      await store.outbox.deliver(key, async () => {
        assert.equal((await report(reportOf())).notices, 0);
      });
      assert.deepEqual(await notices(store), []);
      assert.equal((await store.deliveries.follow(never)).notices, 1);
    });

    it('is not joined by another one where the outcome is still to be posted, and says what came while it was', async (test) => {
      const { store, report } = await begin(test);
      const ending: Ending = { state: 'accepted', providerId: 'm1' };
      const operation = await sends(store, { key: 'a', ending });
      assert.equal((await report(reportOf({ status: 'Failed' }))).notices, 0);
      assert.deepEqual(await notices(store), ['operation']);
      const later = await sends(store, { key: 'b', ending: { ...ending, providerId: 'm2' } });
      const key = { workspaceId: 'T1', subject: 'operation', subjectId: later.id } as const;
      await store.outbox.deliver(key, async () => {
        assert.equal((await report(reportOf({ providerId: 'm2', status: 'Failed' }))).notices, 0);
      });
      assert.equal((await store.deliveries.follow(never)).notices, 1);
      assert.deepEqual(await notices(store), ['delivery', 'operation']);
      assert.notEqual((await store.ledger.find('T1', operation))?.notDeliveredAt, undefined);
    });

    it('is changed as well where it only told that what was unconfirmed is known', async (test) => {
      const { store, report } = await begin(test);
      const { id } = await sends(store, { key: 'a' });
      await tellAll(store);
      await report(reportOf({ status: 'Sent' }));
      const resolved = await store.ledger.find('T1', { id });
      assert.ok(resolved);
      await tellAll(store);
      await store.ledger.posted(resolved, { channel: 'D1', ts: '2.1' }, 'resolvedMessage');
      assert.equal((await report(reportOf())).notices, 1);
      assert.deepEqual(await notices(store), ['delivery']);
      const { message, resolvedMessage } = (await store.ledger.find('T1', { id })) ?? {};
      assert.deepEqual([message, resolvedMessage], [undefined, { channel: 'D1', ts: '2.1' }]);
    });

    it('stays as it is where the operation is about a contact with the id of a message', async (test) => {
      const { store, report } = await begin(test);
      const contact = { workspaceId: 'T1', key: 'c', kind: 'contact.add', userId: 'U1', summary: {} };
      const { operation } = await performIn(store.ledger, contact, async () => ({
        state: 'accepted',
        providerId: 'm1',
      }));
      await store.ledger.posted(operation, { channel: 'C1', ts: '1.1' });
      assert.equal((await report(reportOf())).notices, 0);
    });
  });
});
