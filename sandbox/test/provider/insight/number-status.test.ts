import assert from 'node:assert/strict';
import { test } from 'node:test';
import { get, provide } from '../client.ts';

const path = '/api/insight/number/query';

test('returns the network of a number and whether it was ported', async (t) => {
  const provider = await provide(t);
  for (const [number, ported] of [
    ['2348030000011', 0],
    ['2348030000013', 1],
  ] as const) {
    const response = await get(provider, path, { phone_number: number, country_code: 'NG' });
    const body = await response.json();
    assert.equal(response.status, 200);
    const refId = body.result[0].refId;
    assert.equal(typeof refId, 'string');
    assert.deepEqual(body, {
      result: [
        {
          routeDetail: { number, ported },
          countryDetail: { countryCode: '234', mobileCountryCode: '621', iso: 'NG' },
          operatorDetail: {
            operatorCode: 'MTN',
            operatorName: 'MTN Nigeria',
            mobileNumberCode: '30',
            mobileRoutingCode: '61',
            carrierIdentificationCode: '23461',
            lineType: 'Mobile',
          },
          format: { universalNumberFormat: `+${number}` },
          status: 200,
          refId,
        },
      ],
      status: true,
      message: 'Successful',
    });
  }
  assert.equal(provider.arrivals[0]?.operation, 'insight.query');
});

test('reports a number of no known network as fake', async (t) => {
  const provider = await provide(t);
  for (const [number, country] of [
    ['2346000000011', 'NG'],
    ['447700900001', 'GB'],
    ['2348030000011', 'GH'],
  ] as const) {
    const response = await get(provider, path, { phone_number: number, country_code: country });
    assert.equal(response.status, 200);
    assert.deepEqual(await response.json(), {
      result: [],
      status: false,
      message: 'This number is not known',
    });
  }
});

test('refuses number status on an account without it', async (t) => {
  const provider = await provide(t);
  const query = { api_key: provider.otherAccount.key, phone_number: '2348030000011', country_code: 'NG' };
  const response = await get(provider, path, query);
  assert.equal(response.status, 403);
  assert.match((await response.json()).message, /not active on your account/);
});
