import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scan } from '../../../../test/support/qr-scanner.ts';
import { qrCodeShapes } from '../../../provider/esims/qr.ts';
import { provide } from '../client.ts';
import { esimClient } from './client.ts';

/** Fetches the QR code of a seeded eSIM. There is one for each shape. */
async function fetchCode(provider: Awaited<ReturnType<typeof provide>>, index: number) {
  const client = await esimClient(provider);
  const sim = provider.account.sims[index] ?? assert.fail('no such eSIM');
  const response = await client.get(`/activate/${sim.iccid}/qr/code`);
  return { sim, response, type: response.headers.get('content-type') };
}

const prefix = 'data:image/png;base64,';
const fromBase64 = (text: string) => scan(Buffer.from(text, 'base64'));
const fromUri = (uri: string) => {
  assert.ok(uri.startsWith(prefix));
  return fromBase64(uri.slice(prefix.length));
};

test('has a shape of QR code for each last but one digit of an ICCID', async (t) => {
  const provider = await provide(t);
  assert.equal(qrCodeShapes.length, 10);
  const digits = provider.account.sims.map(({ iccid }) => iccid.at(-2));
  assert.deepEqual(digits, [...'0123456789', '5']);
});

test('0: returns the bytes of a PNG', async (t) => {
  const { sim, response, type } = await fetchCode(await provide(t), 0);
  assert.equal(type, 'image/png');
  const png = new Uint8Array(await response.arrayBuffer());
  assert.equal(scan(png), `LPA:1$rsp.sandbox.example$${sim.activationCode}`);
});

test('1 and 4: returns a data URI in JSON, bare and in the envelope', async (t) => {
  const provider = await provide(t);
  const bare = await fetchCode(provider, 1);
  const body = await bare.response.json();
  assert.deepEqual(Object.keys(body), ['qrCode']);
  assert.equal(fromUri(body.qrCode), `LPA:1$rsp.sandbox.example$${bare.sim.activationCode}`);
  const enveloped = await fetchCode(provider, 4);
  const { status, code, data } = await enveloped.response.json();
  assert.deepEqual([status, code], ['Success', 200]);
  assert.equal(fromUri(data.qrCode), `LPA:1$rsp.sandbox.example$${enveloped.sim.activationCode}`);
});

test('2: returns base64 in JSON', async (t) => {
  const { sim, response } = await fetchCode(await provide(t), 2);
  const { qrCode } = await response.json();
  assert.equal(fromBase64(qrCode), `LPA:1$rsp.sandbox.example$${sim.activationCode}`);
});

test('3: returns the address of a public image in JSON', async (t) => {
  const provider = await provide(t);
  const { sim, response } = await fetchCode(provider, 3);
  const { qrCodeUrl } = await response.json();
  assert.equal(qrCodeUrl, `${provider.url}/api/esim/qr/${sim.iccid}`);
  const image = await fetch(qrCodeUrl);
  assert.equal(image.headers.get('content-type'), 'image/png');
  const code = scan(new Uint8Array(await image.arrayBuffer()));
  assert.equal(code, `LPA:1$rsp.sandbox.example$${sim.activationCode}`);
  assert.equal(provider.arrivals.at(-1)?.operation, 'esims.qrImage');
  assert.equal((await fetch(`${provider.url}/api/esim/qr/8900`)).status, 404);
});

test('5: returns the activation code instead of an image, whole or bare', async (t) => {
  const provider = await provide(t);
  const bare = await fetchCode(provider, 5);
  const { activationCode } = bare.sim;
  assert.doesNotMatch(activationCode, /^LPA:/);
  assert.deepEqual((await bare.response.json()).data, { activationCode, smdp: 'rsp.sandbox.example' });
  const whole = await fetchCode(provider, 10);
  assert.match((await whole.response.json()).data.activationCode, /^LPA:1\$rsp\.sandbox\.example\$SB-/);
});

test('6 and 7: returns a data URI or base64 as text', async (t) => {
  const provider = await provide(t);
  const uri = await fetchCode(provider, 6);
  assert.equal(uri.type, 'text/plain');
  const read = fromUri(await uri.response.text());
  assert.equal(read, `LPA:1$rsp.sandbox.example$${uri.sim.activationCode}`);
  const bare = await fetchCode(provider, 7);
  assert.match(fromBase64(await bare.response.text()) ?? '', /^LPA:1\$/);
});

test('8 and 9: returns a 404, and an empty 200', async (t) => {
  const provider = await provide(t);
  const missing = await fetchCode(provider, 8);
  assert.equal(missing.response.status, 404);
  const empty = await fetchCode(provider, 9);
  assert.deepEqual([empty.response.status, await empty.response.text()], [200, '']);
});

test('applies faults to an image', async (t) => {
  const provider = await provide(t);
  provider.orderFault({ operation: 'esims.qrCode', fault: { kind: 'cut_body' } });
  const { response } = await fetchCode(provider, 0);
  await assert.rejects(response.arrayBuffer());
  provider.orderFault({ operation: 'esims.qrCode', fault: { kind: 'slow_body', delay: 1 } });
  const slow = await fetchCode(provider, 0);
  assert.match(scan(new Uint8Array(await slow.response.arrayBuffer())) ?? '', /^LPA:/);
});
