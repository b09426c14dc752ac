import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { passedSettings } from '../../sandbox/app-process/app-process.ts';
import {
  describeSettings,
  readPostgresSettings,
  readSettings,
  SettingsError,
} from '../../src/config/settings.ts';

const key = randomBytes(32).toString('base64');
const required = {
  PROVIDER_BASE_URL: 'https://api.provider.example',
  SLACK_BOT_TOKEN: 'xoxb-1-abcdef',
  ENCRYPTION_KEYS: key,
};
const overHttp = { ...required, SLACK_SIGNING_SECRET: 'b6d1c9e4' };

async function faultsOf(environment: Record<string, string | undefined>) {
  try {
    await readSettings(environment);
  } catch (error) {
    assert.ok(error instanceof SettingsError);
    return error.faults;
  }
  return [];
}

async function problemWith(setting: string, value: string): Promise<string | undefined> {
  const faults = await faultsOf({ ...overHttp, [setting]: value });
  return faults.map((fault) => `${fault.setting} ${fault.problem}`).join('; ') || undefined;
}

test('four settings are enough for one workspace over HTTP', async () => {
  const settings = await readSettings(overHttp);
  assert.equal(settings.provider.baseUrl.href, 'https://api.provider.example/');
  assert.equal(settings.slack.transport, 'http');
  const { access } = settings.slack;
  assert.equal(access.kind === 'token' && access.botToken.reveal(), 'xoxb-1-abcdef');
  assert.deepEqual(
    { ...settings.provider, baseUrl: undefined },
    {
      baseUrl: undefined,
      dialect: {
        chatChannel: 'chatapp',
        chatOtpChannel: 'chatapp_otp',
        voiceOtpPath: '/api/sms/otp/call',
        successMarker: 'required',
        historyAmount: 'other',
      },
    },
  );
  const { dataDir, host, port, commandPrefix, logLevel } = settings;
  assert.deepEqual(
    { dataDir, host, port, commandPrefix, logLevel },
    { dataDir: './data', host: '0.0.0.0', port: 3000, commandPrefix: '', logLevel: 'info' },
  );
});

test('every setting reaches the app in the sandbox, unless the sandbox sets it itself', () => {
  const own = /^(?:SLACK_|ENCRYPTION_KEYS|DATA_DIR|HOST|PORT|PROVIDER_BASE_URL)/;
  const passedOn = describeSettings()
    .map(({ name }) => name)
    .filter((name) => !own.test(name));
  const environment = Object.fromEntries(passedOn.map((name) => [name, 'x']));
  assert.deepEqual(passedSettings({ ...environment, SLACK_BOT_TOKEN: 'xoxb-1', PATH: '/bin' }), environment);
});

test('an app token selects Socket Mode', async () => {
  const { slack } = await readSettings({ ...required, SLACK_APP_TOKEN: 'xapp-1-abcdef' });
  assert.equal(slack.transport, 'socket');
  assert.equal(slack.transport === 'socket' && slack.appToken.reveal(), 'xapp-1-abcdef');
});

test('every given setting is used', async () => {
  const second = randomBytes(32).toString('base64');
  const settings = await readSettings({
    ...overHttp,
    PROVIDER_BASE_URL: 'http://127.0.0.1:4100/base',
    SLACK_API_URL: 'http://localhost:4200/api/',
    ENCRYPTION_KEYS: ` ${second}, ${key} `,
    PORT: '0',
    COMMAND_PREFIX: 'acme-',
    LOG_LEVEL: 'trace',
    CAMPAIGN_MESSAGES_PER_SECOND: '250',
    RETENTION_DAYS: '7',
  });
  assert.equal(settings.provider.baseUrl.href, 'http://127.0.0.1:4100/base');
  assert.equal(settings.slack.apiUrl?.href, 'http://localhost:4200/api/');
  assert.deepEqual(
    settings.encryptionKeys.map((secret) => secret.reveal()),
    [second, key],
  );
  assert.equal(settings.port, 0);
  assert.equal(settings.commandPrefix, 'acme-');
  assert.equal(settings.logLevel, 'trace');
  assert.equal(settings.campaignMessagesPerSecond, 250);
  assert.equal(settings.retentionDays, 7);
});

test('an empty or blank setting counts as unset', async () => {
  const settings = await readSettings({
    ...overHttp,
    SLACK_APP_TOKEN: '',
    PORT: '  ',
    SLACK_API_URL: '',
    DATABASE_URL: '',
  });
  assert.equal(settings.port, 3000);
  assert.equal(settings.slack.transport, 'http');
  assert.equal(settings.slack.apiUrl, undefined);
  assert.deepEqual(
    (await faultsOf({ ...overHttp, SLACK_BOT_TOKEN: ' ' })).map(({ setting }) => setting),
    ['SLACK_BOT_TOKEN or SLACK_CLIENT_ID'],
  );
});

test('the error without any settings names all that are missing, the remedies, and the sandbox', async () => {
  const faults = await faultsOf({});
  assert.deepEqual(
    faults.map(({ setting, problem }) => `${setting} ${problem}`),
    [
      'PROVIDER_BASE_URL is missing',
      'ENCRYPTION_KEYS is missing',
      'SLACK_APP_TOKEN or SLACK_SIGNING_SECRET is missing',
      'SLACK_BOT_TOKEN or SLACK_CLIENT_ID is missing',
    ],
  );
  const { message } = new SettingsError(faults);
  for (const { setting, remedy } of faults) {
    assert.ok(message.includes(setting));
    assert.ok(message.includes(remedy));
  }
  assert.match(message, /openssl rand -base64 32/);
  assert.match(message, /npm run sandbox$/);
  for (const line of message.split('\n')) {
    assert.ok(line.length <= 120, `too long for a terminal: ${line}`);
  }
});

test('all faults are reported at once', async () => {
  const faults = await faultsOf({
    PROVIDER_BASE_URL: 'ftp://x',
    SLACK_BOT_TOKEN: 'xoxp-1',
    SLACK_APP_TOKEN: 'xapp-1',
    SLACK_SIGNING_SECRET: 'abc',
    ENCRYPTION_KEYS: 'short',
    PORT: '65536',
    LOG_LEVEL: 'loud',
    DATABASE_URL: 'mysql://db/switchboard',
    SLACK_CLIENT_ID: '1.2',
  });
  assert.deepEqual(
    faults.map(({ setting }) => setting),
    [
      'PROVIDER_BASE_URL',
      'SLACK_BOT_TOKEN',
      'ENCRYPTION_KEYS',
      'PORT',
      'LOG_LEVEL',
      'SLACK_APP_TOKEN and SLACK_SIGNING_SECRET',
      'SLACK_BOT_TOKEN, SLACK_CLIENT_ID',
      'DATABASE_URL',
    ],
  );
});

test('a program that works on PostgreSQL names its missing address with all other faults', async () => {
  const problemsOf = async (environment: Record<string, string>) => {
    try {
      return (await readPostgresSettings(environment)).postgres.url.reveal();
    } catch (error) {
      assert.ok(error instanceof SettingsError);
      return error.faults.map(({ setting, problem }) => `${setting} ${problem}`);
    }
  };
  assert.deepEqual(await problemsOf({ ...overHttp, DATABASE_URL: '', PORT: 'x' }), [
    'PORT is not a whole number from 0 to 65535',
    'DATABASE_URL is missing',
  ]);
  const wrong = await problemsOf({ ...overHttp, DATABASE_URL: 'mysql://db/switchboard' });
  assert.deepEqual(wrong, ['DATABASE_URL does not begin with postgres://']);
  assert.equal(
    await problemsOf({ ...overHttp, DATABASE_URL: 'postgres://u@localhost/s' }),
    'postgres://u@localhost/s',
  );
});

const oauth = {
  SLACK_CLIENT_ID: '1234567890.0987654321',
  SLACK_CLIENT_SECRET: 'b1c2d3',
  SLACK_STATE_SECRET: 'x'.repeat(32),
};

test('many workspaces need all of the OAuth settings and no bot token', async () => {
  const { SLACK_BOT_TOKEN: _, ...many } = { ...overHttp, ...oauth };
  const { access } = (await readSettings(many)).slack;
  assert.ok(access.kind === 'oauth');
  assert.equal(access.clientId, oauth.SLACK_CLIENT_ID);
  assert.equal(access.clientSecret.reveal(), oauth.SLACK_CLIENT_SECRET);
  assert.equal(access.stateSecret.reveal(), oauth.SLACK_STATE_SECRET);
  const { SLACK_SIGNING_SECRET: __, ...overSocket } = { ...many, SLACK_APP_TOKEN: 'xapp-1' };
  assert.equal((await readSettings(overSocket)).slack.access.kind, 'oauth', 'also over Socket Mode');

  const settingsAt = async (environment: Record<string, string>) =>
    (await faultsOf(environment)).map(({ setting, problem }) => `${setting} ${problem}`);
  const { SLACK_CLIENT_SECRET: ___, ...incomplete } = many;
  assert.deepEqual(await settingsAt(incomplete), [
    'SLACK_CLIENT_SECRET is missing, but SLACK_CLIENT_ID and SLACK_STATE_SECRET are set',
  ]);
  assert.deepEqual(await settingsAt({ ...overHttp, ...oauth }), [
    'SLACK_BOT_TOKEN, SLACK_CLIENT_ID, SLACK_CLIENT_SECRET, SLACK_STATE_SECRET are both set, but the program serves either one workspace by its token, or many by OAuth',
  ]);
  for (const [name, value, problem] of [
    ['SLACK_CLIENT_ID', 'A0SWITCHBOARD', 'is not digits, a dot, and digits'],
    ['SLACK_CLIENT_SECRET', 'xoxb-1-2', 'is a token and not the client secret'],
    ['SLACK_STATE_SECRET', 'x'.repeat(31), 'is shorter than 32 characters'],
    ['SLACK_STATE_SECRET', 'x'.repeat(1_025), 'is longer than 1024 characters'],
  ] as const) {
    assert.deepEqual(await settingsAt({ ...many, [name]: value }), [`${name} ${problem}`]);
  }
});

test('the provider’s URL must be https, or http on this machine', async () => {
  for (const right of [
    'https://a.example',
    'http://localhost:1',
    'http://127.0.0.1',
    'http://127.9.9.9:80',
    'http://[::1]:8',
  ]) {
    assert.equal(await problemWith('PROVIDER_BASE_URL', right), undefined, right);
  }
  for (const wrong of [
    'http://a.example',
    'http://127.0.0.1.a.example',
    'http://10.0.0.1',
    'http://localhost.a.example',
  ]) {
    assert.match((await problemWith('PROVIDER_BASE_URL', wrong)) ?? '', /is http to another machine/, wrong);
  }
  assert.match((await problemWith('PROVIDER_BASE_URL', 'api.provider.example')) ?? '', /is not an address/);
  assert.match((await problemWith('PROVIDER_BASE_URL', 'localhost:4000')) ?? '', /does not begin with https/);
  assert.match(
    (await problemWith('PROVIDER_BASE_URL', 'https://me:pw@a.example')) ?? '',
    /user name or a password/,
  );
  assert.match((await problemWith('PROVIDER_BASE_URL', 'https://a.example/?api_key=1')) ?? '', /a \? or a #/);
});

test('each encryption key is 32 bytes in base64, and an invalid one is named by its position', async () => {
  for (const bytes of [16, 31, 33, 64]) {
    const wrong = randomBytes(bytes).toString('base64');
    assert.match((await problemWith('ENCRYPTION_KEYS', `${key},${wrong}`)) ?? '', /at key 2 of 2$/);
  }
  assert.match(
    (await problemWith('ENCRYPTION_KEYS', randomBytes(32).toString('hex'))) ?? '',
    /at key 1 of 1$/,
  );
  assert.match((await problemWith('ENCRYPTION_KEYS', ',')) ?? '', /no key/);
});

test('a token in the wrong setting is reported', async () => {
  assert.match(
    (await problemWith('SLACK_BOT_TOKEN', 'xapp-1-a')) ?? '',
    /^SLACK_BOT_TOKEN does not begin with xoxb-/,
  );
  assert.match((await problemWith('SLACK_SIGNING_SECRET', 'xoxb-1-a')) ?? '', /is a token/);
  const faults = await faultsOf({ ...required, SLACK_APP_TOKEN: 'xoxb-1-a' });
  assert.deepEqual(
    faults.map(({ setting }) => setting),
    ['SLACK_APP_TOKEN'],
  );
});

test('a port is a whole number up to 65535', async () => {
  for (const wrong of ['65536', '-1', '3000.5', '0x50', '1e3', 'http', '99999999999999999999']) {
    assert.equal(await problemWith('PORT', wrong), 'PORT is not a whole number from 0 to 65535');
  }
  assert.equal(await problemWith('PORT', '65535'), undefined);
});

test('a database is a PostgreSQL URL, and what is wrong with it is named', async () => {
  const read = async (url: string, more: Record<string, string> = {}) =>
    readSettings({ ...overHttp, DATABASE_URL: url, ...more });
  assert.equal((await readSettings(overHttp)).postgres, undefined);
  const { postgres, warnings } = await read('postgres://u:hush@db/s?sslmode=require');
  assert.equal(postgres?.url.reveal(), 'postgres://u:hush@db/s?sslmode=require');
  assert.deepEqual([postgres.connections, postgres.unverified], [5, false]);
  assert.match(
    warnings.join(),
    /^DATABASE_URL has sslmode=require after its \?\. The certificate is verified/,
  );
  assert.equal((await read('postgres://db/s', { DATABASE_CONNECTIONS: '12' })).postgres?.connections, 12);
  assert.equal(
    await problemWith('DATABASE_CONNECTIONS', '1'),
    'DATABASE_CONNECTIONS is not a whole number from 2 to 100',
  );
  assert.equal(
    await problemWith('DATABASE_URL', 'https://db/s'),
    'DATABASE_URL does not begin with postgres://',
  );
  const [prefer] = await faultsOf({ ...overHttp, DATABASE_URL: 'postgres://db/s?sslmode=prefer' });
  assert.deepEqual(
    [prefer?.problem, prefer?.remedy.includes('Set `sslmode=require`')],
    ['has sslmode after its ?', true],
  );
  const [fault] = await faultsOf({ ...overHttp, DATABASE_CA: '/ca.pem' });
  assert.equal(fault?.setting, 'DATABASE_CA');
  const plain = { DATABASE_URL: 'postgres://u:p@db/s?sslmode=disable', DATABASE_CA: '/ca.pem' };
  const [contradiction] = await faultsOf({ ...overHttp, ...plain });
  assert.equal(contradiction?.setting, 'DATABASE_CA');
  assert.match(
    `${contradiction?.problem} ${contradiction?.remedy}`,
    /switches encryption off.*Unset DATABASE_CA/,
  );
});

test('a certificate is not verified only where a setting of its own says so, which is logged', async () => {
  const noVerify = { ...overHttp, DATABASE_URL: 'postgres://u:p@db/s?sslmode=no-verify' };
  const [fault] = await faultsOf(noVerify);
  assert.match(
    `${fault?.problem} ${fault?.remedy}`,
    /no-verify.*DATABASE_CA.*DATABASE_CERTIFICATE=unverified/,
  );
  const { postgres, warnings } = await readSettings({ ...noVerify, DATABASE_CERTIFICATE: 'unverified' });
  assert.equal(postgres?.unverified, true);
  assert.match(warnings.join(), /^DATABASE_CERTIFICATE is unverified/);
  for (const verified of ['?sslmode=verify-full', '?sslrootcert=/ca.pem']) {
    const both = { DATABASE_URL: `postgres://u:p@db/s${verified}`, DATABASE_CERTIFICATE: 'unverified' };
    assert.deepEqual(
      (await faultsOf({ ...overHttp, ...both })).map(({ setting }) => setting),
      ['DATABASE_CERTIFICATE'],
    );
  }
});

test('a setting in quotes is refused by its name, without another fault', async () => {
  for (const [name, value] of [
    ['SLACK_SIGNING_SECRET', '"b6d1c9e4"'],
    ['SLACK_SIGNING_SECRET', "'b6d1c9e4'"],
    ['SLACK_BOT_TOKEN', '"xoxb-1-abcdef"'],
    ['ENCRYPTION_KEYS', `"${key}"`],
    ['DATABASE_URL', '"postgres://u:p@db/s"'],
    ['PROVIDER_BASE_URL', '“https://api.provider.example”'],
    ['HTTPS_PROXY', '"http://proxy:3128"'],
    ['DATA_DIR', '"/data"'],
  ] as const) {
    assert.equal(await problemWith(name, value), `${name} is in quotes`);
  }
});

test('the proxy of other programs is used, unless there is another one', async () => {
  const proxyOf = async (environment: Record<string, string>) => {
    const { proxy } = await readSettings({ ...overHttp, ...environment });
    return proxy && [proxy.address.reveal(), proxy.except];
  };
  const lowerCase = { https_proxy: 'http://proxy:3128', no_proxy: 'db.example' };
  assert.deepEqual(await proxyOf(lowerCase), ['http://proxy:3128', 'db.example']);
  assert.deepEqual(await proxyOf({ ...lowerCase, HTTPS_PROXY: 'http://other:1', NO_PROXY: 'a' }), [
    'http://other:1',
    'a',
  ]);
  assert.equal(
    await problemWith('https_proxy', 'ftp://proxy:3128'),
    'HTTPS_PROXY begins neither with http:// nor with https://',
  );
});

test('the program listens on an IP address', async () => {
  for (const right of ['0.0.0.0', '127.0.0.1', '::', '::1', 'localhost']) {
    assert.equal(await problemWith('HOST', right), undefined, right);
  }
  for (const wrong of ['x86_64-conda-linux-gnu', 'db.example', '[::]', '10.0.0', 'a b', '*']) {
    assert.equal(await problemWith('HOST', wrong), 'HOST is not an IP address', wrong);
  }
});

test('an address may end as the paths beneath it begin: the provider’s in /api, the collector’s in /v1/traces', async () => {
  const read = async (PROVIDER_BASE_URL: string) =>
    (await readSettings({ ...overHttp, PROVIDER_BASE_URL })).provider.baseUrl.href;
  assert.equal(await read('https://api.provider.example/api'), 'https://api.provider.example/');
  assert.equal(await read('https://provider.example/sms/api/'), 'https://provider.example/sms');
  assert.equal(await read('https://provider.example/v1'), 'https://provider.example/v1');
  const { traces } = await readSettings({
    ...overHttp,
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/v1/traces',
  });
  assert.equal(traces?.href, 'http://collector:4318/');
});

test('a command prefix has only characters of a command, and leaves room for the longest name', async () => {
  assert.equal(await problemWith('COMMAND_PREFIX', 'a'.repeat(20)), undefined);
  assert.match((await problemWith('COMMAND_PREFIX', 'a'.repeat(21))) ?? '', /longer than 20 characters/);
  for (const wrong of ['/acme-', 'Acme', 'ac me', 'é', 'a.b']) {
    assert.match((await problemWith('COMMAND_PREFIX', wrong)) ?? '', /lowercase letters/, wrong);
  }
});

test('secrets are not printed, and no fault repeats a value', async () => {
  assert.doesNotMatch(
    `${inspect(await readSettings(overHttp), { depth: 9 })}${JSON.stringify(await readSettings(overHttp))}`,
    /b6d1c9e4|abcdef/,
  );

  const names = describeSettings().map(({ name }) => name);
  const value = fc.stringMatching(/^[!-~]{1,6}Q7z~9Q[!-~]{0,6}$/);
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.constantFrom(...names, 'DATABASE_URL', 'SLACK_CLIENT_SECRET'), value),
      async (environment) => {
        const faults = await faultsOf(environment);
        const told = `${JSON.stringify(faults)}${new SettingsError(faults).message}`;
        return Object.values(environment).every((secret) => !told.includes(secret));
      },
    ),
  );
});

test('every setting has a description and a default', () => {
  const rows = describeSettings();
  assert.deepEqual(rows.at(0), {
    name: 'PROVIDER_BASE_URL',
    default: 'required',
    description: 'The address of the provider’s API, with or without `/api`: https, or http on this machine.',
  });
  for (const { name, default: value, description } of rows) {
    assert.match(name, /^[A-Z_]+$/);
    assert.notEqual(value, '');
    assert.match(description, /^[A-Z].*\.$/, name);
  }
  const defaults = Object.fromEntries(rows.map((row) => [row.name, row.default]));
  assert.equal(defaults.PORT, '3000');
  assert.equal(defaults.COMMAND_PREFIX, 'empty');
  assert.equal(defaults.SLACK_BOT_TOKEN, 'unset');
});
