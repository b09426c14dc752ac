import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { inspect } from 'node:util';
import { Secret } from '../../../src/lib/secret.ts';
import { answer, type Behaviour } from '../../support/http/raw-server.ts';
import { ends, serve, testClient, testKey } from '../../support/provider/provider-client.ts';

const dialect = { chatChannel: 'chatapp', tokenVerifyPath: '/api/sms/otp/verify' };
const pinId = '7f31ab90-22c4-4d08-9e6b-0b5d81c2aa';
const check = { pinId, code: new Secret('482913') };

async function verify(t: TestContext, behaviour: Behaviour) {
  const server = await serve(t, behaviour);
  const outcome = testClient(t, server.url, { dialect }).account.tokens.verify(check);
  return { server, outcome };
}

async function verdictOf(t: TestContext, status: number, body: unknown) {
  const { outcome } = await verify(t, answer(status, JSON.stringify(body)));
  const ended = await outcome;
  return ended.kind === 'accepted' ? ended.value.verdict : `${ended.kind} ${ended.error.reason}`;
}

test('sends the id and the code as text, with the key, at the path that the dialect names', async (t) => {
  const { server, outcome } = await verify(t, answer(200, { pinId, verified: 'True', msisdn: '234803' }));
  assert.deepEqual(await outcome, { kind: 'accepted', value: { verdict: 'match' } });
  const [request] = server.requests;
  assert.equal(`${request?.method} ${request?.path}`, 'POST /api/sms/otp/verify');
  assert.deepEqual(JSON.parse(request?.body ?? ''), { pin_id: pinId, pin: '482913', api_key: testKey });
});

test('is off without a path, and asks nothing', async (t) => {
  const server = await serve(t, answer(200, { verified: true }));
  const call = testClient(t, server.url).account.tokens.verify(check);
  await ends(call, { kind: 'not_sent', reason: 'not_configured' });
  assert.equal(server.requests.length, 0);
});

test('reads what the provider says of a code, in every form that it was seen in', async (t) => {
  for (const [verified, verdict] of [
    ['True', 'match'],
    [true, 'match'],
    ['true ', 'match'],
    [false, 'wrong'],
    ['False', 'wrong'],
    ['Expired', 'expired'],
  ] as const) {
    assert.equal(await verdictOf(t, 200, { pinId, verified }), verdict, String(verified));
  }
  assert.equal(await verdictOf(t, 400, { pinId, verified: 'False', attemptsRemaining: 2 }), 'wrong');
  assert.equal(await verdictOf(t, 404, { pinId, verified: 'Expired' }), 'expired');
});

test('what is no verdict is none: neither a match nor wrong', async (t) => {
  for (const body of [{}, { pinId }, { verified: 'Maybe' }, { verified: 1 }, { verified: null }, []]) {
    assert.equal(await verdictOf(t, 200, body), 'unconfirmed unreadable_answer', JSON.stringify(body));
  }
  assert.equal(await verdictOf(t, 400, { verified: true }), 'unconfirmed invalid_request');
  assert.equal(await verdictOf(t, 500, { verified: true }), 'unconfirmed server_error');
});

test('a refusal that repeats the request is a refusal', async (t) => {
  assert.equal(await verdictOf(t, 404, { message: 'No such pin', pin_id: pinId }), 'rejected not_found');
  assert.equal(await verdictOf(t, 401, { message: 'Invalid API key', pin_id: pinId }), 'rejected bad_key');
});

test('a request whose answer does not come is made once, and is unconfirmed', async (t) => {
  const { server, outcome } = await verify(t, (socket) => socket.destroy());
  await ends(outcome, { kind: 'unconfirmed', reason: 'cut_off' });
  assert.equal(server.requests.length, 1);
});

test('no error has the code in it', async (t) => {
  const { outcome } = await verify(t, answer(400, { message: 'Pin 482913 is malformed' }));
  const ended = await outcome;
  assert.ok(ended.kind === 'rejected');
  assert.match(ended.error.message, /Pin \[code\] is malformed/);
  assert.doesNotMatch(inspect(ended, { depth: 9 }), /482913/);
});
