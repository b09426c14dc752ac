import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ends, read, send, serve, testClient } from '../support/provider-client.ts';
import { answer } from '../support/raw-server.ts';

/** Answers seen in public; they lie beside the project on some machines, and are no part of it. */
const samples = resolve(import.meta.dirname, '../../../shared/provider/samples');
const skip = existsSync(samples) ? false : `no samples at ${samples}`;

async function replay(t: TestContext, name: string) {
  const status = Number(/\.(\d{3})/.exec(name)?.[1]);
  const text = await readFile(resolve(samples, name), 'utf8');
  const { url } = await serve(t, answer(status, text));
  return { text, account: testClient(t, url).account };
}

test('a captured send is accepted with the digits of its id', { skip }, async (t) => {
  const { text, account } = await replay(t, 'live-sms-send.200.json');
  const outcome = await send(account);
  assert.ok(outcome.kind === 'accepted');
  assert.ok(text.includes(`"message_id": "${outcome.value.messageId}"`));
  assert.ok(text.includes(`"balance": ${outcome.value.balance},`));
});

test('captured refusals of a send are rejected for what they say', { skip }, async (t) => {
  const cases = [
    ['live-sms-send.400-country-inactive.json', 'country_inactive', 400],
    ['live-sms-send.400-no-route.json', 'no_route', 400],
    ['live-sms-send.404-sender-id.json', 'sender_id_unknown', 404],
    ['live-otp-send.404-wrapped.txt', 'sender_id_unknown', 404],
  ] as const;
  for (const [name, reason, status] of cases) {
    const { text, account } = await replay(t, name);
    const error = await ends(send(account), { kind: 'rejected', reason, status });
    assert.ok(error.providerMessage !== undefined && text.includes(error.providerMessage), name);
  }
});

test('the older DND answer is read as active', { skip }, async (t) => {
  const { text, account } = await replay(t, 'docs-check-dnd.200-legacy.json');
  const outcome = await account.insight.checkDnd({ phoneNumber: '2348000000007' });
  assert.ok(outcome.kind === 'accepted');
  const { raw, ...value } = outcome.value;
  assert.deepEqual(raw, JSON.parse(text));
  assert.deepEqual(value, {
    number: '2348000000007',
    dndActive: true,
    network: 'Airtel Nigeria',
    networkCode: '62120',
    status: 'DND blacklisted',
  });
});

test('the sample list of sender IDs is read record by record', { skip }, async (t) => {
  const { text, account } = await replay(t, 'docs-sender-id.200.json');
  const outcome = await read(account);
  assert.ok(outcome.kind === 'accepted');
  const { records, ...page } = outcome.value;
  assert.deepEqual(
    records.map(({ raw }) => raw),
    JSON.parse(text).content,
  );
  assert.deepEqual(
    records.map(({ status }) => status),
    ['active', 'active', 'pending', 'active', 'active'],
  );
  assert.ok(records.every(({ createdAt }) => createdAt instanceof Date));
  const { content, ...envelope } = JSON.parse(text);
  assert.deepEqual(page, { ...envelope, raw: { content, ...envelope } });
});

test('the captured empty list is an empty page', { skip }, async (t) => {
  const { text, account } = await replay(t, 'live-sender-id.200-empty.json');
  const { content, ...envelope } = JSON.parse(text);
  assert.deepEqual(await read(account), {
    kind: 'accepted',
    value: { records: [], ...envelope, raw: { content, ...envelope } },
  });
});

test('an answer meant for something else is never taken for a send', { skip }, async (t) => {
  const others = [
    'docs-check-dnd.200-legacy.json',
    'docs-history.200.json',
    'docs-insight-query.200.json',
    'docs-sender-id.200.json',
    'docs-verify-token.200.json',
    'live-get-balance.200.json',
    'live-otp-send.200-legacy-host.json',
  ];
  for (const name of others) {
    const { account } = await replay(t, name);
    assert.notEqual((await send(account)).kind, 'accepted', name);
  }
});
