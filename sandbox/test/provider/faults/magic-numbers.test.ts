import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LoggedRequest } from '../../../lib/logged-request.ts';
import { magicNumbers } from '../../../provider/faults/magic-numbers.ts';
import { get, outcome, provide, send } from '../client.ts';

const insufficient = 'Insufficient balance. Kindly top up your account';
const noRoute = 'No Route on your account. Kindly contact your account manager';
const unknownSender = 'ApplicationSenderId not found for applicationId: 41207 and senderName: PalmMarket';

/**
 * A Nigerian number or its ending, the outcome of a message to it, the number of recorded messages, and the
 * outcome of a check.
 */
const expected: [string, string, number, string][] = [
  ['9002', 'no answer', 0, 'no answer'],
  ['9003', 'no answer', 1, 'no answer'],
  [
    '9400',
    '400, 400: Country Inactive. Contact Administrator to activate country.',
    0,
    '400, 400: Country Inactive. Contact Administrator to activate country.',
  ],
  ['9401', '401, 401: The API key is missing or wrong', 0, '401, 401: The API key is missing or wrong'],
  ['9404', `404, 404: ${unknownSender}`, 0, '404, 404: No entry for 2348030009404'],
  ['9422', '422, 422: Invalid phone number', 0, '422, 422: Invalid phone number'],
  ['9429', '429, 429: Too many requests', 0, '429, 429: Too many requests'],
  ['9500', '500, 500: Internal server error', 0, '500, 500: Internal server error'],
  ['9502', '502, text/html, not JSON', 0, '502, text/html, not JSON'],
  ['9601', '200, application/json, not JSON', 1, '200, application/json, not JSON'],
  ['9602', '200, empty', 1, '200, empty'],
  ['9603', '200, ok: Successfully Sent', 1, '200, no code: DND is not active on this number'],
  ['9604', `200, 400: ${insufficient}`, 0, `200, 400: ${insufficient}`],
  ['9605', '200, body cut', 1, '200, body cut'],
  ['9606', `400, 400: ${noRoute}`, 0, `400, 400: ${noRoute}`],
  [
    '233241009400',
    '400, 400: Country Inactive. Contact Administrator to activate country.',
    0,
    '400, 400: Country Inactive. Contact Administrator to activate country.',
  ],
];

const numberOf = (end: string) => (end.length === 4 ? `234803000${end}` : end);

for (const [end, ofMessage, recorded, ofCheck] of expected) {
  test(`${end} makes a message end as "${ofMessage}", wherever the number is`, async (t) => {
    const provider = await provide(t, { slowness: 20 });
    const number = numberOf(end);
    assert.equal(await outcome(send(provider, { to: number })), ofMessage);
    assert.equal(await outcome(send(provider, { to: ['2348020000011', number] })), ofMessage);
    assert.equal(provider.record.length, recorded * 2);
    assert.equal(await outcome(get(provider, '/api/check/dnd', { phone_number: number })), ofCheck);
    assert.equal(provider.arrivals.length, 3);
  });
}

test('never answers 9001 and records nothing', async (t) => {
  const provider = await provide(t);
  const signal = AbortSignal.timeout(1_000);
  const url = `${provider.url}/api/check/dnd?api_key=${provider.account.key}&phone_number=2348030009001`;
  await assert.rejects(fetch(url, { signal }), { name: 'TimeoutError' });
  assert.equal(provider.arrivals.length, 1);
  const waiting = assert.rejects(send(provider, { to: '2348030009001' }));
  await provider.stop();
  await waiting;
  assert.deepEqual(provider.record, []);
});

test('stops waiting with a slow answer when the client leaves', { timeout: 60_000 }, async (t) => {
  const ended = Promise.withResolvers<LoggedRequest>();
  const provider = await provide(t, { slowness: 3_600_000, onExchange: ended.resolve });
  const url = `${provider.url}/api/check/dnd?api_key=${provider.account.key}&phone_number=2348030009603`;
  await assert.rejects(fetch(url, { signal: AbortSignal.timeout(1_000) }), { name: 'TimeoutError' });
  assert.equal((await ended.promise).status, '200, but the client had left');
});

test('sends Retry-After with too many requests', async (t) => {
  const provider = await provide(t);
  assert.equal((await send(provider, { to: '2348030009429' })).headers.get('retry-after'), '1');
});

test('refuses a wrong request before applying its magic number', async (t) => {
  const provider = await provide(t);
  assert.equal((await send(provider, { to: '2348030009003', from: 'x' })).status, 400);
  assert.equal((await send(provider, { to: '2348030009003', from: 'Nobody' })).status, 404);
  assert.equal((await send(provider, { to: '2348030009500', api_key: 'x' })).status, 401);
});

test('describes every magic number', () => {
  const ends = magicNumbers.map(({ number }) => number);
  assert.deepEqual(
    ends,
    ['9001', ...expected.map(([end]) => end)].map((end) => `+${numberOf(end)}`),
  );
  for (const { what } of magicNumbers) {
    assert.match(what, /accepted\.$/);
  }
});
