import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operationNames } from '../../provider/operation-names.ts';
import { provide } from './client.ts';

/** The method and path of each operation. */
const paths: Record<(typeof operationNames)[number], string> = {
  'messages.send': 'POST /api/sms/send',
  'messages.sendChatOtp': 'POST /api/sms/send',
  'messages.sendBulk': 'POST /api/sms/send/bulk',
  'tokens.send': 'POST /api/sms/otp/send',
  'tokens.generate': 'POST /api/sms/otp/generate',
  'tokens.call': 'POST /api/sms/otp/call',
  'tokens.email': 'POST /api/email/otp/send',
  'insight.query': 'GET /api/insight/number/query',
  'insight.checkDnd': 'GET /api/check/dnd',
  'senderIds.list': 'GET /api/sender-id',
  'senderIds.request': 'POST /api/sender-id/request',
  'phonebooks.contacts': 'GET /api/phonebooks/7/contacts',
  'phonebooks.addContact': 'POST /api/phonebooks/7/contacts',
  'phonebooks.upload': 'POST /api/phonebooks/contacts/upload',
  'phonebooks.deleteContact': 'DELETE /api/phonebooks/7/contacts',
  'esims.authenticate': 'POST /api/esim/authenticate',
  'esims.plans': 'GET /api/esim/data/plan/fetch',
  'esims.plansDeprecated': 'GET /api/esim/data/plan/all',
  'esims.create': 'POST /api/esim/create',
  'esims.purchase': 'POST /api/esim/data-plan/purchase',
  'esims.qrCode': 'GET /api/esim/activate/89/qr/code',
  'esims.profile': 'GET /api/esim/euicc/89',
  'esims.usage': 'GET /api/esim/subscriptions/usage/89',
  'esims.planStatus': 'GET /api/esim/iccid/89/details',
  'esims.list': 'GET /api/esim/fetch/esims',
  'esims.countries': 'GET /api/esim/countries/all',
};

test('identifies each of the 26 operations, for arrivals and ordered faults', async (t) => {
  const provider = await provide(t);
  const orders = operationNames.map((operation, index) =>
    provider.orderFault({ operation, fault: { kind: 'status', status: 500 + index } }),
  );
  assert.equal(orders.length, 26);
  for (const [index, name] of operationNames.entries()) {
    const [method = '', path] = paths[name].split(' ');
    const body = name === 'messages.sendChatOtp' ? '{"channel":"chatapp_otp"}' : '{}';
    const ask = () => fetch(`${provider.url}${path}`, { method, ...(method === 'GET' ? {} : { body }) });
    assert.equal((await ask()).status, 500 + index, name);
    assert.equal(provider.arrivals.at(-1)?.operation, name);
    const refused = await ask();
    const { message } = await refused.json();
    assert.ok([401, 415].includes(refused.status), `${name}: ${message}`);
  }
  assert.ok(orders.every(({ remaining }) => remaining === 0));
});
