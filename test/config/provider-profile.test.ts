import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { ProviderProfileInput } from '../../src/config/provider-profile.ts';
import { readSettings, SettingsError } from '../../src/config/settings.ts';
import { profileEnv, profileFile } from '../support/provider/profile-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const required = {
  PROVIDER_BASE_URL: 'https://api.provider.example',
  SLACK_BOT_TOKEN: 'xoxb-1-abcdef',
  SLACK_SIGNING_SECRET: 'b6d1c9e4',
  ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
};
const example = fileURLToPath(new URL('../../provider-profile.example.yml', import.meta.url));
const described = {
  chatChannel: 'chatapp',
  chatOtpChannel: 'chatapp_otp',
  voiceOtpPath: '/api/sms/otp/call',
  successMarker: 'required',
  historyAmount: 'other',
};

async function read(profile: { PROVIDER_PROFILE: string }) {
  const { provider, reportSignature, sentAtZone } = await readSettings({ ...required, ...profile });
  return { ...provider.dialect, reportSignature, sentAtZone };
}

/** What the error of the settings says for the text of a profile, without what to do about it. */
async function faultsOf(text: string, others: Record<string, string> = {}): Promise<string[]> {
  return faultsAt(profileFile(text), others);
}

async function faultsAt(file: string, others: Record<string, string> = {}): Promise<string[]> {
  try {
    await readSettings({ ...required, PROVIDER_PROFILE: file, ...others });
  } catch (error) {
    assert.ok(error instanceof SettingsError);
    return error.faults.map(({ setting, problem }) => `${setting} ${problem}`);
  }
  return [];
}

/** The fault of a field that stands alone in a profile. */
const faultOf = async (name: string, value: unknown) =>
  (await faultsOf(JSON.stringify({ [name]: value })))
    .join('; ')
    .replace(`${name} in PROVIDER_PROFILE (line 1) `, '');

describe('the provider’s profile', () => {
  it('says what the sandbox offers in the example', async () => {
    assert.deepEqual(await read({ PROVIDER_PROFILE: example }), {
      ...described,
      currency: 'NGN',
      balancePath: '/api/get-balance',
      historyPath: '/api/sms/inbox',
      phonebooksPath: '/api/phonebooks',
      tokenVerifyPath: '/api/sms/otp/verify',
      sentAtZone: 'Africa/Lagos',
      reportSignature: { header: 'x-provider-signature', hash: 'sha512', encoding: 'hex', key: 'api_key' },
    });
  });

  it('is what the description says without a file, and of a file without fields', async () => {
    for (const file of ['', profileFile(''), profileFile('# nothing\n')]) {
      assert.deepEqual(await read({ PROVIDER_PROFILE: file }), {
        ...described,
        reportSignature: undefined,
        sentAtZone: undefined,
      });
    }
  });

  it('sets every field', async () => {
    const profile = {
      chatChannel: 'our_chat',
      chatOtpChannel: 'our_chat_otp',
      unicodeType: 'unicode',
      currency: 'GHS',
      voiceOtpPath: '/api/sms/otp/send/voice',
      successMarker: 'optional',
      contactDeleteBy: 'query:contact_id',
      balancePath: '/balance',
      historyPath: '/history',
      historyAmount: 'cost',
      phonebooksPath: '/phonebooks',
      tokenVerifyPath: '/verify',
      sentAtZone: 'Europe/London',
      reportSignature: { header: 'x-signed', hash: 'sha256', encoding: 'base64', key: 'secret' },
    } satisfies ProviderProfileInput;
    assert.deepEqual(await read(profileEnv(profile)), profile);
  });

  it('with every field wrong names each with its line, and the faults of the settings, at once', async () => {
    const text = [
      'chatChannel: our chat',
      'chatOtpChannel: ""',
      'unicodeType: 8',
      'currency: naira',
      'voiceOtpPath: api/voice',
      'contactDeleteBy: header:id',
      'balancePath: https://api.provider.example/balance',
      'historyPath: /history?all=1',
      'historyAmount: money',
      'phonebooksPath: [/phonebooks]',
      'tokenVerifyPath:',
      'balanceCurrency: NGN',
      'sentAtZone: WAT',
      'reportSignature:',
      '  # a comment',
      '  header: X Signature',
      '  hash: md5',
      '  encoding: hexadecimal',
      '  key: apiKey',
      '  keys: secret',
    ].join('\n');
    const at = (line: number, name: string, problem: string) =>
      `${name} in PROVIDER_PROFILE (line ${line}) ${problem}`;
    assert.deepEqual(await faultsOf(text, { PORT: 'http' }), [
      'PORT is not a whole number from 0 to 65535',
      at(1, 'chatChannel', 'is empty, too long or has spaces in it'),
      at(2, 'chatOtpChannel', 'is empty, too long or has spaces in it'),
      at(3, 'unicodeType', 'isn’t text'),
      at(4, 'currency', 'isn’t an ISO 4217 code'),
      at(5, 'voiceOtpPath', 'is not a path that begins with /'),
      at(6, 'contactDeleteBy', 'must be path, query:NAME or body:NAME'),
      at(7, 'balancePath', 'is not a path that begins with /'),
      at(8, 'historyPath', 'is not a path that begins with /'),
      at(9, 'historyAmount', 'must be one of cost, other'),
      at(10, 'phonebooksPath', 'isn’t text'),
      at(11, 'tokenVerifyPath', 'isn’t text'),
      at(12, 'balanceCurrency', 'isn’t a field of a profile'),
      at(13, 'sentAtZone', 'isn’t a time zone, such as Africa/Lagos'),
      at(16, 'reportSignature.header', 'is not the name of a header: letters, digits and hyphens'),
      at(17, 'reportSignature.hash', 'must be one of sha512, sha256'),
      at(18, 'reportSignature.encoding', 'must be one of hex, base64'),
      at(19, 'reportSignature.key', 'must be one of api_key, secret'),
      at(20, 'reportSignature.keys', 'isn’t a field of a profile'),
    ]);
  });

  it('names a missing field by the one that it belongs to', async () => {
    assert.deepEqual(await faultsOf('currency: NGN\nreportSignature:\n  hash: sha256'), [
      'reportSignature.header in PROVIDER_PROFILE (line 2) is missing',
    ]);
    assert.deepEqual(await faultsOf('historyAmount: cost'), [
      'historyAmount in PROVIDER_PROFILE (line 1) is set, but historyPath is not',
    ]);
    assert.equal(await faultOf('reportSignature', 'x-signed'), 'isn’t a list of fields');
  });

  it('names a contact to delete in the path, the query or the body, and not as the key', async () => {
    for (const right of ['path', 'query:contact_id', 'body:_id']) {
      assert.equal(await faultOf('contactDeleteBy', right), '', right);
    }
    for (const wrong of ['id', 'Path', 'query', 'query:', 'body:a b', 'path:id', 'query:a&b']) {
      assert.match(await faultOf('contactDeleteBy', wrong), /must be path, query:NAME/, wrong);
    }
    for (const taken of ['query:api_key', 'body:api_key']) {
      assert.match(await faultOf('contactDeleteBy', taken), /the field that the key is sent in$/);
    }
  });

  it('is one YAML file of up to 64 kB with a list of fields', async (test) => {
    const folder = temporaryFolder(test);
    assert.deepEqual(await faultsAt(`${folder}/none.yml`), [
      'PROVIDER_PROFILE names a file that does not exist',
    ]);
    assert.deepEqual(await faultsAt(folder), ['PROVIDER_PROFILE names a folder']);
    assert.deepEqual(await faultsOf(`#${' '.repeat(64 * 1024)}`), [
      'PROVIDER_PROFILE names a file of more than 64 kB',
    ]);
    assert.deepEqual(await faultsOf(`#${' '.repeat(64 * 1024 - 1)}`), []);
    for (const [text, problem] of [
      ['currency: NGN\ncurrency: GHS', 'isn’t valid YAML at line 2: duplicate key'],
      ['currency: "NGN', 'isn’t valid YAML at line 1: missing char'],
      ['currency: NGN\n---\ncurrency: GHS', 'isn’t valid YAML at line 2: multiple docs'],
      ['currency: !money NGN', 'isn’t valid YAML at line 1: tag resolve failed'],
      ['PORT=3000', 'names a file without fields, such as balancePath: /api/get-balance'],
      ['- currency: NGN', 'names a file without fields, such as balancePath: /api/get-balance'],
      ['balancePath: &path /balance\nhistoryPath: *path', 'names a file with an alias (*) in it'],
    ] as const) {
      assert.deepEqual(await faultsOf(text), [`PROVIDER_PROFILE ${problem}`], text);
    }
  });

  it('is not repeated in an error, as the file may be another one, with secrets', async () => {
    const secret = 'Q7z9Q7z9Q7z9';
    for (const text of [
      `${secret}`,
      `unicodeType: ${secret} ${secret}`,
      `historyAmount: ${secret}`,
      `a: "${secret}`,
      `a: *${secret}`,
      `a: !${secret} b`,
      `"${secret} ${secret}": 1`,
    ]) {
      const faults = await faultsOf(text);
      assert.notDeepEqual(faults, []);
      assert.ok(!faults.join().includes(secret), faults.join());
    }
  });
});
