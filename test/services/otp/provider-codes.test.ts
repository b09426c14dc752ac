import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { phoneNumberSchema } from '../../../src/domain/phone/phone-number.ts';
import { createProviderCodes } from '../../../src/services/otp/codes.ts';
import { answer, type Behaviour } from '../../support/http/raw-server.ts';
import { serve, testClient } from '../../support/provider/provider-client.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';
import { testContext } from '../../support/test-context.ts';
import { stoppedClock } from '../../support/time/test-clock.ts';

const minute = 60_000;
const code = '4829';
const to = phoneNumberSchema.parse('+2348031234567');
const sent = {
  way: 'sms_token',
  to,
  senderId: 'Acme',
  text: '<code>',
  length: 4,
  minutes: 5,
  attempts: 3,
} as const;

/** A provider that knows one code. */
const knowing: Behaviour = (socket, received) =>
  answer(200, { verified: JSON.parse(received.body).pin === code ? 'True' : 'False' })(socket, received);

async function begin(
  test: TestContext,
  behaviour = knowing,
  characters: 'NUMERIC' | 'ALPHANUMERIC' = 'NUMERIC',
) {
  const { clock, pass } = stoppedClock();
  const store = await temporaryStore(test, { time: clock });
  const codes = createProviderCodes(testContext(store));
  const server = await serve(test, behaviour);
  const dialect = { chatChannel: 'chatapp', tokenVerifyPath: '/verify' };
  const { account } = testClient(test, server.url, { dialect });
  await codes.add('T1', 'one', {
    userId: 'U1',
    code: { ...sent, characters },
    pinId: 'pin-0001',
    expiresAt: new Date(clock.now().getTime() + 5 * minute),
  });
  const typing = (typed: string, userId = 'U1') =>
    codes.verify(account, { workspaceId: 'T1', id: 'one', userId }, typed);
  return {
    typing,
    kind: async (typed: string) => (await typing(typed)).kind,
    pass,
    server,
    codes,
    db: store.db,
  };
}

describe('a code that the provider made', () => {
  it('matches once, and is asked of the provider each time it may match', async (test) => {
    const { typing, server } = await begin(test);
    assert.deepEqual(await typing('1111'), { kind: 'wrong', left: 2 });
    assert.deepEqual(await typing(' 48-29 '), { kind: 'match' });
    assert.deepEqual(await typing(code), { kind: 'used' });
    assert.equal(server.requests.length, 2);
  });

  it('matches once of several attempts at the same moment, each of which counts', async (test) => {
    const { kind, server } = await begin(test);
    const kinds = await Promise.all([kind(code), kind(code), kind(code), kind(code)]);
    assert.equal(kinds.filter((each) => each === 'match').length, 1);
    assert.ok(
      kinds.every((each) => ['match', 'used', 'used_up'].includes(each)),
      kinds.join(),
    );
    assert.ok(server.requests.length <= 3);
  });

  it('has as many attempts as it was sent with, and none after it has expired', async (test) => {
    const { typing, kind, pass, server } = await begin(test);
    assert.deepEqual(await typing('1'), { kind: 'malformed', length: 4, hasLetters: false });
    await kind('1111');
    await kind('1112');
    assert.equal(await kind('1113'), 'used_up');
    assert.equal(await kind(code), 'used_up');
    const other = await begin(test);
    other.pass(5 * minute);
    assert.equal(await other.kind(code), 'expired');
    assert.deepEqual([server.requests.length, other.server.requests.length], [3, 0]);
    pass(2 * 24 * 60 * minute);
    assert.equal(await kind(code), 'gone');
  });

  it('stays expired once the provider has said so', async (test) => {
    const { kind, server } = await begin(test, answer(200, { verified: 'Expired' }));
    assert.equal(await kind(code), 'expired');
    assert.equal(await kind(code), 'expired');
    assert.equal(server.requests.length, 1);
  });

  it('counts an attempt whose answer did not come, and none that never left', async (test) => {
    const { typing } = await begin(test, (socket) => socket.destroy());
    const unconfirmed = await typing(code);
    assert.ok(unconfirmed.kind === 'unconfirmed' && unconfirmed.left === 2);
    const { codes } = await begin(test);
    const off = testClient(test, new URL('http://127.0.0.1:1')).account;
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const none = await codes.verify(off, { workspaceId: 'T1', id: 'one', userId: 'U1' }, code);
      assert.ok(none.kind === 'unanswered' && none.left === 3 && none.error.reason === 'not_configured');
    }
  });

  it('may have letters, which are typed as they are', async (test) => {
    const { typing, server } = await begin(test, knowing, 'ALPHANUMERIC');
    assert.deepEqual(await typing('a-b c d'), { kind: 'wrong', left: 2 });
    assert.deepEqual(await typing('ab'), { kind: 'malformed', length: 4, hasLetters: true });
    assert.equal(JSON.parse(server.requests[0]?.body ?? '{}').pin, 'abcd');
  });

  it('is its sender’s alone, with the id of the provider and the number encrypted', async (test) => {
    const { typing, codes, db } = await begin(test);
    assert.deepEqual(await typing(code, 'U2'), { kind: 'gone' });
    assert.equal(await codes.formOf('T1', 'one', 'U2'), undefined);
    assert.equal((await codes.formOf('T1', 'one', 'U1'))?.number, to);
    const rows = JSON.stringify(await db.selectFrom('keyv').selectAll().execute());
    assert.doesNotMatch(rows, /pin-0001|8031234567/);
  });
});
