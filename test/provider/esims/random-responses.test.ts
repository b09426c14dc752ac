import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../support/arbitrary-text.ts';
import { iccid } from '../../support/provider/esim-server.ts';
import { rounds } from '../../support/sizes.ts';
import { clientWithResponse } from './client-with-response.ts';

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
