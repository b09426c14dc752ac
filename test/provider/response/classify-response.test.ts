import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { inspect } from 'node:util';
import { answer, type Behaviour, hangUp, partOfAnswer } from '../../support/http/raw-server.ts';
import {
  type Expected,
  ends,
  list,
  read,
  send,
  serve,
  taken,
  testClient,
  testKey,
} from '../../support/provider/provider-client.ts';

const html = { 'content-type': 'text/html' };
const page = (title: string, ...words: string[]) =>
  `<html><title>${title}</title><body>${words.map((each) => `<p>${each}</p>`).join('')}</body></html>`;

/** A response, the expected outcome, and the expected message of the provider. */
type Case = readonly [string, Behaviour, Expected, words?: string];

async function table(t: TestContext, call: typeof send | typeof read, cases: readonly Case[]) {
  for (const [name, behaviour, expected, words] of cases) {
    await t.test(name, async (t) => {
      const { url } = await serve(t, behaviour);
      const error = await ends(call(testClient(t, url).account), expected);
      assert.equal(error.providerMessage, words);
    });
  }
}

const noRoute = 'No Route on your account. Kindly contact your account manager';
const unknown = 'ApplicationSenderId not found for applicationId: 7 and senderName: Acme';

test('rejects a send only where the provider clearly refuses', async (t) => {
  const rejected = (reason: Expected['reason'], status: number): Expected => ({
    kind: 'rejected',
    reason,
    status,
  });
  await table(t, send, [
    [
      '400 with a message',
      answer(400, { code: 400, message: 'Bad to', status: 'error' }),
      rejected('invalid_request', 400),
      'Bad to',
    ],
    ['400 for a route', answer(400, { code: 400, message: noRoute }), rejected('no_route', 400), noRoute],
    [
      '400 for a country',
      answer(400, { code: 400, message: 'Country Inactive. Contact us.', status: 'error', link: 'uri=/sms' }),
      rejected('country_inactive', 400),
      'Country Inactive. Contact us.',
    ],
    [
      '404 for a sender ID',
      answer(404, { code: 404, message: unknown }),
      rejected('sender_id_unknown', 404),
      unknown,
    ],
    [
      'an error wrapped in text',
      answer(404, `404 : "${JSON.stringify({ code: 404, message: unknown })}"`),
      rejected('sender_id_unknown', 404),
      unknown,
    ],
    [
      'an error wrapped in escaped text',
      answer(404, `404 : ${JSON.stringify(JSON.stringify({ code: 404, message: unknown }))}`),
      rejected('sender_id_unknown', 404),
      unknown,
    ],
    [
      'an error wrapped in a message',
      answer(400, { message: `404 : "${JSON.stringify({ message: unknown })}"` }),
      rejected('sender_id_unknown', 400),
      unknown,
    ],
    [
      '400 with a list of issues',
      answer(400, { message: [{ issue: 'sms is too long', path: 'sms' }, { issue: 'from is wrong' }] }),
      rejected('invalid_request', 400),
      'sms is too long; from is wrong',
    ],
    [
      '400 with a list of comments',
      answer(400, { status: 'error', comment: ['Your device has reached the daily limit'] }),
      rejected('device_limit', 400),
      'Your device has reached the daily limit',
    ],
    [
      'a list of issues wrapped in a message',
      answer(400, { message: JSON.stringify([{ issue: 'Device not found' }]) }),
      rejected('device_unknown', 400),
      'Device not found',
    ],
    [
      'words of a refusal beside a general message',
      answer(400, { message: 'Bad Request', comment: ['Insufficient balance'], status: 'error' }),
      rejected('balance_too_low', 400),
      'Insufficient balance',
    ],
    [
      'words of a refusal beside a general error',
      answer(400, { error: 'Bad Request', comment: ['You are not set up on this route'] }),
      rejected('no_route', 400),
      'You are not set up on this route',
    ],
    [
      'several refusals: the one that concerns more',
      answer(400, { message: 'Invalid phone number', errors: [{ issue: 'Invalid Sender Id' }] }),
      rejected('sender_id_unknown', 400),
      'Invalid Sender Id',
    ],
    [
      'several messages, none of them known',
      answer(400, { detail: 'to is wrong', message: 'Validation failed' }),
      rejected('invalid_request', 400),
      'Validation failed',
    ],
    [
      'a list of issues as the whole body',
      answer(400, [{ issue: 'Invalid Sender Id', path: 'from' }]),
      rejected('sender_id_unknown', 400),
      'Invalid Sender Id',
    ],
    [
      'an error in a message',
      answer(400, { message: { error: 'Insufficient balance' } }),
      rejected('balance_too_low', 400),
      'Insufficient balance',
    ],
    [
      'a message in data',
      answer(400, { data: { message: 'Insufficient balance' } }),
      rejected('balance_too_low', 400),
      'Insufficient balance',
    ],
    [
      'a list too long to be shown, whose last issue decides',
      answer(400, { message: [{ issue: `${'x'.repeat(290)} is too long` }, { issue: 'Invalid Sender Id' }] }),
      rejected('sender_id_unknown', 400),
      'Invalid Sender Id',
    ],
    [
      'errors by the fields of the request',
      answer(422, {
        message: 'Validation failed',
        errors: { to: ['to is wrong'], from: ['Invalid Sender Id'] },
      }),
      rejected('sender_id_unknown', 422),
      'to is wrong; Invalid Sender Id',
    ],
    [
      'a message by the fields of the request',
      answer(422, { message: { code: 'E7', to: ['to is wrong'], from: ['Invalid Sender Id'] } }),
      rejected('sender_id_unknown', 422),
      'to is wrong; Invalid Sender Id',
    ],
    [
      'nothing but errors by the fields of the request, wrapped',
      answer(400, `400 : ${JSON.stringify(JSON.stringify({ errors: { to: ['to is wrong'] } }))}`),
      rejected('invalid_request', 400),
      'to is wrong',
    ],
    [
      'an error wrapped in text that is called a page',
      answer(400, `404 : "${JSON.stringify({ message: unknown })}"`, html),
      rejected('sender_id_unknown', 400),
      unknown,
    ],
    ['401', answer(401, { error: 'Unauthorized' }), rejected('bad_key', 401), 'Unauthorized'],
    [
      'a key refused with 400',
      answer(400, { message: 'Invalid API key' }),
      rejected('bad_key', 400),
      'Invalid API key',
    ],
    ['402', answer(402, ''), rejected('balance_too_low', 402)],
    [
      '401 with a web page',
      answer(401, page('Unauthorized', 'Insufficient balance'), html),
      rejected('bad_key', 401),
    ],
    ['429 with a web page', answer(429, page('Too many requests'), html), rejected('rate_limited', 429)],
    [
      '404 in plain text',
      answer(404, 'no such thing', { 'content-type': 'text/plain' }),
      rejected('not_found', 404),
      'no such thing',
    ],
    [
      '422 with a list of errors',
      answer(422, { errors: [{ message: 'to is wrong' }] }),
      rejected('invalid_request', 422),
      'to is wrong',
    ],
    ['422 with broken JSON', answer(422, '{"message": "to is'), rejected('invalid_request', 422)],
    [
      '429',
      answer(429, { message: 'Too many requests' }),
      rejected('rate_limited', 429),
      'Too many requests',
    ],
    ['an empty 400', answer(400, ''), rejected('invalid_request', 400)],
    [
      'a 200 with an error code in words',
      answer(200, { code: 'ERR', message: 'nope' }),
      rejected('refused', 200),
      'nope',
    ],
    [
      'a 200 with an error status',
      answer(200, { status: 'error', message: 'nope' }),
      rejected('refused', 200),
      'nope',
    ],
    [
      'a 200 with an error object',
      answer(200, { error: { message: 'nope' } }),
      rejected('refused', 200),
      'nope',
    ],
  ]);
});

test('a send is unconfirmed wherever the response leaves a doubt', async (t) => {
  const doubt = (reason: Expected['reason'], status: number): Expected => ({
    kind: 'unconfirmed',
    reason,
    status,
  });
  await table(t, send, [
    ['500', answer(500, { message: 'Internal error' }), doubt('server_error', 500), 'Internal error'],
    [
      '502 with a web page',
      answer(502, '<html><title>Bad Gateway</title></html>', html),
      doubt('server_error', 502),
    ],
    ['503', answer(503, ''), doubt('server_error', 503)],
    ['408', answer(408, ''), doubt('server_error', 408)],
    [
      'a 200 with a 500 inside',
      answer(200, { code: 500, message: 'oops' }),
      doubt('server_error', 200),
      'oops',
    ],
    ['an empty 200', answer(200, ''), doubt('empty_answer', 200)],
    ['a 200 of blanks', answer(200, ' \r\n'), doubt('empty_answer', 200)],
    ['204', answer(204, ''), doubt('empty_answer', 204)],
    [
      'a web page',
      answer(200, '<!doctype html><title>Welcome</title>', html),
      doubt('unreadable_answer', 200),
    ],
    ...[400, 402, 403, 404, 451].map(
      (status): Case => [
        `${status} with a web page, whatever its words`,
        answer(status, page('Forbidden', 'Your country is not allowed', 'Invalid Sender Id'), html),
        doubt('unreadable_answer', status),
      ],
    ),
    ['JSON that stops', answer(200, '{"code":"ok","message_id":"1'), doubt('unreadable_answer', 200)],
    [
      'JSON nested absurdly',
      answer(200, '['.repeat(10_000) + ']'.repeat(10_000)),
      doubt('unreadable_answer', 200),
    ],
    ['an array', answer(200, '[]'), doubt('unreadable_answer', 200)],
    ['null', answer(200, 'null'), doubt('unreadable_answer', 200)],
    ['an empty object', answer(200, '{}'), doubt('unreadable_answer', 200)],
    [
      'ok without an id',
      answer(200, { code: 'ok', message: 'Sent' }),
      doubt('unreadable_answer', 200),
      'Sent',
    ],
    ['ok with an empty id', answer(200, { code: 'ok', message_id: ' ' }), doubt('unreadable_answer', 200)],
    [
      'an id without ok',
      answer(200, { message_id: '1', message: 'Sent' }),
      doubt('unreadable_answer', 200),
      'Sent',
    ],
    [
      'an error beside an id',
      answer(200, { code: 400, message_id: '1', message: 'no' }),
      doubt('invalid_request', 200),
      'no',
    ],
    [
      'an error beside all that makes a success',
      answer(200, { ...taken, status: 'error', message: 'no' }),
      doubt('refused', 200),
      'no',
    ],
    [
      'ok without an id, and words of a refusal',
      answer(200, { code: 'ok', message: 'Successfully Sent. Low balance: 3 NGN left' }),
      doubt('balance_too_low', 200),
      'Successfully Sent. Low balance: 3 NGN left',
    ],
    ['400 with all that makes a success', answer(400, taken), doubt('invalid_request', 400)],
    ['401 with an id', answer(401, { data: [{ message_id: 7 }] }), doubt('bad_key', 401)],
    [
      '402 with an id',
      answer(402, { message: 'Insufficient balance', ...taken }),
      doubt('balance_too_low', 402),
      'Insufficient balance',
    ],
    ['429 with an id', answer(429, taken, { 'retry-after': '1' }), doubt('rate_limited', 429)],
    [
      '400 with an id, cut off',
      partOfAnswer(400, '{"code":400,"message_id":"3017', hangUp),
      doubt('invalid_request', 400),
    ],
    [
      'a page that refuses, with an id in it',
      answer(403, `<br><b>Warning</b>: x in <b>y.php</b>\n${JSON.stringify(taken)}`, html),
      doubt('unreadable_answer', 403),
    ],
    [
      'an error wrapped in text, with an id',
      answer(404, `404 : ${JSON.stringify(JSON.stringify({ message: unknown, ...taken }))}`),
      doubt('sender_id_unknown', 404),
      unknown,
    ],
    [
      'a 200 with an error code and words of a refusal',
      answer(200, { code: 400, message: noRoute }),
      doubt('no_route', 200),
      noRoute,
    ],
    [
      'a 200 with nothing but words of a refusal',
      answer(200, { message: 'Insufficient balance' }),
      doubt('balance_too_low', 200),
      'Insufficient balance',
    ],
    [
      'a 200 with an error status, and words of a refusal beside a general message',
      answer(200, { message: 'Failed', comment: ['Insufficient balance'], status: 'error' }),
      doubt('balance_too_low', 200),
      'Insufficient balance',
    ],
    [
      'a 200 with an error status, and words of a refusal in data',
      answer(200, { status: 'error', data: { message: 'Insufficient balance' } }),
      doubt('balance_too_low', 200),
      'Insufficient balance',
    ],
    [
      'a 200 that is a list with words of a refusal',
      answer(200, [{ issue: 'Invalid Sender Id' }]),
      doubt('sender_id_unknown', 200),
      'Invalid Sender Id',
    ],
    [
      'a 200 with words of a refusal in a list',
      answer(200, { message: [{ issue: 'Invalid Sender Id', path: 'from' }] }),
      doubt('sender_id_unknown', 200),
      'Invalid Sender Id',
    ],
    [
      'a 200 with a wrapped error',
      answer(200, `404 : "${JSON.stringify({ code: 404, message: unknown })}"`),
      doubt('sender_id_unknown', 200),
      unknown,
    ],
    [
      'a 500 with words of a refusal',
      answer(500, { message: 'Your account is not active' }),
      doubt('account_inactive', 500),
      'Your account is not active',
    ],
    ['words nobody knows', answer(200, { message: 'Queued' }), doubt('unreadable_answer', 200), 'Queued'],
  ]);
});

test('a message of refusal beside a complete success is a remark', async (t) => {
  const { url } = await serve(
    t,
    answer(200, { ...taken, message: 'Successfully Sent. Low balance: 3 NGN left' }),
  );
  const outcome = await send(testClient(t, url).account);
  assert.ok(outcome.kind === 'accepted');
  assert.equal(outcome.value.messageId, taken.message_id);
});

test('names a web page by its title', async (t) => {
  const { url } = await serve(t, answer(502, '<html><title>\n 502 Bad\n Gateway </title></html>', html));
  const error = await ends(send(testClient(t, url).account), {
    kind: 'unconfirmed',
    reason: 'server_error',
    status: 502,
  });
  assert.match(error.message, /a web page titled “502 Bad Gateway”/);
});

test('the provider’s message is one line of limited length', async (t) => {
  const { url } = await serve(t, answer(400, { message: `first\u202e\nsecond\u0007 ${'🙂'.repeat(2000)}` }));
  const error = await ends(send(testClient(t, url).account), {
    kind: 'rejected',
    reason: 'invalid_request',
    status: 400,
  });
  assert.match(error.providerMessage ?? '', /^first second 🙂+…$/u);
  assert.ok((error.providerMessage ?? '').length <= 300);
  assert.ok(error.providerMessage?.isWellFormed());
});

test('no outcome contains the key, even where the provider quotes it', async (t) => {
  const quoting =
    (status: number): Behaviour =>
    (socket, received) =>
      answer(status, { code: status, message: `bad key ${testKey}`, link: received.path, api_key: testKey })(
        socket,
        received,
      );
  for (const status of [200, 400, 404, 500]) {
    const { url } = await serve(t, quoting(status));
    const { account } = testClient(t, url);
    for (const outcome of await Promise.all([send(account), read(account)])) {
      assert.ok(!inspect(outcome, { depth: 9 }).includes(testKey));
    }
  }
  const { url } = await serve(t, (socket, received) =>
    answer(200, { ...taken, ...list, echo: testKey })(socket, received),
  );
  const { account } = testClient(t, url);
  for (const outcome of await Promise.all([send(account), read(account)])) {
    assert.equal(outcome.kind, 'accepted');
    assert.ok(!inspect(outcome, { depth: 9 }).includes(testKey));
  }
});

test('names a missing field by its path', async (t) => {
  const { url } = await serve(t, answer(200, { data: { records: [] } }));
  const { account } = testClient(t, url);
  const error = await ends(account.phonebooks.contacts({ phonebookId: 'one' }), {
    kind: 'unconfirmed',
    reason: 'unreadable_answer',
    status: 200,
  });
  assert.match(error.message, /data\.content/);
});
