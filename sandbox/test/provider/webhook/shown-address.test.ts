import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LoggedRequest } from '../../../lib/logged-request.ts';
import { shownAddress } from '../../../provider/webhook/post-webhook.ts';

const path = `/provider/reports/${'aB3-_'.repeat(8)}xyz`;

function exchange(change: Partial<LoggedRequest>): LoggedRequest {
  const view = { blocks: [{ type: 'section', text: { type: 'mrkdwn', text: `*Address*\n\`${path}\`` } }] };
  const made = { id: '1', at: '2026-01-01T00:00:00Z', status: 200, answer: null, milliseconds: 1 };
  return { ...made, from: 'app', to: 'slack', what: 'views.update', request: { view }, ...change };
}

test('the address of reports is read where the app shows it in a modal, and nowhere else', () => {
  assert.equal(shownAddress(exchange({})), path);
  assert.equal(shownAddress(exchange({ request: { view: `https://sms.example.com${path}` } })), path);
  assert.equal(shownAddress(exchange({ what: 'chat.postMessage' })), undefined);
  assert.equal(shownAddress(exchange({ from: 'provider', to: 'app' })), undefined);
  assert.equal(shownAddress(exchange({ request: { view: '/provider/reports/short' } })), undefined);
});
