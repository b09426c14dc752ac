import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startProvider } from '../../../../sandbox/provider/server.ts';
import { Secret } from '../../../../src/lib/secret.ts';
import { drawQrCode } from '../../../../src/provider/esims/qr-code.ts';
import { answer, type Behaviour, hangUp, silence } from '../../../support/http/raw-server.ts';
import { byPath, iccid, serveEsims, sim, smdp, wholeCode } from '../../../support/provider/esim-server.ts';
import { ends, testClient } from '../../../support/provider/provider-client.ts';
import { pictureOf, scan } from '../../../support/qr-scanner.ts';

const codePath = `/api/esim/activate/${iccid}/qr/code`;
const profilePath = `/api/esim/euicc/${iccid}`;
const profile = answer(200, { iccid, activationCode: sim.activationCode, smdp });
const noProfile = answer(404, { message: 'No such profile' });

/** Differs from the profile's code, to show which one was drawn. */
const given = 'LPA:1$rsp.example.net$OTHER-1';
const png = Buffer.from(drawQrCode('https://example.com/'));
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
  const { image, activationCode } = outcome.value;
  assert.equal(image.format, 'png');
  const { width, height } = pictureOf(image.bytes);
  assert.ok(width >= 400 && height >= 400);
  const text = scan(image.bytes);
  assert.equal(activationCode?.reveal(), text);
  return { text, paths };
}

async function passedOn(t: TestContext, code: Behaviour, others: Record<string, Behaviour>) {
  const { outcome, paths } = await fetchCode(t, code, others);
  assert.ok(outcome.kind === 'accepted', JSON.stringify(outcome));
  const { image, activationCode } = outcome.value;
  assert.equal(activationCode, undefined);
  return { format: image.format, bytes: Buffer.from(image.bytes), paths };
}

const image = { 'content-type': 'image/png' };

const codes: Record<string, Behaviour> = {
  'the code in words': answer(200, { data: { text: given, qrCode: base64 } }),
  'the code as text': answer(200, given, { 'content-type': 'text/plain' }),
  'the parts of the code': answer(200, { data: { activationCode: 'OTHER-1', smdp: 'rsp.example.net' } }),
};

for (const [name, behaviour] of Object.entries(codes)) {
  test(`draws a QR code from ${name}`, async (t) => {
    assert.deepEqual(await drawn(t, behaviour), { text: given, paths: [codePath] });
  });
}

const images: Record<string, readonly [Behaviour, 'png' | 'jpeg', Buffer]> = {
  'the bytes of a PNG': [answer(200, png, image), 'png', png],
  'the bytes of a JPEG, called something else': [
    answer(200, jpeg, { 'content-type': 'application/octet-stream' }),
    'jpeg',
    jpeg,
  ],
  'a data URI in JSON': [answer(200, { qrCode: `data:image/png;base64,${base64}` }), 'png', png],
  'base64 in JSON': [answer(200, { status: 'Success', code: 200, data: { image: base64 } }), 'png', png],
  'a JPEG in base64': [answer(200, { qrCode: jpeg.toString('base64') }), 'jpeg', jpeg],
  'base64 in lines': [answer(200, { data: [{ code: base64.replace(/.{76}/g, '$&\n') }] }), 'png', png],
  'base64 as a JSON text': [answer(200, JSON.stringify(base64)), 'png', png],
  'a data URI as text': [
    answer(200, `data:image/png;base64,${base64}\n`, { 'content-type': 'text/plain' }),
    'png',
    png,
  ],
  'base64 as text': [answer(200, base64, { 'content-type': 'text/plain' }), 'png', png],
};

for (const [name, [behaviour, format, bytes]] of Object.entries(images)) {
  test(`passes on ${name} where the profile has no code`, async (t) => {
    const passed = await passedOn(t, behaviour, { [profilePath]: noProfile });
    assert.deepEqual(passed, { format, bytes, paths: [codePath, profilePath] });
  });
}

/** An answer with the URL of an image on the same host. */
const withAddress: Behaviour = (socket, received) =>
  answer(200, {
    manual: 'https://example.com/how-to-install',
    url: `http://${received.headers.host}/images/1.png?v=2&v=3`,
  })(socket, received);

test('passes on an image from the provider’s host where the profile has no code', async (t) => {
  const others = { '/images/1.png': answer(200, png, image), [profilePath]: noProfile };
  const passed = await passedOn(t, withAddress, others);
  const paths = [codePath, profilePath, '/images/1.png?v=2&v=3'];
  assert.deepEqual(passed, { format: 'png', bytes: png, paths });
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
      return noProfile(socket, received);
    }
    answer(200, png, image)(socket, received);
  });
  const { esims } = testClient(t, new URL('/v1/', server.url)).account;
  for (const expected of ['accepted', 'rejected']) {
    assert.equal((await esims.qrCode({ iccid })).kind, expected);
  }
  assert.deepEqual(
    server.requests.map(({ path }) => path),
    [
      '/v1/api/esim/authenticate',
      ...[codePath, profilePath, '/in.png', codePath, profilePath].map((path) => `/v1${path}`),
    ],
  );
});

test('never contacts another host', async (t) => {
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
    const { outcome, paths } = await fetchCode(t, answer(200, { url: address }), {
      [profilePath]: noProfile,
    });
    assert.equal(outcome.kind, 'rejected');
    assert.deepEqual(paths, [codePath, profilePath]);
  }
  assert.equal(elsewhere.connections(), 0);
});

test('passes on nothing from a URL that redirects, fails or returns no image', async (t) => {
  const elsewhere = await serveEsims(t, answer(200, png, image));
  for (const behaviour of [
    answer(302, '', { location: `${elsewhere.url}qr.png` }),
    answer(404, ''),
    answer(200, '<html>', { 'content-type': 'text/html' }),
    answer(200, Buffer.concat([png, Buffer.alloc(1024 * 1024)]), image),
    hangUp,
  ]) {
    const others = { '/images/1.png': behaviour, [profilePath]: noProfile };
    const { outcome } = await fetchCode(t, withAddress, others);
    assert.equal(outcome.kind, 'rejected');
  }
  assert.equal(elsewhere.connections(), 0);
});

test('a code built from its parts flags a required confirmation code', async (t) => {
  const parts = { iccid, activationCode: sim.activationCode, smdp, cc_required: true };
  const fromProfile = await drawn(t, answer(404, ''), { [profilePath]: answer(200, parts) });
  assert.equal(fromProfile.text, `${wholeCode}$$1`);
  assert.equal((await drawn(t, answer(200, { data: parts }))).text, `${wholeCode}$$1`);
});

test('draws the code from the profile where the response has an image, or nothing', async (t) => {
  for (const behaviour of [
    answer(200, png, image),
    answer(200, { qrCode: jpeg.toString('base64') }),
    withAddress,
    answer(200, '<svg xmlns="http://www.w3.org/2000/svg"/>', { 'content-type': 'image/svg+xml' }),
    answer(200, { status: 'Success', code: 200, data: {} }),
    answer(200, {}),
    answer(200, ''),
    answer(404, { message: 'The QR code is not ready yet' }),
  ]) {
    assert.deepEqual(await drawn(t, behaviour), { text: wholeCode, paths: [codePath, profilePath] });
  }
});

test('passes on no file of another format, whatever it is called', async (t) => {
  const gif = Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(200)]);
  for (const behaviour of [
    answer(200, gif, image),
    answer(200, { qrCode: `data:image/png;base64,${gif.toString('base64')}` }),
    answer(200, png.subarray(0, 7), image),
    answer(200, '<svg xmlns="http://www.w3.org/2000/svg"/>', { 'content-type': 'image/svg+xml' }),
  ]) {
    const { outcome } = await fetchCode(t, behaviour, { [profilePath]: noProfile });
    assert.notEqual(outcome.kind, 'accepted');
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

test('without anything to show, the error names the QR code', async (t) => {
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
  assert.match(
    error.message,
    /no activation code and no image, and the eSIM’s profile holds no activation code/,
  );
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
  const pages = await Array.fromAsync(esims.all());
  for (const { iccid, smdp, activationCode } of pages.flatMap(({ records }) => records)) {
    const outcome = await esims.qrCode({ iccid });
    assert.ok(outcome.kind === 'accepted', JSON.stringify({ iccid, outcome }));
    const code = activationCode?.reveal() ?? '';
    assert.equal(scan(outcome.value.image.bytes), code.startsWith('LPA:') ? code : `LPA:1$${smdp}$${code}`);
    count += 1;
  }
  assert.ok(count > 10);
});
