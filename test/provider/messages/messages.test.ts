import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { inspect } from 'node:util';
import { Secret } from '../../../src/lib/secret.ts';
import type { BulkMessage, ChatOtp, OutboundMessage } from '../../../src/provider/messages.ts';
import { answer } from '../../support/http/raw-server.ts';
import { ends, serve, taken, testClient, testKey } from '../../support/provider/provider-client.ts';

const hello: OutboundMessage = { to: '2348030000001', from: 'Acme', route: 'dnd', text: 'Hello' };

/** The request body of a message. */
async function bodyOf(
  t: TestContext,
  message: OutboundMessage,
  dialect = { chatChannel: 'chatapp' },
): Promise<unknown> {
  const server = await serve(t, answer(200, taken));
  const outcome = await testClient(t, server.url, { dialect }).account.messages.send(message);
  assert.equal(outcome.kind, 'accepted');
  const [request] = server.requests;
  assert.equal(request?.method, 'POST');
  assert.equal(request.path, '/api/sms/send');
  assert.equal(request.headers['content-type'], 'application/json');
  return JSON.parse(request.body);
}

test('sends the documented request on each route', async (t) => {
  const rest = { api_key: testKey, to: '2348030000001', from: 'Acme', sms: 'Hello' };
  const cases = [
    ['generic', 'generic', 'plain'],
    ['dnd', 'dnd', 'plain'],
    ['chatapp', 'our_chat', 'plain'],
    ['voice', 'voice', 'voice'],
  ] as const;
  for (const [route, channel, type] of cases) {
    const body = await bodyOf(t, { ...hello, route }, { chatChannel: 'our_chat' });
    assert.deepEqual(body, { ...rest, channel, type });
  }
});

test('sends several recipients as a list and one as text', async (t) => {
  const to = Array.from({ length: 100 }, (_, index) => `23480300${String(index).padStart(5, '0')}`);
  assert.deepEqual(Object(await bodyOf(t, { ...hello, to })).to, to);
  assert.equal(Object(await bodyOf(t, { ...hello, to: ['2348030000001'] })).to, '2348030000001');
});

test('sends the text unchanged', async (t) => {
  const text = '  {x} €5 “quoted”\n\tเ🙂 \\ ';
  assert.equal(Object(await bodyOf(t, { ...hello, text })).sms, text);
});

test('sends media on the chat route, from any device name', async (t) => {
  const media = { url: 'https://files.example.com/menu.pdf', caption: 'Menu' };
  const body = await bodyOf(t, { to: hello.to, from: 'Front desk 1', route: 'chatapp', media });
  assert.deepEqual(body, {
    api_key: testKey,
    to: '2348030000001',
    from: 'Front desk 1',
    media,
    channel: 'chatapp',
    type: 'plain',
  });
});

test('accepts a media URL without an extension, or with one in capitals', async (t) => {
  for (const url of ['https://files.example.com/menu', 'https://files.example.com/MENU.PDF?v=2']) {
    const body = await bodyOf(t, { to: hello.to, from: 'Desk', route: 'chatapp', media: { url } });
    assert.deepEqual(Object(body).media, { url });
  }
});

test('an answer without a code is accepted where the dialect says so and its words do', async (t) => {
  const dialect = { chatChannel: 'chatapp', successMarker: 'optional' as const };
  for (const [body, kind, usual] of [
    [{ message_id: '301', message: 'Successfully Sent' }, 'accepted', 'unconfirmed'],
    [{ message_id: '301', code: 'success' }, 'accepted', 'unconfirmed'],
    [{ message_id: '301', code: 'ok', message: 'Taken' }, 'accepted', 'accepted'],
    [{ message_id: '301', message: 'Insufficient balance' }, 'unconfirmed', 'unconfirmed'],
    [{ message_id: '301', code: '400', message: 'Successfully Sent' }, 'unconfirmed', 'unconfirmed'],
    [{ message: 'Successfully Sent' }, 'unconfirmed', 'unconfirmed'],
  ] as const) {
    const { url } = await serve(t, answer(200, body));
    const kinds = await Promise.all(
      [{ dialect }, {}].map(
        async (given) => (await testClient(t, url, given).account.messages.send(hello)).kind,
      ),
    );
    assert.deepEqual(kinds, [kind, usual], JSON.stringify(body));
  }
});

test('sends Unicode text with the dialect’s type, and refuses it without one', async (t) => {
  const unicode: OutboundMessage = { ...hello, text: 'Привет', type: 'unicode' };
  assert.equal(Object(await bodyOf(t, unicode, { chatChannel: 'c', ...{ unicodeType: 'uni' } })).type, 'uni');
  const server = await serve(t, answer(200, taken));
  const { account } = testClient(t, server.url);
  const error = await ends(account.messages.send(unicode), { kind: 'not_sent', reason: 'not_configured' });
  assert.match(error.message, /outside the SMS alphabet is off/);
  assert.equal(server.connections(), 0);
});

test('keeps every digit of the id, and the balance as written', async (t) => {
  const raw =
    '{"code":"ok","balance":30.00,"message_id":3017500000000000000000001,"message":"Taken","user":"Acme","extra":[1]}';
  const { url } = await serve(t, answer(200, raw));
  const outcome = await testClient(t, url).account.messages.send(hello);
  assert.deepEqual(outcome, {
    kind: 'accepted',
    value: {
      messageId: '3017500000000000000000001',
      balance: '30.00',
      message: 'Taken',
      user: 'Acme',
      raw: {
        code: 'ok',
        balance: '30.00',
        message_id: '3017500000000000000000001',
        message: 'Taken',
        user: 'Acme',
        extra: [1],
      },
    },
  });
});

test('prefers message_id_str to an id that a proxy may have rounded', async (t) => {
  const { url } = await serve(
    t,
    answer(200, { code: 'OK', message_id: 3e24, message_id_str: 'a-17', balance: null }),
  );
  const outcome = await testClient(t, url).account.messages.send(hello);
  assert.ok(outcome.kind === 'accepted');
  assert.equal(outcome.value.messageId, 'a-17');
  assert.equal('balance' in outcome.value, false);
});

test('refuses an invalid message and names every fault', async (t) => {
  const server = await serve(t, answer(200, taken));
  const { account } = testClient(t, server.url);
  const { text: _text, ...silent } = hello;
  const cases: readonly (readonly [string, unknown, readonly string[]])[] = [
    ['no recipients', { ...hello, to: [] }, ['to']],
    ['a national number', { ...hello, to: '08030000001' }, ['to[0]']],
    ['words', { ...hello, to: 'everybody' }, ['to[0]']],
    ['a number as a number', { ...hello, to: [2348030000001] }, ['to[0]']],
    ['a recipient twice', { ...hello, to: ['2348030000001', '2348030000002', '2348030000001'] }, ['to[2]']],
    ['no sender', { ...hello, from: ' ' }, ['from']],
    ['an unknown route', { ...hello, route: 'pigeon' }, ['route']],
    ['blank text', { ...hello, text: ' \n' }, ['text']],
    [
      'media from a file',
      { ...silent, route: 'chatapp', media: { url: 'file:///etc/passwd' } },
      ['media.url'],
    ],
    [
      'a media format that the chat application does not take',
      { ...silent, route: 'chatapp', media: { url: 'https://files.example.com/a.docx?v=1.png' } },
      ['media.url'],
    ],
    ['a spoken text by SMS', { ...hello, type: 'voice' }, ['type']],
    ['several faults', { ...hello, to: '1', route: 'pigeon', type: 'encrypted' }, ['to[0]', 'route', 'type']],
    ['nothing', undefined, ['input']],
  ];
  for (const [name, message, fields] of cases) {
    await t.test(name, async () => {
      // As a caller without types could.
      const outcome = await Reflect.apply(account.messages.send, undefined, [message]);
      const error = await ends(Promise.resolve(outcome), { kind: 'not_sent', reason: 'input' });
      assert.deepEqual(
        error.faults?.map(({ field }) => field),
        fields,
      );
      for (const { field, rule } of error.faults ?? []) {
        assert.ok(error.message.includes(`${field}: ${rule}.`));
      }
      assert.equal(error.retryable, false);
    });
  }
  assert.equal(server.connections(), 0);
});

test('a fault never quotes a number', async (t) => {
  const { account } = testClient(t, new URL('http://127.0.0.1:1'));
  const outcome = await account.messages.send({ ...hello, to: ['+2348030000001', '+2348030000001'] });
  assert.ok(!JSON.stringify(outcome).includes('803000'));
});

test('an error does not quote a code in the text, and the code is no field of the request', async (t) => {
  const text = 'Your code is 482913. It expires in 10 minutes.';
  const server = await serve(
    t,
    answer(400, JSON.stringify({ message: 'No codes, such as 482913, on this route' })),
  );
  for (const code of ['482913', new Secret('482913')]) {
    const outcome = await testClient(t, server.url).account.messages.send({ ...hello, text, code });
    assert.ok(outcome.kind === 'rejected');
    assert.match(outcome.error.message, /No codes, such as \[code\], on this route/);
    assert.doesNotMatch(inspect(outcome, { depth: 9 }), /482913/);
  }
  assert.ok(server.requests.every(({ body }) => !Object.keys(JSON.parse(body)).includes('code')));
});

test('an error does not quote a text with line breaks or beyond the maximum length', async (t) => {
  const text = `Dear Ada,\n\nring 2348030000001 for your prize. ${'It is large. '.repeat(40)}`;
  const server = await serve(t, answer(400, JSON.stringify({ message: `Blocked words in: ${text}` })));
  const { messages } = testClient(t, server.url).account;
  for (const sent of [text, text.slice(0, 60)]) {
    const outcome = await messages.send({ ...hello, text: sent });
    assert.equal(outcome.kind, 'rejected');
    assert.match(outcome.error.message, /Blocked words in: \[text\]/);
    assert.doesNotMatch(JSON.stringify(outcome), /Ada|prize|803000/);
  }
});

const chatDialect = { dialect: { chatChannel: 'chatapp', chatOtpChannel: 'our_chat_otp' } };
const chatOtp: ChatOtp = { to: '2348030000001', from: 'Acme', code: new Secret('0482') };
const bulk: BulkMessage = {
  to: ['2348030000001', '2348030000002'],
  from: 'Acme',
  route: 'generic',
  text: 'Open!',
};

test('sends a code by chat on the dialect’s channel', async (t) => {
  const server = await serve(t, answer(200, taken));
  const { messages } = testClient(t, server.url, chatDialect).account;
  const outcome = await messages.sendChatOtp(chatOtp);
  assert.deepEqual(outcome, { kind: 'accepted', value: { messageId: taken.message_id, raw: taken } });
  await messages.sendChatOtp({ ...chatOtp, to: ['2348030000001', '2348030000002'], code: '482170' });
  const rest = { api_key: testKey, from: 'Acme', channel: 'our_chat_otp', type: 'plain' };
  assert.deepEqual(
    server.requests.map(({ path, body }) => ({ path, ...JSON.parse(body) })),
    [
      { path: '/api/sms/send', ...rest, to: '2348030000001', sms: '0482' },
      { path: '/api/sms/send', ...rest, to: ['2348030000001', '2348030000002'], sms: '482170' },
    ],
  );
});

test('refuses a code by chat without a channel', async (t) => {
  const server = await serve(t, answer(200, taken));
  const error = await ends(testClient(t, server.url).account.messages.sendChatOtp(chatOtp), {
    kind: 'not_sent',
    reason: 'not_configured',
  });
  assert.match(error.message, /Codes by chat app are off/);
  assert.equal(server.connections(), 0);
});

test('sends a bulk message to a list, even to one recipient', async (t) => {
  const server = await serve(t, answer(200, taken));
  const { messages } = testClient(t, server.url, {
    dialect: { chatChannel: 'chatapp', unicodeType: 'uni' },
  }).account;
  assert.equal((await messages.sendBulk(bulk)).kind, 'accepted');
  await messages.sendBulk({ ...bulk, to: ['2348030000001'], route: 'dnd', text: 'Привет', type: 'unicode' });
  const rest = { path: '/api/sms/send/bulk', api_key: testKey, from: 'Acme' };
  assert.deepEqual(
    server.requests.map(({ path, body }) => ({ path, ...JSON.parse(body) })),
    [
      { ...rest, to: bulk.to, sms: 'Open!', channel: 'generic', type: 'plain' },
      { ...rest, to: ['2348030000001'], sms: 'Привет', channel: 'dnd', type: 'uni' },
    ],
  );
});

test('refuses an invalid bulk message or code by chat and names every fault', async (t) => {
  const server = await serve(t, answer(200, taken));
  const { messages } = testClient(t, server.url, chatDialect).account;
  const cases: readonly (readonly [keyof typeof messages, object, readonly string[]])[] = [
    ['sendBulk', { ...bulk, to: [] }, ['to']],
    ['sendBulk', { ...bulk, to: '2348030000001' }, ['to']],
    ['sendBulk', { ...bulk, to: ['2348030000001', '2348030000001'] }, ['to[1]']],
    ['sendBulk', { ...bulk, route: 'chatapp' }, ['route']],
    ['sendBulk', { ...bulk, text: ' ' }, ['text']],
    ['sendChatOtp', { ...chatOtp, code: '١٢٣٤' }, ['code']],
    ['sendChatOtp', { ...chatOtp, from: ' ' }, ['from']],
  ];
  for (const [name, input, fields] of cases) {
    const outcome = await Reflect.apply(messages[name], undefined, [input]);
    const error = await ends(Promise.resolve(outcome), { kind: 'not_sent', reason: 'input' });
    assert.deepEqual(
      error.faults?.map(({ field }) => field),
      fields,
    );
  }
  assert.equal(server.connections(), 0);
});

test('keeps a balance with the dialect’s currency, and leaves what is no plain number as it is', async (t) => {
  const cases = [
    ['NGN', 24989.8, '24989.8 NGN'],
    [undefined, 24989.8, '24989.8'],
    ['NGN', '24,989.80 naira', '24,989.80 naira'],
    ['NGN', undefined, undefined],
  ] as const;
  for (const [currency, balance, kept] of cases) {
    const server = await serve(t, answer(200, { ...taken, balance }));
    const { account } = testClient(t, server.url, { dialect: { chatChannel: 'chatapp', currency } });
    const outcome = await account.messages.send(hello);
    assert.ok(outcome.kind === 'accepted');
    assert.equal(outcome.value.balance, kept);
  }
});

test('refuses a Unicode bulk message without the dialect’s type', async (t) => {
  const { account } = testClient(t, new URL('http://127.0.0.1:1'));
  await ends(account.messages.sendBulk({ ...bulk, type: 'unicode' }), {
    kind: 'not_sent',
    reason: 'not_configured',
  });
});
