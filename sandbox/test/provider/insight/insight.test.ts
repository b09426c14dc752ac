import assert from 'node:assert/strict';
import { test } from 'node:test';
import { get, provide } from '../client.ts';

const networks: [string, string, string][] = [
  ['2348030000017', 'MTN Nigeria', '62130'],
  ['2347025000017', 'MTN Nigeria', '62130'],
  ['2349020000017', 'Airtel Nigeria', '62120'],
  ['2348050000017', 'Glo Nigeria', '62150'],
  ['2348090000017', '9mobile Nigeria', '62160'],
];

test('reports DND for a number that ends in 7, with the network of its prefix', async (t) => {
  const provider = await provide(t);
  for (const [number, network, code] of networks) {
    const response = await get(provider, '/api/check/dnd', { phone_number: number });
    assert.equal(response.status, 200);
    assert.deepEqual(await response.json(), {
      number,
      status: 'DND blacklisted',
      network,
      network_code: code,
      dnd_active: true,
      message: 'DND is active on this number',
    });
  }
});
