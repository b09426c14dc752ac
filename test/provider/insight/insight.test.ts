import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { answer } from '../../support/http/raw-server.ts';
import { ends, serve, testClient, testKey } from '../../support/provider/provider-client.ts';

const number = '2348030000001';

async function check(t: TestContext, status: number, body: string | object) {
  const { url } = await serve(t, answer(status, body));
  return testClient(t, url).account.insight.checkDnd({ phoneNumber: number });
}

test('the number and the key go in the query, without a content type', async (t) => {
  const server = await serve(t, answer(200, { number, dnd_active: true }));
  await testClient(t, new URL('/gateway/', server.url)).account.insight.checkDnd({ phoneNumber: number });
  const [request] = server.requests;
  assert.equal(request?.method, 'GET');
  assert.equal(request.path, `/gateway/api/check/dnd?phone_number=${number}&api_key=${testKey}`);
  assert.equal(request.headers['content-type'], undefined);
  assert.equal(request.body, '');
});

test('reads DND from the field, then from the text, else leaves it undefined', async (t) => {
  const cases: readonly (readonly [object, boolean | undefined])[] = [
    [{ dnd_active: true }, true],
    [{ dnd_active: false }, false],
    [{ dnd_active: 'true' }, true],
    [{ dnd_active: 0 }, false],
    [{ dnd_active: false, status: 'DND blacklisted' }, false],
    [{ dnd_active: null, status: 'DND blacklisted' }, true],
    [{ status: 'DND blacklisted' }, true],
    [{ status: 'DND whitelisted' }, false],
    [{ message: 'DND Active on Phone Number' }, true],
    [{ message: 'Do Not Disturb is enabled' }, true],
    [{ message: 'Do-not-disturb is disabled' }, false],
    [{ message: 'Number is not on DND' }, false],
    [{ message: 'Number not found in blacklist' }, false],
    [{ status: 'checked', message: 'DND inactive' }, false],
    [{ message: 'DND state cannot be told' }, undefined],
    [{ status: 'active' }, undefined],
  ];
  for (const [body, expected] of cases) {
    const outcome = await check(t, 200, { number, ...body });
    assert.ok(outcome.kind === 'accepted', JSON.stringify(body));
    assert.equal(outcome.value.dndActive, expected, JSON.stringify(body));
  }
});

test('refuses a response without anything about DND', async (t) => {
  const outcome = await check(t, 200, { number, network: 'MTN Nigeria' });
  assert.ok(outcome.kind === 'unconfirmed');
  assert.match(outcome.error.message, /dnd_active/);
});

test('a 404 about the number means not on DND; any other is an error', async (t) => {
  const answers: readonly (readonly [object, boolean | undefined])[] = [
    [{ code: 404, message: 'Phone number is not on DND', status: 'error' }, false],
    [{ code: 404, message: 'Number not found' }, undefined],
    [{ number, dnd_active: false }, false],
  ];
  for (const [body, expected] of answers) {
    const outcome = await check(t, 404, body);
    assert.ok(outcome.kind === 'accepted', JSON.stringify(body));
    assert.equal(outcome.value.dndActive, expected);
    assert.equal(outcome.value.number, number);
  }
  const refusals: readonly (readonly [string | object, 'not_found' | 'bad_key'])[] = [
    ['', 'not_found'],
    ['<html><title>Not Found</title></html>', 'not_found'],
    [{ timestamp: '2026-01-01', status: 404, error: 'Not Found', path: '/api/check/dnd' }, 'not_found'],
    [{ code: 404, message: 'Not Found' }, 'not_found'],
    [{ code: 404, message: 'API key not found for this number' }, 'bad_key'],
  ];
  for (const [body, reason] of refusals) {
    await ends(check(t, 404, body), { kind: 'rejected', reason, status: 404 });
  }
});
