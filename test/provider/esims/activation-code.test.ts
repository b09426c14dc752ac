import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Secret } from '../../../src/lib/secret.ts';
import {
  findActivationCode,
  readActivationCode,
  wholeActivationCode,
} from '../../../src/provider/esims/activation-code.ts';
import { anyCharacter } from '../../support/arbitrary-text.ts';
import { rounds } from '../../support/sizes.ts';

const whole = (activationCode: string, smdp?: string, ccRequired?: boolean) =>
  wholeActivationCode({
    activationCode: new Secret(activationCode),
    ...(smdp !== undefined && { smdp }),
    ...(ccRequired !== undefined && { ccRequired }),
  })?.reveal();

test('builds the activation code from a matching id and its server', () => {
  assert.equal(whole('K2-9F3X7', 'rsp.example.com'), 'LPA:1$rsp.example.com$K2-9F3X7');
  assert.equal(whole(' K2-9F3X7\n', ' rsp.example.com '), 'LPA:1$rsp.example.com$K2-9F3X7');
  assert.equal(whole('K2-9F3X7', 'rsp.example.com:8443'), 'LPA:1$rsp.example.com:8443$K2-9F3X7');
});

test('flags a required confirmation code', () => {
  assert.equal(whole('K2-9F3X7', 'rsp.example.com', true), 'LPA:1$rsp.example.com$K2-9F3X7$$1');
  assert.equal(whole('K2-9F3X7\n', 'rsp.example.com', true), 'LPA:1$rsp.example.com$K2-9F3X7$$1');
  assert.equal(whole('K2-9F3X7', 'rsp.example.com', false), 'LPA:1$rsp.example.com$K2-9F3X7');
  assert.equal(whole('K2$1.3.6.1', 'rsp.example.com', true), 'LPA:1$rsp.example.com$K2$1.3.6.1');
  assert.equal(whole('LPA:1$rsp.example.com$K2', 'rsp.example.com', true), 'LPA:1$rsp.example.com$K2');
  assert.equal(readActivationCode('LPA:1$rsp.example.com$K2-9F3X7$$1'), 'LPA:1$rsp.example.com$K2-9F3X7$$1');
});

test('keeps a whole activation code, whatever the server', () => {
  for (const smdp of [undefined, '', 'other.example.com']) {
    assert.equal(whole('LPA:1$rsp.example.com$K2-9F3X7', smdp), 'LPA:1$rsp.example.com$K2-9F3X7');
    assert.equal(whole('lpa:1$rsp.example.com$K2-9F3X7', smdp), 'LPA:1$rsp.example.com$K2-9F3X7');
    assert.equal(whole('1$rsp.example.com$K2-9F3X7', smdp), 'LPA:1$rsp.example.com$K2-9F3X7');
  }
  // An object identifier and the confirmation flag may follow; a default server needs no matching id.
  for (const code of [
    'LPA:1$rsp.example.com$K2$1.3.6.1$1',
    'LPA:1$rsp.example.com$K2$$1',
    'LPA:1$rsp.example.com$',
  ]) {
    assert.equal(readActivationCode(code), code);
  }
});

test('finds the code in an install link, however it is encoded', () => {
  const code = 'LPA:1$rsp.example.com$K2-9F3X7';
  const install = 'https://esimsetup.apple.com/esim_qrcode_provisioning?carddata=';
  for (const link of [
    `${install}${code}`,
    `${install}${encodeURIComponent(code)}`,
    `${install}1$rsp.example.com$K2-9F3X7`,
    `https://esimsetup.android.com/esim_qrcode_provisioning?source=a&carddata=${code}#top`,
    `https://go.example/install/${encodeURIComponent(code)}`,
    `https://go.example/install?from=mail#${code}`,
    `https://go.example/?link=${encodeURIComponent(`${install}${encodeURIComponent(code)}`)}`,
  ]) {
    assert.equal(findActivationCode(link), code, link);
    assert.equal(whole(` ${link}\n`, 'rsp.other.example', true), code, link);
  }
});

test('builds the code from a matching id that comes with its server', () => {
  for (const given of ['rsp.example.com$K2', '$rsp.example.com$K2', 'LPA:rsp.example.com$K2']) {
    assert.equal(whole(given, 'rsp.example.com'), 'LPA:1$rsp.example.com$K2', given);
  }
});

test('returns undefined for parts that do not make a code', () => {
  assert.equal(whole('https://go.example/install/K2', 'rsp.example.com'), undefined);
  assert.equal(whole('go.example/install?id=K2', 'rsp.example.com'), undefined);
  assert.equal(findActivationCode('https://go.example/?carddata=K2'), undefined);
  assert.equal(wholeActivationCode({ smdp: 'rsp.example.com' }), undefined);
  assert.equal(whole('K2-9F3X7'), undefined);
  assert.equal(whole('K2-9F3X7', ''), undefined);
  assert.equal(whole('K2-9F3X7', 'https://rsp.example.com/'), undefined);
  assert.equal(whole('two words', 'rsp.example.com'), undefined);
  assert.equal(whole('K2'.repeat(200), 'rsp.example.com'), undefined);
  for (const text of [
    '',
    'LPA:',
    'LPA:2$rsp.example.com$K2',
    'https://example.com/?c=LPA:1$rsp.example.com$K2',
  ]) {
    assert.equal(readActivationCode(text), undefined, text);
  }
});

const host = fc.domain();
const matchingId = fc.stringMatching(/^[A-Za-z0-9-]{1,60}$/);

test('reads back any code that it builds', () => {
  fc.assert(
    fc.property(host, matchingId, (smdp, id) => {
      fc.pre(smdp.length < 190);
      const code = whole(id, smdp);
      assert.equal(code, `LPA:1$${smdp}$${id}`);
      assert.equal(whole(code ?? '', 'other.example.com'), code);
    }),
  );
});

test('returns one line that begins with LPA: and reads the same again', () => {
  const text = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc
      .tuple(fc.constantFrom('', 'LPA:', 'lpa:'), fc.string(), fc.string())
      .map(([lpa, a, b]) => `${lpa}1$${a}$${b}`),
  );
  fc.assert(
    fc.property(text, (text) => {
      const code = readActivationCode(text);
      if (code === undefined) {
        return;
      }
      assert.match(code, /^LPA:1\$\S+$/);
      assert.equal(readActivationCode(code), code);
    }),
    { numRuns: rounds(250) },
  );
});

test('the code is a Secret', () => {
  const code = wholeActivationCode({ smdp: 'rsp.example.com', activationCode: new Secret('K2-9F3X7') });
  assert.equal(JSON.stringify({ code }), '{"code":"[secret]"}');
});
