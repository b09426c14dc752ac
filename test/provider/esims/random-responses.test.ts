import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Secret } from '../../../src/lib/secret.ts';
import { createEsimOperations } from '../../../src/provider/esims/esims.ts';
import { systemTiming } from '../../../src/provider/http/timing.ts';
import type { Transport } from '../../../src/provider/http/transport.ts';
import { createRequestSender } from '../../../src/provider/request/request-sender.ts';
import { anyCharacter } from '../../support/arbitrary-text.ts';
import { iccid } from '../../support/provider/esim-server.ts';
import { testKey } from '../../support/provider/provider-client.ts';
import { rounds } from '../../support/sizes.ts';

/** The eSIM operations over a transport that returns a token, and one given response to every other request. */
function clientWithResponse(status: number, body: Uint8Array) {
  const authenticated = Buffer.from(JSON.stringify({ token: 'the-token-itself' }));
  const paths: string[] = [];
  const transport: Transport = {
    send: async ({ path }) => {
      const isAuthentication = path === '/api/esim/authenticate';
      if (!isAuthentication) {
        paths.push(path);
      }
      return isAuthentication
        ? { phase: 'responding', head: { status: 200, headers: {} }, body: authenticated }
        : { phase: 'responding', head: { status, headers: {} }, body: Buffer.from(body) };
    },
    close: async () => {},
  };
  const esims = createEsimOperations(createRequestSender(transport, new Secret(testKey)), {
    baseUrl: new URL('https://api.example.com'),
    totalTimeout: 60_000,
    timing: systemTiming,
    tokenCache: undefined,
  });
  return {
    paths,
    qrCode: () => esims.qrCode({ iccid }),
    create: () => esims.create({ productId: 'p' }),
    purchase: () => esims.purchase({ iccid, productId: 'p', iso3: 'NGA' }),
    plans: () => esims.plans(),
    otherReads: () => [
      esims.plansDeprecated(),
      esims.profile({ iccid }),
      esims.usage({ iccid }),
      esims.planStatus({ iccid }),
      esims.list(),
      esims.countries(),
    ],
  };
}

const field = fc.constantFrom(
  'status',
  'code',
  'data',
  'message',
  'sim',
  'dataPlan',
  'iccid',
  'productId',
  'activationCode',
  'smdp',
  'content',
  'number',
  'name',
  'Status',
  'data_total_gigabyte',
  'last_operation_date',
  'createdAt',
  'supportedCountries',
  '__proto__',
);
const leaf = fc.oneof(
  fc.constantFrom(
    'Success',
    200,
    '200',
    401,
    500,
    'error',
    iccid,
    'LPA:1$rsp.example.com$K2',
    'rsp.example.com',
    null,
  ),
  fc.constantFrom(
    'https://api.example.com/qr.png',
    'https://elsewhere.example.com/qr.png',
    '2026-03-04 09:30:00',
  ),
  fc.string({ unit: anyCharacter }),
  fc.double(),
  fc.base64String({ minLength: 100, maxLength: 300 }),
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(field, tie('tree'), { maxKeys: 6 }),
  ),
}));
const someSim = fc.record(
  {
    iccid: fc.constantFrom(iccid, iccid, iccid, '', 5, null),
    activationCode: leaf,
    lastOperationDate: leaf,
    smdp: leaf,
  },
  { requiredKeys: ['iccid'] },
);
const simLike = fc.record({ sim: someSim, dataPlan: tree, code: leaf }, { requiredKeys: ['sim'] });
const orderLike = fc.oneof(
  simLike,
  fc.record({ status: leaf, code: leaf, data: simLike }, { requiredKeys: [] }),
);
const body = fc
  .oneof({ weight: 2, arbitrary: tree }, { weight: 3, arbitrary: orderLike })
  .map((value) => Buffer.from(JSON.stringify(value) ?? 'null'));
const status = fc.constantFrom(200, 201, 204, 302, 303, 400, 401, 404, 429, 500, 503);

test('for any response, a creation or purchase is accepted only if the eSIM is in it', async () => {
  await fc.assert(
    fc.asyncProperty(status, body, async (status, body) => {
      const { create, purchase } = clientWithResponse(status, body);
      for (const outcome of await Promise.all([create(), purchase()])) {
        if (outcome.kind === 'accepted') {
          assert.ok(status >= 200 && status < 300);
          assert.match(body.toString(), /"sim":\{.*"iccid":/);
          assert.ok(outcome.value.sim.iccid !== '');
          continue;
        }
        assert.notEqual(outcome.kind, 'not_sent');
        if (status >= 500 || status === 303) {
          assert.equal(outcome.kind, 'unconfirmed');
        }
        assert.equal(outcome.error.sent, outcome.kind === 'unconfirmed' ? 'maybe' : 'no');
        assert.doesNotMatch(outcome.error.message, /LPA:/);
      }
    }),
    { numRuns: rounds(250) },
  );
});

test('for any response, a read about eSIMs does not throw', async () => {
  await fc.assert(
    fc.asyncProperty(status, body, async (status, body) => {
      const { plans, otherReads } = clientWithResponse(status, body);
      for (const outcome of await Promise.all([plans(), ...otherReads()])) {
        if (outcome.kind === 'accepted') {
          assert.ok(status < 300);
        } else {
          assert.equal(outcome.error.sent, 'no');
        }
      }
    }),
    { numRuns: rounds(150) },
  );
});

test('for any response, a QR code is drawn or an image of a known format, and no other host is contacted', async () => {
  const bytes = fc.oneof(body, fc.uint8Array({ maxLength: 300 }));
  await fc.assert(
    fc.asyncProperty(status, bytes, async (status, bytes) => {
      const { qrCode, paths } = clientWithResponse(status, bytes);
      const outcome = await qrCode();
      if (outcome.kind === 'accepted') {
        const { activationCode, image } = outcome.value;
        assert.match(activationCode?.reveal() ?? 'LPA:1$', /^LPA:1\$\S*$/);
        assert.match(Buffer.from(image.bytes).toString('latin1'), /^(\x89PNG\r\n|\xff\xd8\xff)/);
      }
      assert.ok(
        paths.every((path) => path.startsWith('/api/esim/') || path === '/qr.png'),
        paths.join(),
      );
    }),
    { numRuns: rounds(100) },
  );
});

test('classifies a malicious response of maximum size quickly', async () => {
  const size = 1024 * 1024;
  const repeat = (text: string) => Buffer.from(text.repeat(Math.floor(size / text.length)));
  const list = (part: string) => Buffer.from(`[${Array(Math.floor(size / (part.length + 1))).fill(part)}]`);
  const slow = [
    repeat('1$a'),
    repeat('A'),
    repeat('https://'),
    list('{"activationCode":"1$","smdp":"a"}'),
    list('"LPA:1$a$"'),
    repeat('iVBORw0KGgoA'),
    Buffer.from(JSON.stringify({ data: `1$${'a'.repeat(size)}` })),
  ];
  for (const body of slow) {
    const { qrCode, plans, create } = clientWithResponse(200, body);
    const started = process.threadCpuUsage();
    await Promise.all([qrCode(), plans(), create()]);
    const { user } = process.threadCpuUsage(started);
    assert.ok(user < 2_000_000, `${Math.round(user / 1000)} ms for ${body.subarray(0, 20)}`);
  }
});
