import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Secret } from '../../../src/lib/secret.ts';
import { createAccount } from '../../../src/provider/client.ts';
import { systemTiming } from '../../../src/provider/http/timing.ts';
import type { Transport } from '../../../src/provider/http/transport.ts';
import type { OperationName } from '../../../src/provider/operations.ts';
import { createRequestSender } from '../../../src/provider/request/request-sender.ts';
import { hasReceipt, receiptIdIn } from '../../../src/provider/response/receipt.ts';
import { testKey } from '../../support/provider/provider-client.ts';
import { rounds } from '../../support/sizes.ts';
import { callWithValues, fullDialect, validValues } from '../conformance/valid-call.ts';
import type { Values } from '../conformance/valid-requests.ts';
import { operations } from '../description/description.ts';
import type { Operation } from '../description/types.ts';
import { receiptOf } from '../matrix/receipts.ts';

/** Responses with a receipt of a message, by its location. */
const receipts: Record<string, string> = {
  'an id': '{"code":400,"message_id":"30175"}',
  'an id as a number': '{"message_id":2093318807741256690319980}',
  'another name of an id': '{"messageId":"a1b2c3d4-e5f6"}',
  'a list of ids': '{"message_ids":[ "30175", "30176" ]}',
  'a list of records': '{"errors":["no"],"data":[{"to":"1"},{"to":"2","message_id_str":"30175"}]}',
  'JSON within a text': String.raw`404 : "{\"code\":404,\"data\":{\"message_id\":\"30175\"}}"`,
  'JSON within JSON within a text': String.raw`"{\"a\":\"{\\\"message_id\\\":\\\"30175\\\"}\"}"`,
  'JSON with its quotes encoded': String.raw`{"error":"{\u0022message_id\u0022:\u002230175\u0022}"}`,
  'JSON in a page': '<title>403</title><pre>{&quot;message_id&quot;:&quot;30175&quot;}</pre>',
  'what breaks off later': '{"message_id":"30175","message":"Insuffic',
  'what breaks off in the id': '{"code":400,"message_id":"',
  'single quotes': "{'code': 400, 'message_id': '30175',}",
  'no quotes': '{code: 400, message_id: 30175}',
  'what follows a warning': '<br />\n<b>Warning</b>: x in <b>y.php</b><br />\n{"message_id":"30175"}',
  'a dump of PHP': "array ('code' => 400, 'message_id' => '30175')",
  'a form': 'code=400&message_id=30175',
  XML: '<error><code>400</code><message_id>30175</message_id></error>',
  'the marker of success': '{"code":"ok","message":"Low balance: 3 NGN left"}',
  'a status of success': '{"status": "Success", "message": "Insufficient balance"}',
  'a flag of success': '{"success": true, "error": "no"}',
  'its words': '{"code":400,"message":"Successfully Sent"}',
  'its words, as text': 'Message was submitted successfully. Low balance.',
  'its words, before others': '{"message":"Successfully Sent, but the balance is not enough for more"}',
  'what became of it': '{"code":400,"smsStatus":"Message Sent"}',
};

/** Refusals without a receipt, by what resembles one. */
const refusals: Record<string, string> = {
  'a refusal as it is seen': '{"code":400,"message":"No Route","status":"error","link":"uri=/sms/send"}',
  'an empty id': '{"message_id":"","message_id_str":" ","pinId":null,"messageIds":[]}',
  'no id': '{"message_id":"null","pin_id":"undefined","verificationId":false}',
  'a demand for an id': '{"message":"message_id: must not be given"}',
  'what else has a name': '{"request_id":"5f3a","trace_id":"77","id":"12","balance":3.5,"code":402}',
  'another code': '{"code":"ok_not","status":"unsuccessful","success":false,"smsStatus":"Message Failed"}',
  'a success that was none': '{"message":"Message was not sent successfully"}',
  'a success that may not be':
    '{"message":"Unable to process: it can’t be completed successfully. Low balance"}',
  'a success to come': '{"message":"Top up your account to send successfully"}',
  'the request':
    '{"to":"2348030000001","from":"Acme","sms":"Sent successfully","channel":"dnd","type":"plain"}',
  'a page': '<html><title>403</title><p class="code">OK</p><p class="status">Success</p></html>',
};

for (const [what, answer] of Object.entries(receipts)) {
  test(`finds a receipt in ${what}`, () => assert.ok(hasReceipt('messages.send', answer)));
}
for (const [what, answer] of Object.entries(refusals)) {
  test(`finds no receipt in ${what}`, () => assert.ok(!hasReceipt('messages.send', answer)));
}

test('the created data is a receipt, repeated input is none', () => {
  const cases: [OperationName, receipt: string, other: string][] = [
    ['tokens.send', '{"status":200}', '{"status":400,"pin_type":"NUMERIC","pin_length":6}'],
    ['tokens.generate', '{"otp":"482913"}', '{"otp":null,"pin_attempts":3}'],
    ['senderIds.request', '{"sender_id":"Acme","status":"pending"}', '{"sender_id":"Acme","status":"error"}'],
    ['phonebooks.addContact', '{"data":{"phone_number":"1","id":"d4"}}', '{"id":"e1","phone_number":"1"}'],
    ['phonebooks.upload', '{"message":"It is read in the background"}', '{"message":"Bad file"}'],
    ['phonebooks.deleteContact', '{"message":"Contact deleted successfully"}', '{"contact_id":"d4"}'],
    ['esims.create', '{"error":"no","data":{"iccid":"8923"}}', '{"productId":"p","iso3":"NGA"}'],
    ['esims.purchase', '{"sim":{"iccid":"8923"}}', '{"iccid":"8923","productId":"p","sim":{}}'],
  ];
  for (const [operation, receipt, other] of cases) {
    assert.ok(hasReceipt(operation, receipt), `${operation} ${receipt}`);
    assert.ok(!hasReceipt(operation, other), `${operation} ${other}`);
  }
});

test('a read never has a receipt', () => {
  for (const answer of Object.values(receipts)) {
    assert.ok(!hasReceipt('insight.query', answer));
  }
});

/** An account over a transport that returns one given response and counts the requests. */
function accountMeeting(answer: { status: number; body: string; headers: Record<string, string> }) {
  let asked = 0;
  const transport: Transport = {
    async send({ path }) {
      const isToken = path === '/api/esim/authenticate';
      if (!isToken) {
        asked += 1;
      }
      const { status, body, headers } = isToken ? { ...answer, status: 200, body: '{"token":"t"}' } : answer;
      return { phase: 'responding', head: { status, headers }, body: Buffer.from(body) };
    },
    close: async () => {},
  };
  const call = createRequestSender(transport, new Secret(testKey));
  const account = createAccount(call, {
    baseUrl: new URL('https://api.example.com'),
    dialect: fullDialect,
    totalTimeout: 60_000,
    timing: systemTiming,
    tokenCache: undefined,
  });
  return { account, asked: () => asked };
}

const changing = operations
  .filter(({ idempotent }) => !idempotent)
  .map((operation) => ({ operation, values: validValues(operation) }));

const reasons = new Map([
  [307, 'redirected'],
  [400, 'invalid_request'],
  [401, 'bad_key'],
  [402, 'balance_too_low'],
  [403, 'refused'],
  [404, 'not_found'],
  [409, 'refused'],
  [422, 'invalid_request'],
  [429, 'rate_limited'],
]);

/** A plain refusal: a status, and a body with a message and perhaps a repetition of the request. */
const refusal = fc
  .record({ status: fc.constantFrom(...reasons.keys(), 200), which: fc.constantFrom(...changing) })
  .chain(({ status, which: { operation, values } }) => {
    const code = status < 400 ? 400 : status;
    const parts = fc.record(
      {
        link: fc.constant(`uri=${operation.path}`),
        error: fc.constantFrom('Denied', { message: 'Denied', field: 'to' }),
        errors: fc.constant([{ message: 'Denied' }]),
        balance: fc.double({ noNaN: true, noDefaultInfinity: true }),
        timestamp: fc.constant('2026-03-04 09:30:00'),
        request: fc.constant(echoOf(values)),
        message_id: fc.constantFrom('', null),
        pinId: fc.constantFrom('', null),
        trace: fc.uuid(),
        message: fc.constantFrom('Denied', 'Not sent', 'This did not go'),
      },
      { requiredKeys: [] },
    );
    return parts.map((body) => ({
      operation,
      values,
      status,
      body: { code, status: 'error', ...body },
    }));
  });

function echoOf(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !(value instanceof Blob)));
}

const id = fc.oneof(fc.bigInt({ min: 1n }).map(String), fc.uuid(), fc.nat());
const receiptFor = (operation: Operation) =>
  fc.oneof(
    fc.record({ message_id: id }),
    fc.record({ message_id_str: id }),
    fc.record({ pinId: id }),
    fc.record({ pin_id: fc.array(id, { minLength: 1 }) }),
    fc.record({ verificationId: id }),
    fc.constantFrom({ code: 'ok' }, { status: 'success' }, { smsStatus: 'Message Sent' }),
    fc.constant(receiptOf(operation.name)),
  );

/** The location of a value in a response: under a name or in a list, from the inside out. */
const path = fc.array(fc.constantFrom('data', 'result', 'error', 'list', '[]'), { maxLength: 6 });

const put = (what: unknown, at: readonly string[]) =>
  at.reduce<unknown>(
    (inner, step) => (step === '[]' ? ['none', inner, {}] : { before: 1, [step]: inner }),
    what,
  );

/** The format of a response, with its beginning. */
const writings: ((first: string, rest: string) => { body: string; type: string })[] = [
  (first, rest) => ({ body: `{${first},${rest}}`, type: 'application/json' }),
  (first, rest) => ({ body: `{${rest},${first}}`, type: 'text/html' }),
  (first, rest) => ({ body: `{${first},${rest.slice(0, rest.length / 2)}`, type: 'application/json' }),
  (first) => ({ body: `{${first}`.replaceAll('"', "'"), type: 'text/plain' }),
  (first, rest) => ({ body: `404 : ${JSON.stringify(`{${first},${rest}}`)}`, type: 'application/json' }),
  (first, rest) => ({ body: JSON.stringify({ message: `{${first},${rest}}` }), type: 'application/json' }),
];
const [asJson] = writings;

const answerWith = fc.record({ path, name: fc.constantFrom('x', 'data', 'error'), writing: fc.nat() });

test('a refusal with a receipt anywhere is unconfirmed and never repeated', async () => {
  const arrival = refusal.chain((refused) =>
    fc.record({
      refused: fc.constant(refused),
      receipt: receiptFor(refused.operation),
      where: answerWith,
    }),
  );
  await fc.assert(
    fc.asyncProperty(arrival, async ({ refused, receipt, where }) => {
      const { operation, values, status } = refused;
      const first = `"${where.name}":${JSON.stringify(put(receipt, where.path))}`;
      const rest = JSON.stringify(refused.body).slice(1, -1);
      const write = writings[where.writing % writings.length] ?? assert.fail();
      const { body, type } = write(first, rest);
      const { account, asked } = accountMeeting({ status, body, headers: { 'content-type': type } });
      const outcome = await callWithValues(account, operation, values);
      assert.equal(asked(), 1);
      // An upload succeeds with any message.
      if (outcome.kind === 'accepted' && status === 200) {
        return;
      }
      assert.ok(outcome.kind === 'unconfirmed', body);
      assert.equal(outcome.error.sent, 'maybe');
      assert.equal(outcome.error.retryable, false);
      assert.doesNotMatch(outcome.error.message, /Nothing was|was not sent|[Tt]ry again/);
    }),
    { numRuns: rounds(300) },
  );
});

test('a refusal without a receipt is rejected', async () => {
  await fc.assert(
    fc.asyncProperty(refusal, async ({ operation, values, status, body }) => {
      const written = asJson?.('"link":""', JSON.stringify(body).slice(1, -1)) ?? assert.fail();
      const { account, asked } = accountMeeting({ status, body: written.body, headers: {} });
      const outcome = await callWithValues(account, operation, values);
      assert.equal(asked(), 1);
      assert.ok(outcome.kind === 'rejected', written.body);
      assert.equal(outcome.error.reason, reasons.get(status) ?? 'invalid_request');
      assert.equal(outcome.error.sent, 'no');
    }),
    { numRuns: rounds(250) },
  );
});

test('reads the id of a message out of an unclear response, where it is whole and there is one', () => {
  const ids = Object.entries(receipts).map(([what, body]) => [what, receiptIdIn(body)] as const);
  assert.partialDeepStrictEqual(Object.fromEntries(ids), {
    'an id': '30175',
    'an id as a number': '2093318807741256690319980',
    'another name of an id': 'a1b2c3d4-e5f6',
    'a list of ids': undefined,
    'a list of records': '30175',
    'JSON within a text': '30175',
    'JSON within JSON within a text': '30175',
    'JSON with its quotes encoded': '30175',
    'JSON in a page': '30175',
    'what breaks off later': '30175',
    'what breaks off in the id': undefined,
    'single quotes': '30175',
    'no quotes': '30175',
  });
  assert.equal(
    receiptIdIn('{"message_id":2.0933e24,"message_id_str":"2093318807741256690319980"'),
    '2093318807741256690319980',
  );
  assert.equal(receiptIdIn('{"message_id":"30175"},{"message_id":"30176"}'), undefined);
  for (const nothing of ['0', '"000"', '"-"', 'null', '"None"']) {
    assert.equal(receiptIdIn(`{"message_id":${nothing},"code":500}`), undefined, nothing);
  }
  assert.equal(receiptIdIn('{"message_id":"30175"},{"message_id":"30175"}'), '30175');
  assert.equal(receiptIdIn('{"message_id":"301'), undefined);
  assert.equal(receiptIdIn('{"message_id":null,"pin_id":"77"}'), undefined);
});
