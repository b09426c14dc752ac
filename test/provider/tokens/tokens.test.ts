import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { inspect } from 'node:util';
import { Secret } from '../../../src/lib/secret.ts';
import type { ProviderAccount, ProviderOptions } from '../../../src/provider/client.ts';
import type { EmailToken, InAppToken, TokenMessage, VoiceToken } from '../../../src/provider/tokens.ts';
import { answer } from '../../support/http/raw-server.ts';
import { ends, serve, taken, testClient, testKey } from '../../support/provider/provider-client.ts';

const pin = { pinType: 'NUMERIC', pinAttempts: 3, pinTimeToLive: 10, pinLength: 6 } as const;
const message: TokenMessage = {
  ...pin,
  to: '2348030000001',
  from: 'Acme',
  route: 'dnd',
  pinPlaceholder: '< 1234 >',
  text: 'Your code is < 1234 >.',
};
const inApp: InAppToken = { ...pin, phoneNumber: '2348030000001' };
const voice: VoiceToken = { phoneNumber: '2348030000001', code: new Secret('004821') };
const mail: EmailToken = {
  emailAddress: 'ada@example.com',
  code: new Secret('48217'),
  emailConfigurationId: '5c1e7a90',
};

/** The request of an accepted operation, and its value. */
async function made<Value>(
  t: TestContext,
  body: string | object,
  call: (account: ProviderAccount) => Promise<{ kind: string; value?: Value }>,
  options: Partial<ProviderOptions> = {},
) {
  const server = await serve(t, answer(200, body));
  const outcome = await call(testClient(t, server.url, options).account);
  assert.equal(outcome.kind, 'accepted', inspect(outcome, { depth: 5 }));
  const [request] = server.requests;
  assert.equal(request?.method, 'POST');
  assert.equal(request.headers['content-type'], 'application/json');
  return { path: request.path, body: JSON.parse(request.body), value: outcome.value };
}

test('accepts either id of a sent code, and a status as text or number', async (t) => {
  for (const body of [
    { pinId: 'p-2', status: 200 },
    { pin_id: 'p-2', status: '200' },
    { pinId: '', pin_id: 'p-2', status: 200 },
  ]) {
    const { value } = await made(t, body, (account) => account.tokens.send(message));
    assert.deepEqual(value, { pinId: 'p-2', raw: body });
  }
  for (const [body, reason] of [
    [{ status: '200' }, 'unreadable_answer'],
    [{ pinId: 'p-2' }, 'unreadable_answer'],
    [{ pinId: 'p-2', status: 201 }, 'unreadable_answer'],
    // A receipt beside an error leaves the outcome open.
    [{ pinId: 'p-2', status: 400, message: 'No' }, 'invalid_request'],
    [{ pin_id: 'p-2', status: 400, message: 'No' }, 'invalid_request'],
  ] as const) {
    const { url } = await serve(t, answer(200, body));
    await ends(testClient(t, url).account.tokens.send(message), {
      kind: 'unconfirmed',
      reason,
      status: 200,
    });
  }
});

test('a code without a status is accepted where the dialect says so and the words beside its id do', async (t) => {
  const dialect = { chatChannel: 'chatapp', successMarker: 'optional' as const };
  for (const [body, kind] of [
    [{ pinId: 'p-2', to: '2348030000001', smsStatus: 'Message Sent' }, 'accepted'],
    [{ pinId: 'p-2', status: '200' }, 'accepted'],
    [{ pinId: 'p-2' }, 'unconfirmed'],
    [{ pinId: 'p-2', smsStatus: 'Insufficient balance' }, 'unconfirmed'],
    [{ pinId: 'p-2', smsStatus: 'Message Sent', status: 400 }, 'unconfirmed'],
    [{ smsStatus: 'Message Sent' }, 'unconfirmed'],
  ] as const) {
    const { url } = await serve(t, answer(200, body));
    const outcome = await testClient(t, url, { dialect }).account.tokens.send(message);
    assert.equal(outcome.kind, kind, JSON.stringify(body));
  }
});

test('sends the documented request for an in-app code and returns a Secret', async (t) => {
  const raw = {
    phone_number_other: 'Acme',
    phone_number: '2348030000001',
    otp: '052272',
    pin_id: 'p-3',
    left: 2,
  };
  const { path, body, value } = await made(t, raw, (account) => account.tokens.generate(inApp));
  assert.equal(path, '/api/sms/otp/generate');
  assert.deepEqual(body, {
    api_key: testKey,
    pin_type: 'NUMERIC',
    phone_number: '2348030000001',
    pin_attempts: 3,
    pin_time_to_live: 10,
    pin_length: 6,
  });
  assert.equal(value?.otp.reveal(), '052272');
  const { otp, raw: kept, ...rest } = value;
  assert.deepEqual(rest, { pinId: 'p-3', phoneNumber: '2348030000001', phoneNumberOther: 'Acme' });
  assert.deepEqual(JSON.parse(JSON.stringify(kept)), { ...raw, otp: '[secret]' });
  assert.ok(!inspect(value, { depth: 9, showHidden: true }).includes('052272'));
  assert.ok(!JSON.stringify(value).includes('052272'));
});

test('reads the older, wrapped code as a Secret too', async (t) => {
  const raw = { status: 'success', data: { pin_id: 'p-4', otp: 522726, phone_number: '2348030000001' } };
  const { value } = await made(t, raw, (account) => account.tokens.generate(inApp));
  assert.equal(value?.otp.reveal(), '522726');
  assert.equal(value.pinId, 'p-4');
  assert.deepEqual(JSON.parse(JSON.stringify(value.raw)), { ...raw, data: { ...raw.data, otp: '[secret]' } });
});

test('a response without the code is unconfirmed, and nothing that may be the code is quoted', async (t) => {
  for (const body of [
    { pin_id: 'p-5', message: 'Your secret code is 522726 or A2b4C6, made today.' },
    { status: 'success', data: {}, message: 'Your secret code is 522726 or A2b4C6, made today.' },
    { otp: '', message: 'Your secret code is 522726 or A2b4C6, made today.' },
  ]) {
    const { url } = await serve(t, answer(200, body));
    const error = await ends(testClient(t, url).account.tokens.generate(inApp), {
      kind: 'unconfirmed',
      reason: 'unreadable_answer',
      status: 200,
    });
    assert.match(error.message, /Missing or wrong: otp\..*may or may not have taken effect/);
    assert.match(error.message, /“Your secret code is \[code\] or \[code\], made today”/);
  }
});

test('sends a code by voice to the dialect’s path, with its leading zeros', async (t) => {
  const raw = { ...taken, balance: 20.5, pinId: 'p-6', message: 'Successfully Sent' };
  const call = (account: ProviderAccount) => account.tokens.call(voice);
  const { path, body, value } = await made(t, raw, call);
  assert.equal(path, '/api/sms/otp/call');
  assert.deepEqual(body, { api_key: testKey, phone_number: '2348030000001', code: '004821' });
  assert.deepEqual(value, {
    messageId: taken.message_id,
    balance: '20.5',
    message: 'Successfully Sent',
    pinId: 'p-6',
    raw,
  });
  const dialect = { chatChannel: 'chatapp', voiceOtpPath: '/api/sms/otp/send/voice' };
  assert.equal((await made(t, raw, call, { dialect })).path, '/api/sms/otp/send/voice');
});

test('refuses what is empty and names its field', async (t) => {
  const server = await serve(t, answer(200, taken));
  const { tokens } = testClient(t, server.url).account;
  const cases: readonly (readonly [keyof typeof tokens, object, readonly string[]])[] = [
    ['send', { ...message, pinPlaceholder: ' ' }, ['pinPlaceholder']],
    ['send', { ...message, text: '' }, ['text']],
    ['email', { ...mail, code: new Secret(' ') }, ['code']],
    ['email', { ...mail, emailConfigurationId: '' }, ['emailConfigurationId']],
  ];
  for (const [name, input, fields] of cases) {
    await t.test(`${name} ${inspect(input, { breakLength: Infinity })}`, async () => {
      const outcome = await Reflect.apply(tokens[name], undefined, [input]);
      const error = await ends(Promise.resolve(outcome), { kind: 'not_sent', reason: 'input' });
      // A text without its placeholder may have a second fault.
      assert.deepEqual([...new Set(error.faults?.map(({ field }) => field))], fields);
    });
  }
  assert.equal(server.connections(), 0);
});

test('an error of a code by SMS does not quote its text', async (t) => {
  const { url } = await serve(t, answer(400, { code: 400, message: `Blocked: ${message.text}` }));
  const outcome = await testClient(t, url).account.tokens.send(message);
  assert.ok(outcome.kind === 'rejected');
  assert.match(outcome.error.message, /Blocked: \[text\]/);
  assert.doesNotMatch(inspect(outcome, { depth: 9 }), /Your code/);
});
