import assert from 'node:assert/strict';
import { createHmac, createSecretKey } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { decideUnclear, readReports } from '../../../src/services/reports/read-reports.ts';
import { isSignedBy } from '../../../src/services/reports/reports.ts';

const at = {
  now: new Date('2026-03-10T00:00:00Z'),
  maxAgeMs: 30 * 24 * 60 * 60_000,
  country: 'NG',
} as const;
const sample = {
  type: 'outbound',
  message_id: '4410982237756120984',
  receiver: '2348030001177',
  sender: 'PalmMarket',
  message: 'Your confirmation code is 71k902.',
  sent_at: '2026-03-09 10:21:47',
  cost: '4.25',
  command: 'deliver',
  status: 'DELIVERED | Message delivered to handset',
  channel: 'SMS',
};
const reply = {
  type: 'inbound',
  sender: '2348030001177',
  message: 'Stop',
  received_at: '2026-03-09T10:21:47.000Z',
};
const read = (value: unknown) => readReports(Buffer.from(JSON.stringify(value)), at);

function isWrapped(item: unknown): boolean {
  return typeof item === 'object' && item !== null && 'data' in item && item.data === sample;
}

describe('the body of a request with reports', () => {
  it('is a report as the provider shows it', () => {
    assert.deepEqual(read(sample), {
      kind: 'read',
      items: { taken: 1, unreadable: 0, stale: 0, leftAside: 0 },
      replies: [],
      unclear: [],
      reports: [
        {
          providerId: '4410982237756120984',
          number: '+2348030001177',
          sender: 'PalmMarket',
          text: 'Your confirmation code is 71k902.',
          status: 'DELIVERED | Message delivered to handset',
          reportedAt: new Date('2026-03-09T10:21:47Z'),
          cost: '4.25',
          source: 'report',
        },
      ],
    });
  });

  it('may be wrapped, or have several', () => {
    const { type, ...inner } = sample;
    for (const body of [
      { type, data: inner },
      { data: sample },
      [sample],
      { data: [sample] },
      [{ data: sample }],
      [{ data: [sample] }],
      { type, data: [inner] },
      { type: 'sms.reports', data: [inner] },
    ]) {
      assert.deepEqual(read(body), read(sample), JSON.stringify(body));
    }
    assert.equal(read([sample, { ...sample, message_id: '2' }]).reports.length, 2);
    const { type: inbound, ...stop } = reply;
    assert.deepEqual(read({ type: inbound, data: [stop] }), read(reply));
  });

  it('keeps every digit of an id that is written as a number', () => {
    const body = JSON.stringify(sample).replace('"4410982237756120984"', '2093318807741256690317725');
    const [report] = readReports(Buffer.from(body), at).reports;
    assert.equal(report?.providerId, '2093318807741256690317725');
  });

  it('may have messages that came in, and leaves aside what is of no message', () => {
    const device = { type: 'device_status', status: 'disconnected', device_id: 'd7a1', name: 'Phone' };
    const result = read([
      device,
      reply,
      { ...reply, type: undefined, status: 'Received' },
      { ...reply, receiver: 55019, channel: 'chatapp', message_id: '71' },
      { ...reply, sender: 'PalmMarket' },
      sample,
    ]);
    const expected = {
      from: '+2348030001177',
      text: 'Stop',
      sentAt: new Date('2026-03-09T10:21:47Z'),
      writtenAt: reply.received_at,
      receiver: undefined,
      channel: undefined,
      id: undefined,
    };
    const named = { ...expected, receiver: '55019', channel: 'chatapp', id: '71' };
    assert.deepEqual(result.replies, [expected, expected, named]);
    assert.equal(result.reports.length, 1);
    assert.deepEqual(result.items, { taken: 4, unreadable: 0, stale: 0, leftAside: 2 });
    assert.equal(read(device).kind, 'read');
    assert.equal(read({ ...reply, received_at: '2021-03-09T10:21:47Z' }).kind, 'stale');
  });

  it('loses nothing by what is beside it, and counts what is left out', () => {
    const old = { ...sample, sent_at: '2021-03-09 10:21:47' };
    const odd = [
      { ...sample, receiver: undefined },
      { ...sample, status: {} },
      {},
      7,
      null,
      'text',
      [sample],
    ];
    const oldReply = { ...reply, received_at: undefined, sent_at: old.sent_at };
    const result = read([...odd, old, oldReply, reply, sample]);
    assert.equal(result.kind, 'read');
    assert.deepEqual(
      [result.reports, result.replies].map((all) => all.length),
      [2, 1],
    );
    assert.deepEqual(result.items, { taken: 3, unreadable: 6, stale: 2, leftAside: 0 });
    assert.equal(read([old, {}]).kind, 'malformed');
    assert.equal(read([old, old]).kind, 'stale');
  });

  it('is read whatever is beside it: any mixture takes all of its readable items', () => {
    const items = fc.array(
      fc.oneof(fc.constant(sample), fc.constant(reply), fc.jsonValue(), fc.constant({ data: sample })),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(items, (all) => {
        const known = all.filter((item) => item === sample || item === reply || isWrapped(item));
        const { items: counted, replies, reports } = read(all);
        assert.ok(counted.taken >= known.length);
        assert.equal(counted.taken, replies.length + reports.length);
      }),
    );
  });

  it('is of the way that its type names, in the words of any handler', () => {
    const ways = (value: unknown) => {
      const { reports, replies, unclear, items } = read(value);
      return [reports.length, replies.length, unclear.length, items.leftAside];
    };
    const received = { ...sample, ...reply, status: 'Received' };
    const outbound = [
      'outbound',
      ' OUTBOUND ',
      'outbound_message',
      'delivery_report',
      'Message-Delivery Report',
    ];
    for (const type of outbound) {
      assert.deepEqual(ways({ ...received, type }), [1, 0, 0, 0], type);
    }
    for (const type of ['INBOUND', 'inbound_message']) {
      assert.deepEqual(ways({ ...received, type }), [0, 1, 0, 0], type);
    }
    assert.deepEqual(ways({ ...reply, status: 'DELIVERED' }), [0, 1, 0, 0]);
    // Depends on whether the message is ours.
    for (const type of [undefined, null, {}, 'sms']) {
      assert.deepEqual(ways({ ...received, type }), [0, 0, 1, 0], String(type));
    }
    assert.deepEqual(ways({ ...sample, type: 'dlr' }), [0, 0, 1, 0]);
    assert.deepEqual(ways({ ...reply, type: undefined, status: 'Received' }), [0, 1, 0, 0], 'without an id');
    assert.deepEqual(ways({ type: 'payment', status: 'Received', amount: 5 }), [0, 0, 0, 1]);
    // Only an incoming message can be *received*.
    for (const type of [undefined, null, '', 'sms', 'message']) {
      assert.deepEqual(ways({ ...reply, type, message_id: '71' }), [0, 1, 0, 0], String(type));
      assert.deepEqual(ways({ ...received, type, status: 'DELIVERED' }).slice(1, 2), [0], String(type));
    }
    assert.deepEqual(ways({ ...sample, type: undefined, status: undefined }), [0, 0, 0, 0]);
    assert.deepEqual(ways({ type: 'payment', received_at: reply.received_at, amount: 5 }), [0, 0, 0, 1]);
  });

  it('is a report where its message is ours, and else a message that came in, or of no message', () => {
    const received = { ...sample, ...reply, type: undefined, status: 'Received | now' };
    const old = { received_at: '2021-03-09T10:21:47Z' };
    const items = [
      received,
      { ...sample, type: 'dlr' },
      { ...received, sender: 'PalmMarket' },
      { ...received, ...old },
    ];
    const unclear = read(items);
    const ours = decideUnclear(unclear, new Set(unclear.unclear.map(({ report }) => report)));
    assert.deepEqual(
      ours.reports.map(({ status }) => status),
      ['Received | now', sample.status, 'Received | now', 'Received | now'],
    );
    assert.deepEqual(ours.items, { taken: 4, unreadable: 0, stale: 0, leftAside: 0 });
    const foreign = decideUnclear(unclear, new Set());
    assert.deepEqual(
      foreign.replies.map(({ from, text }) => [from, text]),
      [['+2348030001177', 'Stop']],
    );
    assert.deepEqual(foreign.items, { taken: 1, unreadable: 0, stale: 1, leftAside: 2 });
    assert.equal(decideUnclear(read({ ...received, ...old }), new Set()).kind, 'stale');
  });

  it('has its sender and its receiver under any of their names', () => {
    const { sender, receiver, ...report } = sample;
    for (const to of ['to', 'msisdn']) {
      const named = { ...report, receiver: null, [to]: receiver, from: sender };
      assert.deepEqual(read(named), read(sample), to);
    }
    const { sender: from, ...message } = reply;
    const [expected] = read({ ...reply, receiver: '55019' }).replies;
    for (const name of ['from', 'msisdn']) {
      assert.deepEqual(read({ ...message, sender: '', [name]: from, to: '55019' }).replies, [expected], name);
    }
  });

  it('says when a message was written by a time whose zone is known alone', () => {
    const written = (fields: object, sentAtZone?: string) => {
      const body = Buffer.from(JSON.stringify({ ...reply, ...fields }));
      return readReports(body, { ...at, sentAtZone }).replies[0]?.sentAt?.toISOString();
    };
    const none = { received_at: undefined };
    const sent = { ...none, sent_at: '2026-03-09 11:21:47' };
    assert.equal(written(none), undefined);
    assert.equal(written(sent), undefined);
    assert.equal(written(sent, 'Africa/Lagos'), '2026-03-09T10:21:47.000Z');
    assert.equal(written({ ...none, sent_at: '2026-03-09T11:21:47+01:00' }), '2026-03-09T10:21:47.000Z');
    assert.equal(written({ sent_at: '2026-03-09 12:00:00' }, 'Africa/Lagos'), '2026-03-09T10:21:47.000Z');
    assert.equal(written({ received_at: '2026-03-09 10:21:47' }), undefined);
    // It counts as the time of arrival, so that a stop isn't lost.
    assert.equal(written({ received_at: '2027-03-09T10:21:47Z' }), '2027-03-09T10:21:47.000Z');
  });

  it('has its numbers in any usual form, those of the workspace’s country also without it', () => {
    const forms = ['2348030001177', '+234 803 000 1177', '0803 000 1177', '08030001177', '002348030001177'];
    for (const form of forms) {
      const { replies, reports } = read([
        { ...reply, sender: form },
        { ...sample, receiver: form },
      ]);
      assert.deepEqual([replies[0]?.from, reports[0]?.number], ['+2348030001177', '+2348030001177'], form);
    }
    const none = [{}, { sender: undefined }, { sender: '' }, { sender: '+234' }, { message: {} }];
    const left = [{ sender: 'PalmMarket' }, { sender: '55019' }, { message: null }];
    const result = read([...none, ...left].map((change) => ({ ...reply, ...change })));
    assert.deepEqual(result.items, {
      taken: 1,
      unreadable: none.length - 1,
      stale: 0,
      leftAside: left.length,
    });
    const odd = { received_at: [], sent_at: {}, receiver: [], channel: 7, message_id: false };
    assert.equal(read({ ...reply, ...odd }).replies[0]?.text, 'Stop');
  });

  it('has a cost with any number of decimals, and is taken without one that cannot be read', () => {
    const costs = {
      '4.1499999999999995': '4.15',
      '0.0000001': '0.0000001',
      '1.2345678': '1.2345678',
      free: undefined,
    };
    for (const [written, cost] of Object.entries(costs)) {
      assert.equal(read({ ...sample, cost: written }).reports[0]?.cost, cost, written);
    }
    const asNumber = JSON.stringify(sample).replace('"4.25"', '4.1499999999999995');
    assert.equal(readReports(Buffer.from(asNumber), at).reports[0]?.cost, '4.15');
    const { reports } = read({ ...sample, cost: {}, sender: [], message: {}, sent_at: 7 });
    assert.deepEqual(
      reports.map(({ status, cost, sender, text, reportedAt }) => [status, cost, sender, text, reportedAt]),
      [[sample.status, undefined, undefined, undefined, undefined]],
    );
  });

  it('is refused where it is none, too old or of the future', () => {
    const malformed = [
      null,
      7,
      'text',
      [],
      {},
      [7],
      { ...sample, message_id: undefined },
      { ...sample, message_id: 'a b' },
      { ...sample, receiver: 'Ada' },
      { ...sample, status: '' },
      [{}, {}],
      Array.from({ length: 1_001 }, () => sample),
    ];
    for (const body of malformed) {
      assert.equal(read(body).kind, 'malformed', JSON.stringify(body).slice(0, 100));
    }
    assert.equal(readReports(Buffer.from('{'), at).kind, 'malformed');
    assert.equal(read({ ...sample, sent_at: '2019-12-16 11:34:36' }).kind, 'stale');
    assert.equal(read({ ...sample, sent_at: '2030-12-16 11:34:36' }).kind, 'stale');
  });

  it('never throws, whatever its bytes', () => {
    fc.assert(fc.property(fc.uint8Array(), (bytes) => void readReports(bytes, at)));
    fc.assert(fc.property(fc.jsonValue(), (value) => void read(value)));
    fc.assert(
      fc.property(
        fc.record({ ...Object.fromEntries(Object.keys(sample).map((key) => [key, fc.jsonValue()])) }),
        (value) => void read(value),
      ),
    );
  });
});

describe('a signature', () => {
  const forms = [
    { hash: 'sha512', encoding: 'hex' },
    { hash: 'sha512', encoding: 'base64' },
    { hash: 'sha256', encoding: 'hex' },
    { hash: 'sha256', encoding: 'base64' },
  ] as const;

  for (const form of forms) {
    it(`by HMAC-${form.hash} in ${form.encoding} is that of its bytes and its key alone`, () => {
      fc.assert(
        fc.property(fc.uint8Array(), fc.string({ minLength: 1 }), fc.nat(), (body, key, at) => {
          const signature = createHmac(form.hash, key).update(body).digest(form.encoding);
          const check = (given: string, bytes: Uint8Array = body, by = key) =>
            isSignedBy(createSecretKey(by, 'utf8'), { body: bytes, signature: given }, form);
          assert.ok(check(signature));
          assert.ok(!check(signature, Buffer.concat([body, Buffer.from(' ')])));
          assert.ok(!check(signature, body, `${key}x`));
          const [position, other] = [
            at % signature.length,
            signature[at % signature.length] === '0' ? '1' : '0',
          ];
          const altered = signature.slice(0, position) + other + signature.slice(position + 1);
          assert.ok(
            !check(altered) ||
              Buffer.from(altered, form.encoding).equals(Buffer.from(signature, form.encoding)),
          );
          for (const wrong of [
            '',
            signature.slice(1),
            `${signature}00`,
            `${signature}, ${signature}`,
            `zz${signature}`,
          ]) {
            assert.ok(!check(wrong), wrong);
          }
        }),
      );
    });
  }
});
