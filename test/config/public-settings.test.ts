import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { readSettings, SettingsError } from '../../src/config/settings.ts';
import { assertLinear } from '../support/assert-linear.ts';

const required = {
  PROVIDER_BASE_URL: 'https://api.provider.example',
  SLACK_BOT_TOKEN: 'xoxb-1-abcdef',
  SLACK_SIGNING_SECRET: 'b6d1c9e4',
  ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
};

const read = (given: Record<string, string>) => readSettings({ ...required, ...given });

async function problemsOf(given: Record<string, string>): Promise<string[]> {
  try {
    await read(given);
  } catch (error) {
    assert.ok(error instanceof SettingsError);
    return error.faults.map(({ setting, problem }) => `${setting} ${problem}`);
  }
  return [];
}

test('without the settings for the public, there are no contacts', async () => {
  const { contacts, metricsPort } = await read({});
  assert.deepEqual(contacts, { supportUrl: undefined, privacyUrl: undefined, securityContact: undefined });
  assert.equal(metricsPort, undefined);
});

test('the settings for the public are used', async () => {
  const { contacts } = await read({
    SUPPORT_URL: 'https://acme.example/help?a=b#top',
    PRIVACY_URL: 'https://acme.example/privacy',
    SECURITY_CONTACT: 'security+slack@acme.example',
  });
  assert.equal(contacts.supportUrl?.href, 'https://acme.example/help?a=b#top');
  assert.equal(contacts.privacyUrl?.href, 'https://acme.example/privacy');
  assert.equal(contacts.securityContact?.href, 'mailto:security+slack@acme.example');
  const page = await read({ SECURITY_CONTACT: 'https://acme.example/security' });
  assert.equal(page.contacts.securityContact?.href, 'https://acme.example/security');
});

test('metrics have a port of their own only where it is set', async () => {
  assert.equal((await read({ METRICS_PORT: '9100' })).metricsPort, 9100);
  assert.deepEqual(await problemsOf({ METRICS_PORT: '70000' }), [
    'METRICS_PORT is not a whole number from 0 to 65535',
  ]);
});

test('a page is an https address, and a contact a page or an email address', async () => {
  for (const wrong of ['http://acme.example', 'acme.example', 'javascript:alert(1)', 'mailto:a@b.c']) {
    assert.deepEqual(await problemsOf({ SUPPORT_URL: wrong }), ['SUPPORT_URL does not begin with https://']);
  }
  assert.deepEqual(await problemsOf({ PRIVACY_URL: 'https://user:secret@acme.example' }), [
    'PRIVACY_URL has a user name or a password in it',
  ]);
  for (const wrong of [
    'acme',
    'a@b',
    'a b@acme.example',
    'a@acme.example\r\nbcc: x',
    'http://acme.example',
  ]) {
    assert.deepEqual(
      await problemsOf({ SECURITY_CONTACT: wrong }),
      ['SECURITY_CONTACT is neither an email address nor the https:// address of a page'],
      wrong,
    );
  }
});

test('a hostile contact is read in linear time', async () =>
  assertLinear(new URL('parsers.ts', import.meta.url), 'a contact'));

const address = 'https://sms.acme.example';

test('the public address is an https address, or one on this machine, without a path', async () => {
  for (const right of [address, 'https://acme.example:8443', 'http://127.0.0.1:3000']) {
    assert.equal((await read({ PUBLIC_ADDRESS: right })).publicAddress, right);
  }
  assert.equal((await read({})).publicAddress, undefined);
  for (const [wrong, problem] of [
    ['sms.acme.example', 'does not begin with https://'],
    ['http://acme.example', 'does not begin with https://'],
    ['https://acme.example/', 'has more than a host in it'],
    ['https://a@acme.example', 'is not an address in lower case'],
    ['not an address', 'is not an address in lower case'],
  ] as const) {
    assert.deepEqual(await problemsOf({ PUBLIC_ADDRESS: wrong }), [`PUBLIC_ADDRESS ${problem}`], wrong);
  }
});

test('opt-out links begin with an https address, a host, or an address on this machine', async () => {
  for (const right of ['https://sms.acme.example', 'sms.acme.example', 'http://127.0.0.1:3000']) {
    assert.equal((await read({ OPT_OUT_ADDRESS: right })).optOutAddress, right);
  }
  assert.equal((await read({})).optOutAddress, undefined);
  assert.equal((await read({ PUBLIC_ADDRESS: address })).optOutAddress, address);
  const shorter = await read({ PUBLIC_ADDRESS: address, OPT_OUT_ADDRESS: 'acme.example' });
  assert.equal(shorter.optOutAddress, 'acme.example');
  for (const [wrong, problem] of [
    ['http://acme.example', 'does not begin with https://'],
    ['ftp://acme.example', 'does not begin with https://'],
    ['https://acme.example/', 'has more than a host in it'],
    ['https://acme.example/sms', 'has more than a host in it'],
    ['https://Acme.example', 'is not an address in lower case'],
    ['https://acme.example?a', 'is not an address in lower case'],
    ['https://a@acme.example', 'is not an address in lower case'],
    ['acme', 'is a host that phones don’t turn into a link'],
  ] as const) {
    assert.deepEqual(await problemsOf({ OPT_OUT_ADDRESS: wrong }), [`OPT_OUT_ADDRESS ${problem}`], wrong);
  }
});
