import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { inspect } from 'node:util';
import { Secret } from '../../../src/lib/secret.ts';
import type { ProviderAccount, ProviderOptions } from '../../../src/provider/client.ts';
import type { TokenCache } from '../../../src/provider/esims/esim-token.ts';
import { systemTiming } from '../../../src/provider/http/timing.ts';
import { answer, type Behaviour, hangUp, inTurn, silence } from '../../support/http/raw-server.ts';
import {
  afterRefusals,
  countedTokens,
  type EsimServer,
  iccid,
  jwt,
  refusal,
  serveEsims,
  sim,
} from '../../support/provider/esim-server.ts';
import { ends, testClient, testKey } from '../../support/provider/provider-client.ts';

type Stored = Awaited<ReturnType<TokenCache['get']>>;

/** A cache that exposes its content. */
function memoryCache(stored?: Stored) {
  const held = { stored };
  const cache: TokenCache = {
    get: async () => held.stored,
    set: async (token) => {
      held.stored = token;
    },
    delete: async () => {
      held.stored = undefined;
    },
  };
  return { held, cache };
}

/** A new account with a token cache, as after a start. */
function accountWith(
  t: TestContext,
  server: EsimServer,
  tokenCache: TokenCache,
  options?: Partial<ProviderOptions>,
) {
  return testClient(t, server.url, options).provider.account(new Secret(testKey), { tokenCache });
}

const usage: Behaviour = answer(200, { data_total_gigabyte: 5, data_used_gigabyte: 1 });
const ask = ({ esims }: ProviderAccount, signal?: AbortSignal) =>
  esims.usage({ iccid }, { ...(signal && { signal }) });
const tokensUsed = (server: EsimServer) => server.asked().map(({ headers }) => headers['x-token']);

test('ten concurrent callers share one authentication', async (t) => {
  const server = await serveEsims(t, usage);
  const { account } = testClient(t, server.url);
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => ask(account)));
  assert.ok(outcomes.every(({ kind }) => kind === 'accepted'));
  assert.equal((await ask(account)).kind, 'accepted');
  assert.equal(server.authentications().length, 1);
  assert.deepEqual(new Set(tokensUsed(server)), new Set(['esim-token-1']));
});

test('reads a token under each of its known field names', async (t) => {
  for (const body of [
    { token: 'the-token-itself' },
    { data: { token: 'the-token-itself' } },
    { status: 'success', data: { token: 'the-token-itself' } },
    { encrytedKey: 'the-token-itself' },
    { encryptedKey: 'the-token-itself' },
    { token: '', data: { encrytedKey: 'the-token-itself' } },
  ]) {
    const server = await serveEsims(t, usage, answer(200, body));
    assert.equal((await ask(testClient(t, server.url).account)).kind, 'accepted');
    assert.deepEqual(tokensUsed(server), ['the-token-itself']);
  }
});

test('authenticate returns the token as a Secret, with its expiry', async (t) => {
  const expiring = jwt('one', 1_800_000_000);
  const server = await serveEsims(t, usage, answer(200, { token: expiring, user: 'ada' }));
  const outcome = await testClient(t, server.url).account.esims.authenticate();
  assert.deepEqual(outcome, {
    kind: 'accepted',
    value: {
      token: new Secret(expiring),
      expiresAt: new Date(1_800_000_000_000),
      raw: { token: new Secret(expiring), user: 'ada' },
    },
  });
  assert.ok(!inspect(outcome, { depth: 9 }).includes(expiring));
});

test('refuses a token that a header cannot hold', async (t) => {
  for (const body of [{}, { token: '' }, { token: 'two\r\nlines: of a header' }, { token: { token: 'x' } }]) {
    const server = await serveEsims(t, usage, answer(200, body));
    const error = await ends(ask(testClient(t, server.url).account), {
      kind: 'not_sent',
      reason: 'unreadable_answer',
      status: 200,
    });
    assert.match(error.message, /Missing or wrong: token\./);
    assert.equal(server.asked().length, 0);
  }
});

/** A clock that the test sets. */
function clock(seconds: number) {
  const time = { seconds };
  return { time, timing: { ...systemTiming, now: () => time.seconds * 1000 } };
}

test('a token is renewed a minute before it expires', async (t) => {
  const { time, timing } = clock(1_800_000_000);
  const server = await serveEsims(
    t,
    usage,
    inTurn(
      answer(200, { token: jwt('one', 1_800_003_600) }),
      answer(200, { token: jwt('two', 1_800_007_200) }),
    ),
  );
  const { account } = testClient(t, server.url, { timing });
  await ask(account);
  time.seconds += 3539;
  await ask(account);
  assert.equal(server.authentications().length, 1);
  time.seconds += 1;
  await Promise.all([ask(account), ask(account)]);
  assert.equal(server.authentications().length, 2);
  const [one, two] = [jwt('one', 1_800_003_600), jwt('two', 1_800_007_200)];
  assert.deepEqual(tokensUsed(server), [one, one, two, two]);
});

test('uses a token that is already about to expire, once', async (t) => {
  const { timing } = clock(1_800_000_000);
  const old = jwt('old', 1_799_999_999);
  const server = await serveEsims(t, usage, answer(200, { token: old }));
  const { account } = testClient(t, server.url, { timing });
  assert.equal((await ask(account)).kind, 'accepted');
  assert.equal((await ask(account)).kind, 'accepted');
  assert.equal(server.authentications().length, 2);
  assert.deepEqual(tokensUsed(server), [old, old]);
});

test('uses the cached token after a restart until it expires', async (t) => {
  const { time, timing } = clock(1_800_000_000);
  const token = jwt('one', 1_800_003_600);
  const { held, cache } = memoryCache();
  const server = await serveEsims(t, usage, inTurn(answer(200, { token }), countedTokens()));
  await ask(accountWith(t, server, cache, { timing }));
  assert.deepEqual(held.stored, { token, expiresAt: 1_800_003_600_000 });
  await ask(accountWith(t, server, cache, { timing }));
  assert.equal(server.authentications().length, 1);
  time.seconds += 3600;
  await ask(accountWith(t, server, cache, { timing }));
  assert.deepEqual(tokensUsed(server), [token, token, 'esim-token-1']);
  assert.deepEqual(held.stored, { token: 'esim-token-1' });
});

test('replaces a token refused with 401 once and repeats the read', async (t) => {
  const { held, cache } = memoryCache({ token: 'token-of-yesterday' });
  const server = await serveEsims(t, afterRefusals(1, usage));
  assert.equal((await ask(accountWith(t, server, cache))).kind, 'accepted');
  assert.deepEqual(tokensUsed(server), ['token-of-yesterday', 'esim-token-1']);
  assert.deepEqual(held.stored, { token: 'esim-token-1' });
});

const ordered = answer(200, { status: 'Success', code: 200, data: { sim } });
const buy = ({ esims }: ProviderAccount) => esims.purchase({ iccid, productId: 'p', iso3: 'NGA' });

test('a creation or purchase always uses a new token', async (t) => {
  const { held, cache } = memoryCache({ token: 'token-of-yesterday' });
  const server = await serveEsims(t, (socket, received) =>
    (received.path.includes('/usage/') ? usage : ordered)(socket, received),
  );
  const account = accountWith(t, server, cache);
  await ask(account);
  assert.equal((await buy(account)).kind, 'accepted');
  await ask(account);
  assert.equal((await account.esims.create({ productId: 'p' })).kind, 'accepted');
  assert.deepEqual(tokensUsed(server), [
    'token-of-yesterday',
    'esim-token-1',
    'esim-token-1',
    'esim-token-2',
  ]);
  assert.deepEqual(held.stored, { token: 'esim-token-2' });
});

test('ten concurrent purchases share one authentication', async (t) => {
  const server = await serveEsims(t, ordered);
  const { account } = testClient(t, server.url);
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => buy(account)));
  assert.ok(outcomes.every(({ kind }) => kind === 'accepted'));
  assert.equal(server.authentications().length, 1);
  assert.equal(server.asked().length, 10);
});

test('a 401 inside a 200 is a 401', async (t) => {
  const inside = answer(200, { status: 'error', code: 401, message: 'Unauthorized' });
  const server = await serveEsims(t, inTurn(inside, usage));
  assert.equal((await ask(testClient(t, server.url).account)).kind, 'accepted');
  assert.deepEqual(tokensUsed(server), ['esim-token-1', 'esim-token-2']);
});

test('ten callers with a refused token share one new authentication', async (t) => {
  const { cache } = memoryCache({ token: 'token-of-yesterday' });
  const server = await serveEsims(t, (socket, received) =>
    (received.headers['x-token'] === 'token-of-yesterday' ? refusal : usage)(socket, received),
  );
  const account = accountWith(t, server, cache, { connections: 10, concurrencyPerAccount: 10 });
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => ask(account)));
  assert.ok(outcomes.every(({ kind }) => kind === 'accepted'));
  assert.equal(server.authentications().length, 1);
});

test('uses a token that another process has renewed', async (t) => {
  const { held, cache } = memoryCache({ token: 'token-of-yesterday' });
  const server = await serveEsims(t, (socket, received) => {
    if (received.headers['x-token'] === 'token-of-today') {
      return usage(socket, received);
    }
    held.stored = { token: 'token-of-today' };
    refusal(socket, received);
  });
  assert.equal((await ask(accountWith(t, server, cache))).kind, 'accepted');
  assert.equal(server.authentications().length, 0);
});

test('removes a refused token from the cache even if there is no new one', async (t) => {
  const { held, cache } = memoryCache({ token: 'token-of-yesterday' });
  const server = await serveEsims(t, refusal, refusal);
  await ends(ask(accountWith(t, server, cache)), { kind: 'rejected', reason: 'bad_key', status: 401 });
  assert.equal(held.stored, undefined);
});

test('a failing cache costs one authentication and nothing else', async (t) => {
  const broken = async () => {
    throw new Error('the disk is full');
  };
  const server = await serveEsims(t, afterRefusals(1, usage));
  const account = accountWith(t, server, { get: broken, set: broken, delete: broken });
  assert.equal((await ask(account)).kind, 'accepted');
  assert.equal((await ask(account)).kind, 'accepted');
  assert.equal(server.authentications().length, 2);
});

test('sends nothing without a token, and reports why', async (t) => {
  const cases: [
    Behaviour,
    { kind: 'rejected' | 'not_sent'; reason: 'bad_key' | 'server_error' | 'cut_off'; status?: number },
  ][] = [
    [answer(401, { message: 'Invalid API key' }), { kind: 'rejected', reason: 'bad_key', status: 401 }],
    [answer(500, { message: 'oops' }), { kind: 'not_sent', reason: 'server_error', status: 500 }],
    [hangUp, { kind: 'not_sent', reason: 'cut_off' }],
  ];
  for (const [behaviour, expected] of cases) {
    const server = await serveEsims(t, usage, behaviour);
    const { account } = testClient(t, server.url);
    const error = await ends(account.esims.purchase({ iccid, productId: 'p', iso3: 'NGA' }), expected);
    assert.equal(error.operation, 'esims.purchase');
    assert.equal(error.sent, 'no');
    assert.equal(error.retryable, expected.kind === 'not_sent');
    assert.match(error.message, /The request for a token, which eSIMs need, failed\./);
    assert.equal(server.asked().length, 0);
  }
});

test('the next caller retries a failed authentication', async (t) => {
  const server = await serveEsims(t, usage, inTurn(answer(400, {}), countedTokens()));
  const { account } = testClient(t, server.url);
  assert.equal((await ask(account)).kind, 'rejected');
  assert.equal((await ask(account)).kind, 'accepted');
});

test('a caller that cancels does not cancel the authentication for others', async (t) => {
  const asked = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const server = await serveEsims(t, usage, (socket, received) => {
    asked.resolve();
    goOn.promise.then(() => answer(200, { token: 'late-but-good' })(socket, received));
  });
  const { account } = testClient(t, server.url);
  const stopper = new AbortController();
  const [stopped, patient] = [ask(account, stopper.signal), ask(account)];
  await asked.promise;
  stopper.abort();
  const error = await ends(stopped, { kind: 'not_sent', reason: 'cancelled' });
  assert.equal(error.sent, 'no');
  goOn.resolve();
  assert.equal((await patient).kind, 'accepted');
  assert.equal(server.authentications().length, 1);
});

/** Timers that the test fires, in the order in which they were started. */
function heldDeadlines() {
  const deadlines: (() => void)[] = [];
  const after = (_milliseconds: number, action: () => void) => {
    deadlines.push(action);
    return () => {};
  };
  return { deadlines, timing: { ...systemTiming, after } };
}

test('the deadline includes the request for a token', async (t) => {
  const { deadlines, timing } = heldDeadlines();
  const server = await serveEsims(t, silence);
  const call = ask(testClient(t, server.url, { timing }).account);
  await server.received(2);
  // The first timer belongs to the whole operation, the others to its two requests.
  assert.equal(deadlines.length, 3);
  deadlines[0]?.();
  const error = await ends(call, { kind: 'unconfirmed', reason: 'timed_out' });
  assert.equal(error.operation, 'esims.usage');
});

test('ends as not_sent when the deadline comes before the token', async (t) => {
  const { deadlines, timing } = heldDeadlines();
  const server = await serveEsims(t, usage, silence);
  const call = testClient(t, server.url, { timing }).account.esims.create({ productId: 'p' });
  await server.received(1);
  deadlines[0]?.();
  const error = await ends(call, { kind: 'not_sent', reason: 'timed_out' });
  assert.equal(error.sent, 'no');
  await server.close();
});
