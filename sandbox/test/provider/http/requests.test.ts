import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { test } from 'node:test';
import { get, message, provide } from '../client.ts';

test('accepts only a JSON object with its content type', async (t) => {
  const provider = await provide(t);
  const text = JSON.stringify(message(provider));
  const attempts: [string, string, number][] = [
    ['text/plain', text, 415],
    ['application/x-www-form-urlencoded', new URLSearchParams({ sms: 'x' }).toString(), 415],
    ['application/json', text.slice(0, -1), 400],
    ['application/json', `[${text}]`, 400],
    ['application/json', '', 400],
    ['application/json; charset=utf-8', text, 200],
  ];
  for (const [type, body, status] of attempts) {
    const request = { method: 'POST', headers: { 'content-type': type }, body };
    assert.equal((await fetch(`${provider.url}/api/sms/send`, request)).status, status, `${type} ${body}`);
  }
  assert.equal(provider.record.length, 1);
});

test('answers a GET with a content type by an empty success', async (t) => {
  const provider = await provide(t);
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${provider.url}/api/sender-id?api_key=${provider.account.key}`, { headers });
  assert.equal(response.status, 200);
  assert.equal(await response.text(), '');
});

test('answers 404 for an unknown path and 405 with the right method', async (t) => {
  const provider = await provide(t);
  const unknown = await get(provider, '/api/sms/sent');
  assert.equal(unknown.status, 404);
  assert.equal((await unknown.json()).link, 'uri=/sms/sent');
  const wrong = await get(provider, '/api/sms/send');
  assert.equal(wrong.status, 405);
  assert.equal(wrong.headers.get('allow'), 'POST');
});

test('answers 404 for an odd request target', async (t) => {
  const provider = await provide(t);
  for (const path of ['//', '/api//sms/send', '/?', '*']) {
    const request = httpRequest(provider.url, { method: 'OPTIONS', path });
    const answered = once(request, 'response');
    request.end();
    const [response] = await answered;
    assert.equal(response.statusCode, 404, path);
    response.resume();
  }
});

test('keeps every request with its content', async (t) => {
  const provider = await provide(t);
  await get(provider, '/api/check/dnd', { phone_number: '2348030009002' }).catch(() => {});
  const headers = { 'content-type': 'application/json' };
  await fetch(`${provider.url}/api/sms/send`, { method: 'POST', headers, body: '{"sms":' });
  await fetch(`${provider.url}/api/sms/send`, { method: 'POST', headers, body: '{"sms":1}' });
  assert.deepEqual(
    provider.arrivals.map(({ method, path, query, text, body }) => ({ method, path, query, text, body })),
    [
      {
        method: 'GET',
        path: '/api/check/dnd',
        query: { api_key: provider.account.key, phone_number: '2348030009002' },
        text: '',
        body: undefined,
      },
      { method: 'POST', path: '/api/sms/send', query: {}, text: '{"sms":', body: undefined },
      { method: 'POST', path: '/api/sms/send', query: {}, text: '{"sms":1}', body: { sms: 1 } },
    ],
  );
  assert.equal(provider.arrivals[1]?.headers['content-type'], 'application/json');
});

test('ignores a request whose client leaves before its end', async (t) => {
  const provider = await provide(t);
  const request = httpRequest(`${provider.url}/api/sms/send`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': 1000 },
  });
  const failed = once(request, 'error');
  await new Promise((written) => request.write(JSON.stringify(message(provider)), written));
  request.destroy(new Error('gone'));
  await failed;
  assert.equal((await get(provider, '/api/sender-id')).status, 200);
  assert.deepEqual(
    provider.arrivals.map(({ path }) => path),
    ['/api/sender-id'],
  );
});
