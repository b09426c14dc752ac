import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { answer } from '../../support/http/raw-server.ts';
import { ends, serve, testClient, testKey } from '../../support/provider/provider-client.ts';

const asked = { phoneNumber: '2348020000001', countryCode: 'NG' };

async function query(t: TestContext, status: number, body: string | object) {
  const { url } = await serve(t, answer(status, body));
  return testClient(t, url).account.insight.query(asked);
}

test('the number, its country and the key go in the query', async (t) => {
  const server = await serve(t, answer(200, { result: [] }));
  await testClient(t, server.url).account.insight.query({ ...asked, countryCode: 'ng' });
  const [request] = server.requests;
  assert.equal(request?.method, 'GET');
  assert.equal(
    request.path,
    `/api/insight/number/query?phone_number=2348020000001&country_code=NG&api_key=${testKey}`,
  );
});

test('omits only the missing fields of a number’s status', async (t) => {
  const body = { result: [{ routeDetail: { ported: 1 }, operatorDetail: null, format: 'none' }, {}] };
  const outcome = await query(t, 200, body);
  assert.ok(outcome.kind === 'accepted');
  assert.deepEqual(outcome.value, {
    result: [{ routeDetail: { ported: 1 }, raw: body.result[0] }, { raw: body.result[1] }],
    raw: body,
  });
});

test('returns an empty result for an unknown number', async (t) => {
  const body = { result: [], status: false, message: 'This number is not known' };
  assert.deepEqual(await query(t, 200, body), { kind: 'accepted', value: { ...body, raw: body } });
});

test('refuses a response without a result', async (t) => {
  const error = await ends(query(t, 200, { status: false, message: 'Come back later' }), {
    kind: 'unconfirmed',
    reason: 'unreadable_answer',
    status: 200,
  });
  assert.match(error.message, /Missing or wrong: result\. The provider says: “Come back later”/);
  assert.equal(error.retryable, true);
});
