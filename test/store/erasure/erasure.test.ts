import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { showNumber } from '../../../src/domain/access/private-values.ts';
import { createNumberMentions } from '../../../src/domain/phone/number-mentions.ts';
import { type PhoneNumber, toE164 } from '../../../src/domain/phone/phone-number.ts';
import { createEncryption } from '../../../src/store/engine/encryption/cipher.ts';
import { walkColumn } from '../../../src/store/engine/encryption/encrypted-column.ts';
import type { ErasureRequest } from '../../../src/store/erasure/erasure.ts';
import { encryptedColumns } from '../../../src/store/schema/schema.ts';
import type { Store } from '../../../src/store/store.ts';
import { encryptedMentions, foundInFiles } from '../../support/privacy/mentions-at-rest.ts';
import { type SteppedTimers, steppedTimers } from '../../support/stepped-timers.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import {
  fillWithPerson,
  erasedNumber as number,
  otherNumber as other,
  smsTo as sms,
} from '../../support/store/fill-with-person.ts';
import { whileLocked } from '../../support/store/lock-barrier.ts';
import { performIn } from '../../support/store/perform-in.ts';
import { sentTo } from '../../support/store/sent-to.ts';
import { newApproval } from '../../support/store/stored-approvals.ts';
import {
  moveSeen,
  newCampaign,
  readyCampaign,
  recipient,
  runningCampaign,
  settleAndClaim,
} from '../../support/store/stored-campaigns.ts';
import { newEncryptionKey, temporaryStore } from '../../support/store/temporary-store.ts';
import { severalInstances, twoStores } from '../../support/store/two-stores.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const areas = { drafts: 'delete', preferences: 'redact' } as const;

async function advanceUntil(done: Promise<unknown>, timers: SteppedTimers): Promise<void> {
  let isDone = false;
  void done.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await timers.advance(1_000);
    await setImmediate();
  }
}

const sentAreas = new Set(['text of a message', 'recipients of a campaign']);

const whole = new AbortController().signal;

const request = (change: Partial<ErasureRequest> = {}): ErasureRequest => ({
  workspaceIds: ['T1'],
  number,
  areas,
  signal: whole,
  ...change,
});

async function filledStore(t: TestContext) {
  const dataDir = temporaryFolder(t);
  const encryptionKeys = [newEncryptionKey()];
  const store = await temporaryStore(t, { dataDir, encryptionKeys });
  await fillWithPerson(store, 'T1');
  await fillWithPerson(store, 'T2');
  return { store, dataDir, encryptionKeys };
}

forEachDatabase(() => {
  describe('the erasure of a person', () => {
    it('leaves no value that names them, and no byte of what did', async (t) => {
      const { store, dataDir, encryptionKeys } = await filledStore(t);
      const before = await encryptedMentions(store, encryptionKeys, number);
      assert.ok(before.length > 20, String(before.length));

      const { counts, changed, isComplete } = await store.erasure.erase(
        request({ workspaceIds: ['T1', 'T2'] }),
      );
      assert.ok(isComplete);
      assert.deepEqual(counts, {
        operations: 4,
        texts: 14,
        recipients: 6,
        skipped: 4,
        rows: 8,
        values: 4,
        listed: 0,
        keptTexts: 0,
      });
      assert.deepEqual(changed.map(({ workspaceId, id }) => `${workspaceId} ${id}`).sort(), [
        'T1 draft',
        'T1 personal',
        'T2 draft',
        'T2 personal',
      ]);
      assert.deepEqual(await encryptedMentions(store, encryptionKeys, number), []);
      const ciphertexts = before.map(({ ciphertext }) => ciphertext);
      assert.deepEqual(foundInFiles(dataDir, number, ciphertexts), []);
      for (const workspaceId of ['T1', 'T2']) {
        const found = await sentTo(store, workspaceId, number);
        assert.deepEqual(found, { operationIds: [], campaigns: [] });
      }
    });

    it('removes what the file of a person has, and the file has all that it removes', async (t) => {
      const { store, encryptionKeys } = await filledStore(t);
      const held = (of: PhoneNumber) =>
        Array.fromAsync(store.holdings({ workspaceId: 'T1', number: of, areas }));
      const encryption = createEncryption(encryptionKeys);
      const mentions = createNumberMentions(number);
      const named = new Map<string, number>();
      for (const column of encryptedColumns) {
        const isWanted = ({ workspaceId }: { workspaceId: string }) => workspaceId === 'T1';
        for await (const { text, area } of walkColumn(store.db, encryption, column, { isWanted })) {
          if (mentions.areIn(text)) {
            named.set(area, (named.get(area) ?? 0) + 1);
          }
        }
      }
      const found = await held(number);
      const inHistory = found.filter(({ what }) => /^(?:sms|otp|campaign|reply)\b/.test(what)).length;
      assert.ok(named.size > 5 && inHistory > 3, JSON.stringify([...named]));
      let sent = 0;
      for (const [area, values] of named) {
        const listed = found.filter(({ what }) => what === area).length;
        // What was sent to the number is in the history, with its outcome.
        sent += sentAreas.has(area) ? values - listed : 0;
        assert.ok(listed === values || sentAreas.has(area), `${area}: ${listed} of ${values}`);
      }
      assert.ok(sent > 0 && sent <= inHistory, `${sent} of ${inHistory}`);
      assert.ok(
        found.every(({ text = '' }) => !text.includes(toE164(other).slice(4))),
        'others are masked',
      );
      const others = (await held(other)).length;
      await store.erasure.erase(request());
      // Numbers are masked there.
      const left = (await held(number)).filter(({ what }) => what !== 'audit');
      assert.deepEqual(left, []);
      assert.equal((await held(other)).length, others);
    });

    it('leaves everybody else, other workspaces, and the counts of what was sent', async (t) => {
      const { store, encryptionKeys } = await filledStore(t);
      const elsewhere = async () =>
        (await encryptedMentions(store, encryptionKeys, other)).map(({ where }) => where).sort();
      const others = await elsewhere();
      const sent = await store.campaigns.find('T1', 'sent');
      await store.erasure.erase(request());
      assert.deepEqual(await elsewhere(), others);
      assert.deepEqual((await store.campaigns.find('T1', 'sent'))?.counts, sent?.counts);
      assert.ok((await encryptedMentions(store, encryptionKeys, number)).length > 10, 'T2 was not asked for');
      const { operationIds } = await sentTo(store, 'T2', number);
      assert.equal(operationIds.length, 2);
      assert.equal(await store.keyv('T1', 'drafts').get('hers'), undefined);
      assert.deepEqual(await store.keyv('T1', 'preferences').get('U1'), { route: 'dnd' });
      const draft = await store.campaigns.find('T1', 'draft');
      assert.deepEqual(
        [draft?.counts.recipients, draft?.counts.suppressed, draft?.counts.invalid],
        [120, 2, 2],
      );
      assert.deepEqual(draft?.columns, ['Phone', 'or •••']);
      const rejected = await Array.fromAsync(store.campaigns.rejectedRows('T1', 'draft'));
      assert.deepEqual(
        rejected.map(({ text }) => text),
        ['n/a'],
      );
      const together = await store.ledger.find('T1', { key: 'together' });
      assert.deepEqual(together?.summary, { to: [showNumber(other, 'record')], recipients: 2, erased: 1 });
      const texts = await store.ledger.texts('T1', [together?.id ?? '']);
      assert.deepEqual(texts.get(together?.id ?? ''), { text: 'Hello both', to: [other] });
    });

    it('keeps an entry of the do-not-contact list as a hash, which still holds', async (t) => {
      const dataDir = temporaryFolder(t);
      const encryptionKeys = [newEncryptionKey()];
      const store = await temporaryStore(t, { dataDir, encryptionKeys });
      const { suppressionList } = store;
      await suppressionList.add('T1', [number, other], 'U1', { source: { kind: 'typed' } });
      const before = await encryptedMentions(store, encryptionKeys, number);
      assert.deepEqual(await store.erasure.find('T1', number), {
        operations: 0,
        campaigns: 0,
        isListed: true,
      });
      assert.equal((await store.erasure.erase(request())).counts.listed, 1);
      assert.deepEqual(
        foundInFiles(
          dataDir,
          number,
          before.map(({ ciphertext }) => ciphertext),
        ),
        [],
      );
      assert.deepEqual(await suppressionList.among('T1', [number, other]), [number, other]);
      const entries = await suppressionList.list({ workspaceId: 'T1', limit: 9 });
      assert.deepEqual(entries.map((entry) => entry.number).sort(), [other, undefined].sort());
      const [found] = await suppressionList.find('T1', [number]);
      assert.deepEqual([found?.number, found?.createdBy, found?.source], [number, 'U1', undefined]);
      // It keeps them out of every later list, and can be removed by a person who types it.
      const campaign = await readyCampaign(store, [
        recipient(toE164(number)),
        recipient(toE164(other)),
        recipient('+2348071234567'),
      ]);
      assert.deepEqual([campaign.counts.recipients, campaign.counts.suppressed], [1, 2]);
      assert.equal(await suppressionList.remove('T1', [number]), 1);
    });

    it('waits for what is in flight: sent, it is erased; released, it is skipped', async (t) => {
      for (const state of ['accepted', 'waiting'] as const) {
        const timers = steppedTimers();
        const encryptionKeys = [newEncryptionKey()];
        const store = await temporaryStore(t, { encryptionKeys, timers });
        await runningCampaign(store, [recipient(toE164(number)), recipient(toE164(other))]);
        const place = { workspaceId: 'T1', id: 'sale' };
        const { claimed = [] } = (await settleAndClaim(store, place, [], 1)) ?? {};
        assert.equal(claimed.length, 1);
        const erased = store.erasure.erase(request());
        while (timers.pending() === 0) {
          await setImmediate();
        }
        await timers.advance(1_000);
        assert.equal(
          (await encryptedMentions(store, encryptionKeys, number)).length,
          1,
          'it is still in flight',
        );
        await settleAndClaim(store, place, [{ number: 0, state }], 0);
        await advanceUntil(erased, timers);
        const { counts } = await erased;
        assert.deepEqual([counts.recipients, counts.skipped], [1, state === 'waiting' ? 1 : 0]);
        assert.deepEqual(await encryptedMentions(store, encryptionKeys, number), []);
        const campaign = await store.campaigns.find('T1', 'sale');
        const expected = state === 'waiting' ? ['running', 1, 1] : ['done', 2, 0];
        assert.deepEqual(
          [campaign?.state, campaign?.counts.recipients, campaign?.counts.suppressed],
          expected,
        );
      }
    });

    it('waits for a list that is being imported', async (t) => {
      const timers = steppedTimers();
      const encryptionKeys = [newEncryptionKey()];
      const store = await temporaryStore(t, { encryptionKeys, timers });
      const writer = await store.campaigns.begin(newCampaign());
      assert.ok(writer);
      const erased = store.erasure.erase(request());
      while (timers.pending() === 0) {
        await setImmediate();
      }
      await writer.add([recipient(toE164(number)), recipient(toE164(other))]);
      await writer.finish();
      await advanceUntil(erased, timers);
      assert.equal((await erased).counts.skipped, 1);
      assert.deepEqual(await encryptedMentions(store, encryptionKeys, number), []);
      assert.equal((await store.campaigns.find('T1', 'sale'))?.counts.recipients, 1);
    });

    for (const endsAtOnce of [false, true]) {
      it(`reads a list that was begun meanwhile${endsAtOnce ? ', and has ended' : ', once it has ended'}`, async (t) => {
        const timers = steppedTimers();
        const encryptionKeys = [newEncryptionKey()];
        const store = await temporaryStore(t, { encryptionKeys, timers });
        await runningCampaign(store, [recipient(toE164(number)), recipient(toE164(other))]);
        const place = { workspaceId: 'T1', id: 'sale' };
        await settleAndClaim(store, place, [], 1);
        const erased = store.erasure.erase(request());
        while (timers.pending() === 0) {
          await setImmediate();
        }
        const writer = (await store.campaigns.begin(newCampaign({ id: 'again' }))) ?? assert.fail();
        const finish = async () => {
          await writer.add([recipient(toE164(number)), recipient(toE164(other))]);
          await writer.finish();
        };
        if (endsAtOnce) {
          await finish();
        }
        await settleAndClaim(store, place, [{ number: 0, state: 'accepted' }], 0);
        await timers.advance(1_000);
        if (!endsAtOnce) {
          while (timers.pending() === 0) {
            await setImmediate();
          }
          await finish();
        }
        await advanceUntil(erased, timers);
        assert.deepEqual(await encryptedMentions(store, encryptionKeys, number), []);
      });
    }

    it('does not change a text that is still to be sent, and says so', async (t) => {
      const store = await temporaryStore(t);
      await readyCampaign(store, [recipient(toE164(other))], { text: 'Call 0803 123 4567' });
      const texts = { id: 'own', personal: true };
      await readyCampaign(store, [recipient(toE164(other), { text: 'Call 0803 123 4567' })], texts);
      const { counts } = await store.erasure.erase(request());
      assert.equal(counts.keptTexts, 2);
      assert.equal((await store.campaigns.find('T1', 'sale'))?.text, 'Call 0803 123 4567');
      await moveSeen(store.campaigns, 'T1', 'sale', ['ready'], 'running');
      await store.campaigns.move('T1', 'sale', ['running'], 'cancelled');
      assert.equal((await store.erasure.erase(request())).counts.texts, 1);
      assert.equal((await store.campaigns.find('T1', 'sale'))?.text, 'Call •••');
    });

    it('goes on with the rest when it was stopped anywhere', async (t) => {
      const { store, encryptionKeys } = await filledStore(t);
      let left = (await encryptedMentions(store, encryptionKeys, number)).length;
      for (let steps = 40; ; steps *= 2) {
        const stopped = new AbortController();
        let count = 0;
        const signal = new Proxy(stopped.signal, {
          get(target, name) {
            if (name === 'aborted' && ++count > steps) {
              stopped.abort();
            }
            const value: unknown = Reflect.get(target, name, target);
            return typeof value === 'function' ? value.bind(target) : value;
          },
        });
        const { isComplete } = await store.erasure.erase(request({ workspaceIds: ['T1', 'T2'], signal }));
        const now = (await encryptedMentions(store, encryptionKeys, number)).length;
        assert.ok(now <= left);
        left = now;
        if (isComplete) {
          break;
        }
      }
      assert.equal(left, 0);
      const again = await store.erasure.erase(request({ workspaceIds: ['T1', 'T2'] }));
      assert.deepEqual(new Set(Object.values(again.counts)), new Set([0]));
    });
  });

  describe('the erasure of two people by two instances at once', () => {
    /** Erases each person on one instance, where both wait for a row that names both. */
    const eraseBoth = ([one, two]: readonly [Store, Store], table: 'campaign' | 'operation' | 'outbox') =>
      whileLocked(one, sql`select * from ${sql.table(table)} for update`, [
        () => one.erasure.erase(request()),
        () => two.erasure.erase(request({ number: other })),
      ]);

    it('leaves neither in the name of a campaign', severalInstances, async (t) => {
      const stores = await twoStores(t);
      await readyCampaign(stores[0], [recipient('+2348061234567')], { name: `To ${number} and ${other}` });
      await eraseBoth(stores, 'campaign');
      const name = (await stores[0].campaigns.find('T1', 'sale'))?.name ?? '';
      assert.doesNotMatch(name, /\d/);
    });

    it('leaves neither among those that a campaign is still to be sent to', severalInstances, async (t) => {
      const stores = await twoStores(t);
      const [store] = stores;
      await runningCampaign(
        store,
        [number, other, '+2348061234567'].map((each) => recipient(String(each))),
      );
      await eraseBoth(stores, 'campaign');
      const { counts } = (await store.campaigns.find('T1', 'sale')) ?? {};
      assert.deepEqual([counts?.recipients, counts?.suppressed], [1, 2]);
      const turn = await settleAndClaim(store, { workspaceId: 'T1', id: 'sale' }, [], 9);
      assert.deepEqual(
        turn?.claimed.map(({ digits }) => digits),
        [['2348061234567']],
      );
    });

    it('leaves neither in the history', severalInstances, async (t) => {
      const stores = await twoStores(t);
      const intent = { workspaceId: 'T1', key: 'both', ...sms([number, other], 'Hello both') };
      await performIn(stores[0].ledger, intent, async () => ({ state: 'accepted' }));
      await eraseBoth(stores, 'operation');
      const row = await stores[0].db.selectFrom('operation').select('summary').executeTakeFirstOrThrow();
      const summary = JSON.stringify(row.summary);
      assert.ok(
        !summary.includes(showNumber(number, 'record')) && !summary.includes(showNumber(other, 'record')),
        summary,
      );
    });

    it('leaves neither in a notice', severalInstances, async (t) => {
      const stores = await twoStores(t);
      const [store] = stores;
      await store.approvals.request(newApproval());
      await store.db
        .updateTable('outbox')
        .set({ title: `${number} ${other}.csv` })
        .execute();
      await eraseBoth(stores, 'outbox');
      const { title } = await store.db.selectFrom('outbox').select('title').executeTakeFirstOrThrow();
      assert.doesNotMatch(title ?? '', /\d/);
    });
  });
});
