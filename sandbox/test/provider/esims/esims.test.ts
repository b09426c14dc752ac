import assert from 'node:assert/strict';
import { test } from 'node:test';
import { provide, provideWithClock } from '../client.ts';
import { type EsimClient, esimClient } from './client.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

async function create(client: EsimClient, body: Record<string, unknown> = { productId: 'ng-1gb-7d' }) {
  const response = await client.post('/create', body);
  assert.equal(response.status, 200);
  return (await response.json()).sim;
}

async function statusOf(client: EsimClient, iccid: string) {
  const [status, usage] = await Promise.all([
    client.get(`/iccid/${iccid}/details`).then((response) => response.json()),
    client.get(`/subscriptions/usage/${iccid}`).then((response) => response.json()),
  ]);
  return [status.data.Status, usage.data_used_gigabyte, usage.data_total_gigabyte];
}

function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + Math.floor(value / 10) + (value % 10);
  }, 0);
  return sum % 10 === 0;
}

test('creates an eSIM with its plan, without an envelope, and charges it', async (t) => {
  const provider = await provide(t);
  const client = await esimClient(provider);
  const response = await client.post('/create', { productId: 'africa-5gb-30d', iso3: 'GHA' });
  const { sim, dataPlan, ...rest } = await response.json();
  assert.equal(response.status, 200);
  assert.deepEqual(rest, {});
  assert.match(sim.iccid, /^89\d{17}$/);
  assert.ok(passesLuhn(sim.iccid));
  assert.equal(sim.iccid.at(-2), '0');
  assert.deepEqual(sim, {
    id: sim.id,
    iccid: sim.iccid,
    productId: 'africa-5gb-30d',
    imsi: sim.imsi,
    state: 'RELEASED',
    lastOperationDate: '2026-03-02 12:00:00',
    activationCode: sim.activationCode,
    smdp: 'rsp.sandbox.example',
  });
  assert.ok(Number.isInteger(sim.id));
  assert.match(sim.imsi, /^62\d{13}$/);
  assert.doesNotMatch(sim.activationCode, /^LPA:/);
  assert.deepEqual(dataPlan, {
    productId: 'africa-5gb-30d',
    name: 'Africa 5 GB, 30 days',
    dataUsageAllowance: 5,
    timeAllowance: 30,
    country: 'Ghana',
    iso3: 'GHA',
    region: 'Africa',
    dataPlanType: 'REGION',
  });
  assert.equal(provider.account.balance, 25_000 - 14_500);
  assert.equal(provider.arrivals[1]?.operation, 'esims.create');
  const again = await create(client);
  assert.notEqual(again.iccid, sim.iccid);
  const { content } = await (await client.get('/fetch/esims')).json();
  assert.deepEqual([content[0], content[1]], [again, sim]);
});

test('activates a plan, uses its data and expires it', async (t) => {
  const { provider, pass } = await provideWithClock(t);
  const client = await esimClient(provider);
  const { iccid } = await create(client);
  assert.deepEqual(await statusOf(client, iccid), ['NOT_ACTIVE', 0, 1]);
  pass(5 * minute - 1);
  assert.deepEqual(await statusOf(client, iccid), ['NOT_ACTIVE', 0, 1]);
  pass(1);
  assert.deepEqual(await statusOf(client, iccid), ['ACTIVE', 0, 1]);
  pass(10 * minute);
  assert.deepEqual(await statusOf(client, iccid), ['ACTIVE', 0.2, 1]);
  pass(10 * minute);
  assert.deepEqual(await statusOf(client, iccid), ['ACTIVE', 0.4, 1]);
  pass(day / 2);
  assert.deepEqual(await statusOf(client, iccid), ['ACTIVE', 1, 1]);
  pass(7 * day);
  const later = await esimClient(provider);
  assert.deepEqual(await statusOf(later, iccid), ['EXPIRED', 1, 1]);
});

test('dates only past events in the status of a plan', async (t) => {
  const { provider, pass } = await provideWithClock(t);
  const client = await esimClient(provider);
  const { iccid } = await create(client);
  const { data, ...envelope } = await (await client.get(`/iccid/${iccid}/details`)).json();
  assert.deepEqual(envelope, {
    status: 'Success',
    code: 200,
    message: 'Data plan status fetched successfully',
    timestamp: '2026-03-02 12:00:00',
  });
  const fresh = {
    productId: 'ng-1gb-7d',
    iccid,
    createdDate: '2026-03-02 12:00:00',
    activatedDate: null,
    expiryDate: null,
    windowActivationEndDate: '2026-05-31 12:00:00',
    Status: 'NOT_ACTIVE',
    dataPlan: 'Nigeria 1 GB, 7 days',
  };
  assert.deepEqual(data, fresh);
  pass(6 * minute);
  assert.deepEqual((await (await client.get(`/iccid/${iccid}/details`)).json()).data, {
    ...fresh,
    activatedDate: '2026-03-02 12:05:00',
    expiryDate: '2026-03-09 12:05:00',
    Status: 'ACTIVE',
  });
});

test('sets the date of purchase on a top-up and carries over the remaining data', async (t) => {
  const { provider, pass } = await provideWithClock(t);
  const client = await esimClient(provider);
  const { iccid, ...before } = await create(client);
  pass(15 * minute);
  const { balance } = provider.account;
  const topUp = { iccid, productId: 'africa-1gb-7d', iso3: 'NGA' };
  const response = await client.post('/data-plan/purchase', topUp);
  const { data, ...envelope } = await response.json();
  assert.equal(response.status, 200);
  assert.deepEqual([envelope.status, envelope.code], ['Success', 200]);
  assert.deepEqual(data.sim, {
    ...before,
    iccid,
    productId: 'africa-1gb-7d',
    state: 'INACTIVE',
    lastOperationDate: '2026-03-02 12:15:00',
    purchaseDate: '2026-03-02T12:15:00+01:00',
  });
  assert.deepEqual(
    [data.dataPlan.name, data.dataPlan.country, 'price' in data.dataPlan],
    ['Africa 1 GB, 7 days', 'Nigeria', false],
  );
  assert.equal(provider.account.balance, balance - 3600);
  assert.deepEqual(await statusOf(client, iccid), ['NOT_ACTIVE', 0, 1.8]);
  pass(10 * day);
  const later = await esimClient(provider);
  await later.post('/data-plan/purchase', topUp);
  assert.deepEqual(await statusOf(later, iccid), ['NOT_ACTIVE', 0, 1]);
});

test('returns the state of a profile with integer timestamps', async (t) => {
  const { provider, pass } = await provideWithClock(t);
  const client = await esimClient(provider);
  const { iccid, imsi, activationCode } = await create(client);
  pass(minute);
  const body = await (await client.get(`/euicc/${iccid}`)).json();
  const created = Date.parse('2026-03-02T11:00:00Z');
  assert.deepEqual(body, {
    iccid,
    imsi,
    state: 'RELEASED',
    last_operation_date: created,
    reuse_remaining_count: 3,
    cc_required: false,
    release_date: created,
    activationCode,
    smdp: 'rsp.sandbox.example',
  });
  await client.post('/data-plan/purchase', { iccid, productId: 'ng-1gb-7d', iso3: 'NGA' });
  const after = await (await client.get(`/euicc/${iccid}`)).json();
  assert.deepEqual([after.state, after.last_operation_date], ['INACTIVE', created + minute]);
});

test('seeds eSIMs: one new, one in use, one expired', async (t) => {
  const provider = await provide(t);
  const client = await esimClient(provider);
  const { content, totalElements } = await (await client.get('/fetch/esims', { size: '3' })).json();
  assert.equal(totalElements, 11);
  const statuses = await Promise.all(content.map(({ iccid }: { iccid: string }) => statusOf(client, iccid)));
  assert.deepEqual(statuses, [
    ['NOT_ACTIVE', 0, 1],
    ['ACTIVE', 0.4, 1],
    ['EXPIRED', 1, 1],
  ]);
  assert.ok(provider.account.sims.every(({ iccid }) => passesLuhn(iccid)));
  const iccids = [...provider.account.sims, ...provider.fullAccount.sims].map(({ iccid }) => iccid);
  assert.equal(new Set(iccids).size, 22);
});

test('refuses a wrong purchase without charging it', async (t) => {
  const provider = await provide(t);
  const client = await esimClient(provider);
  const iccid = provider.account.sims[0]?.iccid;
  const right = { iccid, productId: 'gb-1gb-7d', iso3: 'GBR' };
  const attempts: [string, Record<string, unknown>, number, RegExp][] = [
    ['/create', { productId: 'moon-1gb-7d' }, 404, /^Data plan not found: moon-1gb-7d$/],
    ['/create', { productId: 'gb-1gb-7d', iso3: 'NGA' }, 400, /^iso3: gb-1gb-7d is not for NGA$/],
    ['/create', { productId: 'gb-1gb-7d', iso3: 'GB' }, 400, /^iso3: must be the three/],
    ['/data-plan/purchase', { ...right, iso3: 'gbr' }, 400, /^iso3: must be the three/],
    ['/data-plan/purchase', { ...right, iccid: '8900000000000000000' }, 404, /^eSIM not found: 8900/],
    ['/data-plan/purchase', { ...right, productId: 'x' }, 404, /^Data plan not found: x$/],
  ];
  for (const [path, body, status, expected] of attempts) {
    const response = await client.post(path, body);
    assert.match((await response.json()).message, expected);
    assert.equal(response.status, status);
  }
  assert.equal(provider.account.balance, 25_000);
  assert.equal(provider.account.sims.length, 11);
  provider.setBalance(1799.99);
  const poor = await client.post('/create', { productId: 'ng-1gb-7d' });
  assert.equal(poor.status, 400);
  assert.match((await poor.json()).message, /balance/);
});

test('finds an unknown eSIM by no operation', async (t) => {
  const provider = await provide(t);
  const client = await esimClient(provider);
  const nobody = '8923490000000000000';
  for (const [path, operation] of [
    [`/euicc/${nobody}`, 'esims.profile'],
    [`/subscriptions/usage/${nobody}`, 'esims.usage'],
    [`/iccid/${nobody}/details`, 'esims.planStatus'],
    [`/activate/${nobody}/qr/code`, 'esims.qrCode'],
  ] as const) {
    const response = await client.get(path);
    assert.equal(response.status, 404);
    assert.equal((await response.json()).message, `eSIM not found: ${nobody}`);
    assert.equal(provider.arrivals.at(-1)?.operation, operation);
    assert.equal((await client.get(path, { page: '0' })).status, 400);
  }
});
