import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { encode } from 'fast-png';
import { startProvider } from '../../../../sandbox/provider/server.ts';
import { Secret } from '../../../../src/lib/secret.ts';
import { drawQrCode } from '../../../../src/provider/esims/qr/draw-qr-code.ts';
import { answer, type Behaviour, hangUp, silence } from '../../../support/http/raw-server.ts';
import { byPath, iccid, serveEsims, sim, smdp, wholeCode } from '../../../support/provider/esim-server.ts';
import { ends, testClient } from '../../../support/provider/provider-client.ts';
import { pictureOf, scan, shrink } from '../../../support/qr-scanner.ts';

const codePath = `/api/esim/activate/${iccid}/qr/code`;
const profilePath = `/api/esim/euicc/${iccid}`;
const profile = answer(200, { iccid, activationCode: sim.activationCode, smdp });
const noProfile = answer(404, { message: 'No such profile' });

/** Differs from the profile's code, to show which one was drawn. */
const given = 'LPA:1$rsp.example.net$OTHER-1';
const png = Buffer.from(drawQrCode(given));
const base64 = png.toString('base64');
const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(200, 0x5a)]);

async function fetchCode(
  t: TestContext,
  code: Behaviour,
  others: Record<string, Behaviour> = { [profilePath]: profile },
) {
  const server = await serveEsims(t, byPath({ [codePath]: code, ...others }));
  const outcome = await testClient(t, server.url).account.esims.qrCode({ iccid });
  return { outcome, paths: server.asked().map(({ path }) => path), server };
}

async function drawn(t: TestContext, code: Behaviour, others?: Record<string, Behaviour>) {
  const { outcome, paths } = await fetchCode(t, code, others);
  assert.ok(outcome.kind === 'accepted', JSON.stringify(outcome));
  const { width, height } = pictureOf(outcome.value.png);
  assert.ok(width >= 400 && height >= 400);
  const text = scan(outcome.value.png);
  assert.equal(outcome.value.activationCode.reveal(), text);
  return { text, paths };
}

const image = { 'content-type': 'image/png' };
const shapes: Record<string, Behaviour> = {
  'the bytes of a PNG': answer(200, png, image),
  'the bytes of a PNG, called something else': answer(200, png, {
    'content-type': 'application/octet-stream',
  }),
  'a data URI in JSON': answer(200, { qrCode: `data:image/png;base64,${base64}` }),
  'base64 in JSON': answer(200, { status: 'Success', code: 200, data: { image: base64 } }),
  'base64 in lines': answer(200, { data: [{ code: base64.replace(/.{76}/g, '$&\n') }] }),
  'base64 as a JSON text': answer(200, JSON.stringify(base64)),
  'a data URI as text': answer(200, `data:image/png;base64,${base64}\n`, { 'content-type': 'text/plain' }),
  'base64 as text': answer(200, base64, { 'content-type': 'text/plain' }),
  'the code in words': answer(200, { data: { text: given } }),
  'the code as text': answer(200, given, { 'content-type': 'text/plain' }),
  'the parts of the code': answer(200, { data: { activationCode: 'OTHER-1', smdp: 'rsp.example.net' } }),
};

for (const [name, behaviour] of Object.entries(shapes)) {
  test(`draws a QR code from ${name}`, async (t) => {
    assert.deepEqual(await drawn(t, behaviour), { text: given, paths: [codePath] });
  });
}

test('enlarges the smallest possible image', async (t) => {
  const picture = pictureOf(drawQrCode(given));
  const { width, height, grey } = shrink(picture, picture.width / 37);
  assert.equal(width, 37);
  const small = Buffer.from(encode({ width, height, channels: 1, depth: 8, data: grey }));
  assert.equal((await drawn(t, answer(200, small, image))).text, given);
});

test('fetches an image from the provider’s host', async (t) => {
  const code: Behaviour = (socket, received) =>
    answer(200, {
      manual: 'https://example.com/how-to-install',
      url: `http://${received.headers.host}/images/1.png?v=2&v=3`,
    })(socket, received);
  const found = await drawn(t, code, { '/images/1.png': answer(200, png, image), [profilePath]: profile });
  assert.deepEqual(found, { text: given, paths: [codePath, '/images/1.png?v=2&v=3'] });
});

test('fetches an image only from under the path of the base URL', async (t) => {
  const requested: string[] = [];
  const server = await serveEsims(t, (socket, received) => {
    const { host } = received.headers;
    const at = { '/v1/in': `http://${host}/v1/in.png`, '/v1/out': `http://${host}/out.png` };
    const path = requested.length === 0 ? at['/v1/in'] : at['/v1/out'];
    if (received.path === `/v1${codePath}`) {
      requested.push(path);
      return answer(200, { path })(socket, received);
    }
    if (received.path === '/v1/api/esim/authenticate') {
      return answer(200, { token: 'the-token-itself' })(socket, received);
    }
    if (received.path === `/v1${profilePath}`) {
      return profile(socket, received);
    }
    answer(200, png, image)(socket, received);
  });
  const { esims } = testClient(t, new URL('/v1/', server.url)).account;
  for (const expected of [given, wholeCode]) {
    const outcome = await esims.qrCode({ iccid });
    assert.ok(outcome.kind === 'accepted');
    assert.equal(scan(outcome.value.png), expected);
  }
  assert.deepEqual(
    server.requests.map(({ path }) => path),
    ['/v1/api/esim/authenticate', `/v1${codePath}`, '/v1/in.png', `/v1${codePath}`, `/v1${profilePath}`],
  );
});

test('never contacts another host, and draws the code from the profile', async (t) => {
  const elsewhere = await serveEsims(t, answer(200, png, image));
  const addresses = [
    `${elsewhere.url}qr.png`,
    elsewhere.url.href.replace('http:', 'https:'),
    'https://127.0.0.1/qr.png',
    'http://localhost:1/qr.png',
    'http://169.254.169.254/latest/meta-data',
    'http://',
  ];
  for (const address of addresses) {
    const found = await drawn(t, answer(200, { url: address }));
    assert.deepEqual(found, { text: wholeCode, paths: [codePath, profilePath] });
  }
  assert.equal(elsewhere.connections(), 0);
});

test('ignores a URL that redirects, fails or returns no image', async (t) => {
  const elsewhere = await serveEsims(t, answer(200, png, image));
  const code: Behaviour = (socket, received) =>
    answer(200, { url: `http://${received.headers.host}/image` })(socket, received);
  for (const behaviour of [
    answer(302, '', { location: `${elsewhere.url}qr.png` }),
    answer(404, ''),
    answer(200, '<html>', { 'content-type': 'text/html' }),
    answer(200, jpeg, { 'content-type': 'image/jpeg' }),
    answer(200, Buffer.concat([png, Buffer.alloc(1024 * 1024)]), image),
    hangUp,
  ]) {
    const { text } = await drawn(t, code, { '/image': behaviour, [profilePath]: profile });
    assert.equal(text, wholeCode);
  }
  assert.equal(elsewhere.connections(), 0);
});

test('a code built from its parts flags a required confirmation code', async (t) => {
  const parts = { iccid, activationCode: sim.activationCode, smdp, cc_required: true };
  const fromProfile = await drawn(t, answer(404, ''), { [profilePath]: answer(200, parts) });
  assert.equal(fromProfile.text, `${wholeCode}$$1`);
  assert.equal((await drawn(t, answer(200, { data: parts }))).text, `${wholeCode}$$1`);
});

test('draws the code from the profile where no image can be read', async (t) => {
  for (const behaviour of [
    answer(200, jpeg, { 'content-type': 'image/jpeg' }),
    answer(200, { qrCode: jpeg.toString('base64') }),
    answer(200, '<svg xmlns="http://www.w3.org/2000/svg"/>', { 'content-type': 'image/svg+xml' }),
    answer(200, Buffer.from(drawQrCode('https://example.com/')), image),
    answer(200, png.subarray(0, 1000), image),
    answer(200, { status: 'Success', code: 200, data: {} }),
    answer(200, {}),
    answer(200, ''),
    answer(404, { message: 'The QR code is not ready yet' }),
  ]) {
    assert.deepEqual(await drawn(t, behaviour), { text: wholeCode, paths: [codePath, profilePath] });
  }
});

test('makes no further request after a server error or a refusal', async (t) => {
  const cases = [
    [answer(400, { message: 'no' }), { kind: 'rejected', reason: 'invalid_request', status: 400 }],
    [answer(403, { message: 'no' }), { kind: 'rejected', reason: 'refused', status: 403 }],
    [answer(200, { code: 400, message: 'no' }), { kind: 'rejected', reason: 'invalid_request', status: 200 }],
    [answer(302, '', { location: '/' }), { kind: 'rejected', reason: 'redirected', status: 302 }],
    [answer(503, ''), { kind: 'unconfirmed', reason: 'server_error', status: 503 }],
  ] as const;
  for (const [behaviour, expected] of cases) {
    const { outcome, paths } = await fetchCode(t, behaviour);
    await ends(Promise.resolve(outcome), expected);
    assert.ok(!paths.includes(profilePath));
  }
});

test('without anything to draw, the error names the QR code', async (t) => {
  const notReady = answer(404, { message: 'The QR code is not ready yet' });
  const empty = answer(200, { iccid, activationCode: null, smdp: null });
  for (const other of [noProfile, empty]) {
    const { outcome } = await fetchCode(t, notReady, { [profilePath]: other });
    const error = await ends(Promise.resolve(outcome), {
      kind: 'rejected',
      reason: 'not_found',
      status: 404,
    });
    assert.equal(error.providerMessage, 'The QR code is not ready yet');
  }
  const nothing = await fetchCode(t, answer(200, {}), { [profilePath]: empty });
  const error = await ends(Promise.resolve(nothing.outcome), {
    kind: 'unconfirmed',
    reason: 'unreadable_answer',
  });
  assert.equal(error.operation, 'esims.qrCode');
  assert.match(error.message, /no QR code that can be read, and the eSIM’s profile holds no activation code/);
  const unwell = await fetchCode(t, answer(200, {}), { [profilePath]: answer(500, '') });
  const fault = await ends(Promise.resolve(unwell.outcome), {
    kind: 'unconfirmed',
    reason: 'server_error',
    status: 500,
  });
  assert.equal(fault.operation, 'esims.qrCode');
});

test('cancellation stops the whole search', async (t) => {
  const server = await serveEsims(t, byPath({ [codePath]: answer(200, {}), [profilePath]: silence }));
  const stopper = new AbortController();
  const call = testClient(t, server.url).account.esims.qrCode({ iccid }, { signal: stopper.signal });
  await server.received(3);
  stopper.abort();
  await ends(call, { kind: 'unconfirmed', reason: 'cancelled' });
});

test('every format of the sandbox’s QR codes becomes one that can be scanned', async (t) => {
  const sandbox = await startProvider();
  t.after(() => sandbox.stop());
  const { provider } = testClient(t, new URL(sandbox.url));
  const { esims } = provider.account(new Secret(sandbox.account.key));
  let count = 0;
  for await (const { iccid, smdp, activationCode } of esims.all()) {
    const outcome = await esims.qrCode({ iccid });
    assert.ok(outcome.kind === 'accepted', JSON.stringify({ iccid, outcome }));
    const code = activationCode?.reveal() ?? '';
    assert.equal(scan(outcome.value.png), code.startsWith('LPA:') ? code : `LPA:1$${smdp}$${code}`);
    count += 1;
  }
  assert.ok(count > 10);
});
