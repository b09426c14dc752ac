import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CodeAttempt } from '../../../src/store/operations/code-trail.ts';
import type { Ending } from '../../../src/store/operations/operation.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { performIn } from '../../support/store/perform-in.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';
import { stoppedClock } from '../../support/time/test-clock.ts';

const minute = 60_000;

/** A code that expires after ten minutes, whose send is shown in a message. */
async function begin(context: { after(end: () => void): void }, state: Ending['state'] = 'accepted') {
  const { clock, pass } = stoppedClock();
  const store = await temporaryStore(context, { time: clock });
  const { ledger, audit, outbox, db } = store;
  const intent = {
    ...{ workspaceId: 'T1', key: 'click', kind: 'otp.voice', userId: 'U1' },
    ...{ summary: { to: '+234803•••4567' }, expiresAt: new Date(clock.now().getTime() + 10 * minute) },
  };
  const { operation } = await performIn(ledger, intent, async () => ({ state }));
  await ledger.posted(operation, { channel: 'C1', ts: '1.2' });
  await db.deleteFrom('outbox').execute();
  return {
    store,
    pass,
    attempt: (attempted: CodeAttempt) =>
      ledger.attemptCode({ workspaceId: 'T1', userId: 'U1' }, async () => ({
        result: undefined,
        attempted,
        keys: ['click'],
      })),
    find: async () => (await ledger.find('T1', { key: 'click' })) ?? assert.fail('no operation'),
    audited: async () => {
      const { entries } = await audit.page({ workspaceId: 'T1', actions: ['otp.verify'], limit: 9 });
      return entries.map(({ userId, outcome, subject, details }) => {
        const { wrongGuesses } = JSON.parse(details ?? '{}');
        return [userId, outcome, subject, wrongGuesses];
      });
    },
    update: async () => (await outbox.next(new Set()))?.subject,
  };
}

forEachDatabase(() => {
  test('A code that is verified after wrong guesses says by whom, in its send, the audit and the message', async (context) => {
    const { attempt, find, audited, update, store, pass } = await begin(context);
    await Promise.all([attempt('wrong'), attempt('wrong')]);
    assert.equal((await find()).codeOutcome, undefined);
    assert.equal(await update(), undefined);
    await attempt('verified');
    const { wrongGuesses, codeOutcome } = await find();
    assert.partialDeepStrictEqual(
      { wrongGuesses, codeOutcome },
      { wrongGuesses: 2, codeOutcome: { kind: 'verified', by: 'U1' } },
    );
    assert.deepEqual(await audited(), [['U1', 'done', '+234803•••4567', 2]]);
    assert.equal(await update(), 'delivery');
    pass(11 * minute);
    assert.equal(await store.ledger.expireCodes(), 0);
    assert.equal((await find()).codeOutcome?.kind, 'verified');
  });

  test('A code without attempts left is recorded with the last of them', async (context) => {
    const { attempt, find, audited } = await begin(context);
    await attempt('wrong');
    await attempt('used_up');
    assert.deepEqual([(await find()).codeOutcome?.kind, (await find()).wrongGuesses], ['used_up', 2]);
    assert.deepEqual(await audited(), [['U1', 'rejected', '+234803•••4567', 2]]);
  });

  test('A code that nobody verified expires, once, and one that was not sent never does', async (context) => {
    const { store, pass, find, audited, update } = await begin(context);
    pass(10 * minute - 1);
    assert.equal(await store.ledger.expireCodes(), 0);
    pass(1);
    assert.equal(await store.ledger.expireCodes(), 1);
    assert.equal(await store.ledger.expireCodes(), 0);
    assert.equal((await find()).codeOutcome?.kind, 'expired');
    assert.deepEqual(await audited(), []);
    assert.equal(await update(), 'delivery');

    const unsent = await begin(context, 'rejected');
    unsent.pass(11 * minute);
    assert.equal(await unsent.store.ledger.expireCodes(), 0);
    assert.equal((await unsent.find()).expiresAt, undefined);
  });

  test('A message that is posted after its code was verified is shown again', async (context) => {
    const { attempt, find, store, update } = await begin(context);
    await attempt('verified');
    await store.db.deleteFrom('outbox').execute();
    await store.ledger.posted(await find(), { channel: 'C1', ts: '3.4' });
    assert.equal(await update(), 'delivery');
  });
});
