import assert from 'node:assert/strict';
import { test } from 'node:test';
import { provide } from '../client.ts';
import { esimClient } from './client.ts';

test('lists data plans in the envelope, in pages, with price and countries', async (t) => {
  const provider = await provide(t);
  const client = await esimClient(provider);
  const response = await client.get('/data/plan/fetch');
  const { data, ...envelope } = await response.json();
  assert.equal(response.status, 200);
  assert.deepEqual(envelope, {
    status: 'Success',
    code: 200,
    message: 'Data plans fetched successfully',
    timestamp: '2026-03-02 12:00:00',
  });
  assert.deepEqual([data.totalElements, data.totalPages, data.size, data.last], [20, 2, 15, false]);
  assert.deepEqual(data.content[0], {
    productId: 'ng-1gb-7d',
    name: 'Nigeria 1 GB, 7 days',
    dataUsageAllowance: 1,
    timeAllowance: 7,
    dataPlanType: 'LOCAL',
    price: 1800,
    currency: 'NGN',
    supportedCountries: [{ country: 'Nigeria', iso3: 'NGA' }],
  });
  const rest = await (await client.get('/data/plan/fetch', { page: '1' })).json();
  assert.deepEqual([rest.data.content.length, rest.data.last], [5, true]);
  assert.equal(provider.arrivals[1]?.operation, 'esims.plans');
});

test('filters data plans by country and type', async (t) => {
  const client = await esimClient(await provide(t));
  const found = async (query: Record<string, string>) => {
    const { data } = await (await client.get('/data/plan/fetch', query)).json();
    return data.content.map(({ productId }: { productId: string }) => productId);
  };
  const inBritain = ['gb-1gb-7d', 'gb-5gb-30d', 'europe-1gb-7d', 'europe-5gb-30d'];
  for (const country of ['United Kingdom', 'gb', 'GBR']) {
    assert.deepEqual(await found({ country }), inBritain);
  }
  assert.deepEqual(await found({ country: 'GBR', type: 'REGION' }), inBritain.slice(2));
  assert.deepEqual(await found({ country: 'Atlantis' }), []);
  assert.equal((await client.get('/data/plan/fetch', { type: 'DESTINATION' })).status, 400);
  assert.equal((await client.get('/data/plan/fetch', { region: 'Africa' })).status, 400);
});

test('lists every plan in every country without an envelope in the deprecated list', async (t) => {
  const provider = await provide(t);
  const client = await esimClient(provider);
  const response = await client.get('/data/plan/all', { country: 'Kenya' });
  const body = await response.json();
  assert.equal(response.status, 200);
  assert.deepEqual([body.totalElements, body.number, body.size], [4, 0, 15]);
  const [row] = body.content;
  assert.match(row.uuid, /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  assert.deepEqual(row, {
    id: row.id,
    uuid: row.uuid,
    active: true,
    version: 0,
    createdAt: '2025-03-04 09:30:00',
    updatedAt: '2025-06-18 16:05:12',
    productId: 'ke-1gb-7d',
    name: 'Kenya 1 GB, 7 days',
    dataUsageAllowance: 1,
    timeAllowance: 7,
    country: 'Kenya',
    countryIso3: 'KEN',
    region: 'Africa',
    dataPlanType: 'LOCAL',
  });
  assert.deepEqual(
    body.content.map(({ dataPlanType }: { dataPlanType: string }) => dataPlanType),
    ['LOCAL', 'DESTINATION', 'REGION', 'REGION'],
  );
  const african = await (await client.get('/data/plan/all', { region: 'africa', size: '100' })).json();
  assert.equal(african.totalElements, 8 + 14);
  assert.equal(provider.arrivals[1]?.operation, 'esims.plansDeprecated');
  assert.equal((await client.get('/data/plan/all', { type: 'LOCAL' })).status, 400);
});

test('lists countries in the envelope, in pages', async (t) => {
  const provider = await provide(t);
  const client = await esimClient(provider);
  const { data, status, code } = await (await client.get('/countries/all', { page: '1', size: '6' })).json();
  assert.deepEqual([status, code, data.number, data.size, data.totalElements], ['Success', 200, 1, 6, 20]);
  assert.deepEqual(data.content[0], {
    id: 7,
    uuid: data.content[0].uuid,
    active: true,
    version: 0,
    createdAt: '2025-03-04 09:30:00',
    updatedAt: '2025-06-18 16:05:12',
    name: 'Senegal',
    iso2: 'SN',
    iso3: 'SEN',
    region: 'Africa',
  });
  assert.equal((await client.get('/countries/all', { page: '-1' })).status, 400);
  assert.equal((await client.get('/countries/all', { name: 'Senegal' })).status, 400);
  assert.equal(provider.arrivals[1]?.operation, 'esims.countries');
});
