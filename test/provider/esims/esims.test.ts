import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { inspect } from 'node:util';
import { Secret } from '../../../src/lib/secret.ts';
import type { ProviderAccount } from '../../../src/provider/client.ts';
import type { Outcome } from '../../../src/provider/errors.ts';
import { answer, type Behaviour } from '../../support/http/raw-server.ts';
import {
  envelope,
  iccid,
  plan,
  serveEsims,
  sim,
  smdp,
  wholeCode,
} from '../../support/provider/esim-server.ts';
import { ends, testClient, testKey } from '../../support/provider/provider-client.ts';

/** The request of one operation after its authentication, and its outcome. */
async function meet<T>(
  t: TestContext,
  other: Behaviour,
  call: (account: ProviderAccount) => Promise<Outcome<T>>,
) {
  const server = await serveEsims(t, other);
  const outcome = await call(testClient(t, server.url).account);
  return { outcome, asked: server.asked() };
}

async function accepted<T>(
  t: TestContext,
  body: object | string,
  call: (account: ProviderAccount) => Promise<Outcome<T>>,
) {
  const { outcome } = await meet(t, answer(200, body), call);
  assert.ok(outcome.kind === 'accepted', inspect(outcome));
  return outcome.value;
}

const redactedSim = { ...sim, activationCode: new Secret('K2-9F3X7') };

test('leaves out the spaces of an ICCID', async (t) => {
  const order = { iccid: '8923 4000 0000 0000 017', productId: 'p', iso3: 'NGA' };
  const { asked } = await meet(t, answer(400, { message: 'no' }), ({ esims }) => esims.purchase(order));
  assert.deepEqual(
    asked.map(({ body }) => JSON.parse(body)),
    [{ ...order, iccid }],
  );
});

test('refuses invalid input before it requests a token', async (t) => {
  const server = await serveEsims(t, answer(200, {}));
  const { esims } = testClient(t, server.url).account;
  const cases: [Promise<Outcome<unknown>>, field: string][] = [
    [esims.profile({ iccid: '89234000000000000' }), 'iccid'],
    [esims.usage({ iccid: '89234000000000000170000' }), 'iccid'],
    [esims.planStatus({ iccid: '7923400000000000017' }), 'iccid'],
    [esims.qrCode({ iccid: '../../../../phonebooks' }), 'iccid'],
    [esims.purchase({ iccid, productId: ' ', iso3: 'NGA' }), 'productId'],
    [esims.purchase({ iccid, productId: 'p', iso3: 'NG' }), 'iso3'],
    [esims.create({ productId: 'p', iso3: 'nga' }), 'iso3'],
    [esims.plans({ country: '' }), 'country'],
    [esims.list({ page: -1 }), 'page'],
    [esims.countries({ size: 0 }), 'size'],
  ];
  for (const [call, field] of cases) {
    const error = await ends(call, { kind: 'not_sent', reason: 'input' });
    assert.deepEqual(
      error.faults?.map((fault) => fault.field),
      [field],
    );
  }
  assert.equal(server.connections(), 0);
});

test('reads a new eSIM and its plan, enveloped or bare, with the code as a Secret', async (t) => {
  const order = { sim, dataPlan: plan };
  const read = {
    sim: {
      iccid,
      id: '4101',
      productId: 'ng-1gb-7d',
      imsi: '621200000000017',
      state: 'RELEASED',
      lastOperationDate: new Date('2026-03-04T08:30:00Z'),
      activationCode: new Secret('K2-9F3X7'),
      smdp,
      raw: redactedSim,
    },
    dataPlan: { ...plan, raw: plan },
  };
  const bare = await accepted(t, order, ({ esims }) => esims.create({ productId: 'ng-1gb-7d' }));
  assert.deepEqual(bare, { ...read, raw: { sim: redactedSim, dataPlan: plan } });
  const wrapped = await accepted(t, envelope(order), ({ esims }) => esims.create({ productId: 'ng-1gb-7d' }));
  assert.deepEqual(wrapped, {
    ...read,
    message: 'Done',
    timestamp: new Date('2026-03-04T08:30:05Z'),
    raw: envelope({ sim: redactedSim, dataPlan: plan }),
  });
  for (const value of [bare, wrapped]) {
    assert.ok(!inspect(value, { depth: 9 }).includes('K2-9F3X7'));
  }
  assert.equal(bare.sim.activationCode?.reveal(), 'K2-9F3X7');
});

test('reads the date of a purchase with its offset', async (t) => {
  const bought = { ...sim, state: 'INACTIVE', purchaseDate: '2026-03-04T09:30:00.123+02:00' };
  const { sim: read } = await accepted(t, envelope({ sim: bought, dataPlan: plan }), ({ esims }) =>
    esims.purchase({ iccid, productId: 'ng-1gb-7d', iso3: 'NGA' }),
  );
  assert.equal(read.state, 'INACTIVE');
  assert.equal(read.purchaseDate?.toISOString().slice(0, 19), '2026-03-04T07:30:00');
});

test('keeps every digit of a plan’s price', async (t) => {
  const text = JSON.stringify(
    envelope({
      content: [
        { ...plan, price: 0, currency: 'NGN', supportedCountries: [{ country: 'Ghana', iso3: 'GHA' }] },
      ],
    }),
  ).replace('"price":0', '"price":1234567890.10');
  const {
    records: [read],
  } = await accepted(t, text, ({ esims }) => esims.plans());
  assert.equal(read?.price, '1234567890.10');
  assert.equal(read?.dataUsageAllowance, 1.5);
  assert.deepEqual(read?.supportedCountries, [{ country: 'Ghana', iso3: 'GHA' }]);
});

test('reads a profile’s timestamps in seconds and in milliseconds', async (t) => {
  const profile = {
    iccid,
    imsi: '621200000000017',
    state: 'RELEASED',
    last_operation_date: 1772613000,
    reuse_remaining_count: -1,
    cc_required: false,
    release_date: 1772613000000,
    activationCode: 'K2-9F3X7',
    smdp,
  };
  const at = new Date('2026-03-04T08:30:00Z');
  assert.deepEqual(await accepted(t, profile, ({ esims }) => esims.profile({ iccid })), {
    iccid,
    imsi: '621200000000017',
    state: 'RELEASED',
    lastOperationDate: at,
    reuseRemainingCount: -1,
    ccRequired: false,
    releaseDate: at,
    activationCode: new Secret('K2-9F3X7'),
    smdp,
    raw: { ...profile, activationCode: new Secret('K2-9F3X7') },
  });
  const never = { iccid, last_operation_date: 0, release_date: null };
  assert.deepEqual(await accepted(t, never, ({ esims }) => esims.profile({ iccid })), { iccid, raw: never });
});

test('reads usage as numbers, also from text', async (t) => {
  for (const body of [
    { data_total_gigabyte: 5, data_used_gigabyte: 0.375 },
    { data_total_gigabyte: '5.0', data_used_gigabyte: '3.75e-1' },
  ]) {
    const usage = await accepted(t, body, ({ esims }) => esims.usage({ iccid }));
    assert.deepEqual(usage, { dataTotalGigabyte: 5, dataUsedGigabyte: 0.375, raw: body });
  }
});

test('passes on a plan’s state, documented or not', async (t) => {
  for (const status of ['NOT_ACTIVE', 'ACTIVE', 'EXPIRED', 'SUSPENDED']) {
    const data = {
      productId: 'ng-1gb-7d',
      iccid,
      createdDate: '2026-03-04 09:30:00',
      activatedDate: null,
      expiryDate: '2026-03-11 09:30:00',
      windowActivationEndDate: '2026-06-02 09:30:00',
      Status: status,
      dataPlan: 'Nigeria 1 GB',
    };
    assert.deepEqual(await accepted(t, envelope(data), ({ esims }) => esims.planStatus({ iccid })), {
      status,
      productId: 'ng-1gb-7d',
      iccid,
      createdDate: new Date('2026-03-04T08:30:00Z'),
      expiryDate: new Date('2026-03-11T08:30:00Z'),
      windowActivationEndDate: new Date('2026-06-02T08:30:00Z'),
      dataPlan: 'Nigeria 1 GB',
      message: 'Done',
      timestamp: new Date('2026-03-04T08:30:05Z'),
      raw: envelope(data),
    });
  }
});

test('iterates over pages and ends where a page is repeated', async (t) => {
  const pages: Behaviour = (socket, received) => {
    const page = Number(new URL(received.path, 'http://x').searchParams.get('page'));
    const content = [{ ...sim, iccid: `892340000000000010${page}` }];
    answer(200, { content, number: page, totalPages: 3, last: page === 2 })(socket, received);
  };
  const server = await serveEsims(t, pages);
  const { esims } = testClient(t, server.url).account;
  const all = await Array.fromAsync(esims.all({ size: 1 }));
  assert.deepEqual(
    all.flatMap(({ records }) => records.map(({ iccid }) => iccid)),
    ['8923400000000000100', '8923400000000000101', '8923400000000000102'],
  );
  assert.equal(server.asked().length, 3);
  assert.equal(server.authentications().length, 1);

  const same = await serveEsims(t, answer(200, envelope({ content: [plan], number: 0 })));
  assert.equal((await Array.fromAsync(testClient(t, same.url).account.esims.allPlans())).length, 1);
  const countries = await serveEsims(t, answer(200, envelope({ content: [{ name: 'Ghana' }] })));
  assert.equal((await Array.fromAsync(testClient(t, countries.url).account.esims.allCountries())).length, 1);
});

test('refuses an envelope without its markers of success or the requested data', async (t) => {
  const { status, ...unmarked } = envelope({ content: [] });
  assert.equal(status, 'Success');
  const { outcome } = await meet(t, answer(200, unmarked), ({ esims }) => esims.plans());
  assert.ok(outcome.kind === 'unconfirmed');
  assert.match(outcome.error.message, /Missing or wrong: status\./);
  const { esims } = testClient(t, (await serveEsims(t, answer(200, {}))).url).account;
  for (const outcome of await Promise.all([
    esims.profile({ iccid }),
    esims.usage({ iccid }),
    esims.planStatus({ iccid }),
  ])) {
    assert.equal(outcome.kind, 'unconfirmed');
  }
});

test('neither key nor token nor activation code is in an error', async (t) => {
  const quoting: Behaviour = (socket, received) => {
    const said = `no: ${testKey} ${received.headers['x-token']} ${wholeCode}`;
    answer(400, { message: said, link: received.path })(socket, received);
  };
  const server = await serveEsims(t, quoting);
  const { esims } = testClient(t, server.url).account;
  for (const outcome of await Promise.all([
    esims.create({ productId: 'p' }),
    esims.profile({ iccid }),
    esims.qrCode({ iccid }),
    esims.list(),
  ])) {
    assert.equal(outcome.kind, 'rejected');
    const shown = inspect(outcome, { depth: 9 });
    for (const secret of [testKey, 'esim-token-1', 'K2-9F3X7']) {
      assert.ok(!shown.includes(secret), shown);
    }
  }
});
