import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { answer } from '../../support/http/raw-server.ts';
import { ends, read, send, serve, testClient } from '../../support/provider/provider-client.ts';

/** Publicly recorded responses. Present beside the project on some machines; the tests are skipped elsewhere. */
const samples = resolve(import.meta.dirname, '../../../../shared/provider/samples');
const skip = existsSync(samples) ? false : `no samples at ${samples}`;

const met = new Set<string>();

async function replay(t: TestContext, name: string) {
  met.add(name);
  const status = Number(/\.(\d{3})/.exec(name)?.[1] ?? 200);
  const text = await readFile(resolve(samples, name), 'utf8');
  const { url } = await serve(t, answer(status, text));
  const dialect = { chatChannel: 'chatapp', contactDeleteBy: 'path' };
  return { text, account: testClient(t, url, { dialect }).account };
}

test('accepts a recorded send with every digit of its id', { skip }, async (t) => {
  const { text, account } = await replay(t, 'live-sms-send.200.json');
  const outcome = await send(account);
  assert.ok(outcome.kind === 'accepted');
  assert.ok(text.includes(`"message_id": "${outcome.value.messageId}"`));
  assert.ok(text.includes(`"balance": ${outcome.value.balance},`));
});

test('rejects recorded refusals of a send by their messages', { skip }, async (t) => {
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

test('reads the older DND response as active', { skip }, async (t) => {
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

test('reads the sample list of sender IDs', { skip }, async (t) => {
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
  assert.deepEqual(page, { ...envelope, unreadable: [], raw: { content, ...envelope } });
});

test('reads the recorded empty list', { skip }, async (t) => {
  const { text, account } = await replay(t, 'live-sender-id.200-empty.json');
  const { content, ...envelope } = JSON.parse(text);
  assert.deepEqual(await read(account), {
    kind: 'accepted',
    value: { records: [], unreadable: [], ...envelope, raw: { content, ...envelope } },
  });
});

test('reads the sample status of a number, which has no marker of success', { skip }, async (t) => {
  const { text, account } = await replay(t, 'docs-insight-query.200.json');
  const outcome = await account.insight.query({ phoneNumber: '2348000000006', countryCode: 'NG' });
  assert.ok(outcome.kind === 'accepted');
  const [entry] = JSON.parse(text).result;
  assert.deepEqual(outcome.value.result, [{ ...entry, raw: entry }]);
});

const pin = { pinType: 'NUMERIC', pinAttempts: 3, pinTimeToLive: 10, pinLength: 6 } as const;

test('reads the id of a recorded code by SMS', { skip }, async (t) => {
  const { text, account } = await replay(t, 'live-otp-send.200-legacy-host.json');
  const outcome = await account.tokens.send({
    ...pin,
    to: '2348000000001',
    from: 'Acme',
    route: 'dnd',
    pinPlaceholder: '#',
    text: '#',
  });
  const raw = JSON.parse(text);
  assert.deepEqual(outcome, {
    kind: 'accepted',
    value: { pinId: raw.pinId, to: raw.to, smsStatus: raw.smsStatus, raw },
  });
});

test('rejects a recorded refusal of a code by SMS by its message', { skip }, async (t) => {
  const { account } = await replay(t, 'live-otp-send.404-wrapped.txt');
  const token = { ...pin, to: '2348000000001', from: 'Acme', route: 'dnd' } as const;
  await ends(account.tokens.send({ ...token, pinPlaceholder: '#', text: '#' }), {
    kind: 'rejected',
    reason: 'sender_id_unknown',
    status: 404,
  });
});

test('reads the older in-app code as a Secret', { skip }, async (t) => {
  const { text, account } = await replay(t, 'docs-in-app-token.200-legacy.json');
  const outcome = await account.tokens.generate({ ...pin, phoneNumber: '2348000000005' });
  const { data } = JSON.parse(text);
  assert.ok(outcome.kind === 'accepted');
  const { otp, raw, ...rest } = outcome.value;
  assert.equal(otp.reveal(), data.otp);
  assert.deepEqual(rest, {
    pinId: data.pin_id,
    phoneNumber: data.phone_number,
    phoneNumberOther: data.phone_number_other,
  });
  assert.ok(!JSON.stringify(raw).includes(data.otp));
});

test('reads the sample contacts, whose page has no envelope', { skip }, async (t) => {
  const { text, account } = await replay(t, 'docs-contacts.200-partial.json');
  const outcome = await account.phonebooks.contacts({ phonebookId: '6821eb366a25331e3c159362' });
  assert.ok(outcome.kind === 'accepted');
  const { headers, phonebook, data } = JSON.parse(text);
  const [record] = data.content;
  assert.deepEqual(outcome.value.headers, headers);
  assert.equal(outcome.value.phonebook?.totalContacts, phonebook.total_contact);
  assert.equal(outcome.value.phonebook?.name, phonebook.phonebook_name);
  assert.deepEqual(outcome.value.records, [
    {
      id: record.id,
      phonebookId: record.pid,
      phoneNumber: record.phone_number,
      columns: record.contact_list_key_value,
      raw: record,
    },
  ]);
});

test('accepts the older response to a deletion by its message', { skip }, async (t) => {
  const { text, account } = await replay(t, 'docs-contact-delete.200-legacy.json');
  const raw = JSON.parse(text);
  assert.deepEqual(await account.phonebooks.deleteContact({ phonebookId: 'p', contactId: 'c' }), {
    kind: 'accepted',
    value: { message: raw.message, raw },
  });
});

test('never accepts another operation’s response for a send', { skip }, async (t) => {
  const others = [
    'docs-check-dnd.200-legacy.json',
    'docs-contact-delete.200-legacy.json',
    'docs-contacts.200-partial.json',
    'docs-history.200-legacy.json',
    'docs-history.200.json',
    'docs-insight-query.200.json',
    'docs-phonebooks.200-content-only.json',
    'docs-sender-id.200.json',
    'docs-verify-token.200.json',
    'docs-webhook-device-status.json',
    'docs-webhook-outbound.json',
    'live-get-balance.200.json',
    'live-sender-id.200-empty.json',
  ];
  for (const name of others) {
    const { account } = await replay(t, name);
    const { messages, tokens } = account;
    const one = { from: 'Acme', route: 'dnd', text: '#' } as const;
    const outcomes = await Promise.all([
      send(account),
      messages.sendBulk({ ...one, to: ['2348000000001'] }),
      tokens.send({ ...pin, ...one, to: '2348000000001', pinPlaceholder: '#' }),
      tokens.generate({ ...pin, phoneNumber: '2348000000001' }),
      tokens.call({ phoneNumber: '2348000000001', code: '1234' }),
    ]);
    for (const { kind } of outcomes) {
      assert.equal(kind, 'unconfirmed', name);
    }
  }
});

test('uses every recorded response', { skip }, async () => {
  const files = await readdir(samples);
  assert.deepEqual(
    files.filter((name) => name !== 'README.md' && !met.has(name)),
    [],
  );
});
