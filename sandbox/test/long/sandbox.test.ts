import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startSandbox } from '../../sandbox.ts';
import { openStateFolder } from '../../state-folder.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
});
after(() => rm(folder, { recursive: true }));

const day = 86_400_000;

test('sends a command to the app by the shifted clock and logs the request', async () => {
  const state = await openStateFolder(join(folder, 'shifted'));
  const sandbox = await startSandbox({ folder: state, transport: 'http', clockOffsetMs: day });
  try {
    const action = { do: 'command', person: 'U0AGENT', channel: 'C0SUPPORT', command: '/sms', text: 'help' };
    const response = await fetch(`${sandbox.url}/sandbox/actions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(action),
    });
    assert.equal(response.status, 200);
    assert.equal((await response.json()).status, 200);
    const requests = await (await fetch(`${sandbox.url}/sandbox/requests`)).json();
    assert.match(JSON.stringify(requests), /POST \/slack\/events/);
    const controls = await (await fetch(`${sandbox.url}/sandbox/controls`)).json();
    assert.equal(controls.clockShifted, true);
    assert.ok(Date.parse(controls.now) - Date.now() > day - 60_000);
    const logged = JSON.parse((await readFile(state.appLog, 'utf8')).split('\n')[0] ?? '');
    assert.ok(logged.time - Date.now() > day - 60_000, 'the app itself lives a day ahead');
  } finally {
    await sandbox.stop();
  }
});

test('takes the provider down and up, and restarts a crashed app', async () => {
  const state = await openStateFolder(join(folder, 'switches'));
  const said = new EventEmitter();
  const sandbox = await startSandbox({
    folder: state,
    transport: 'socket',
    print: (line) => void said.emit(line.startsWith('The app is ready again') ? 'ready' : 'said', line),
  });
  const change = async (body: object, type = 'application/json') => {
    const headers = { 'content-type': type };
    const response = await fetch(`${sandbox.url}/sandbox/controls`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    return { status: response.status, body: await response.json() };
  };
  try {
    assert.equal((await change({ provider: 'down' })).body.provider.up, false);
    await assert.rejects(fetch(sandbox.provider.url));
    assert.equal((await change({ provider: 'up' })).body.provider.up, true);
    await fetch(sandbox.provider.url);
    assert.equal((await change({ provider: 'sideways' })).status, 400);
    assert.equal((await change({ topUp: 1_500 })).body.provider.balance, 26_500);
    assert.equal((await change({ topUp: -1 })).status, 400);
    const url = 'http://127.0.0.1:1/provider/reports/x';
    const { webhook } = (await change({ webhook: { url, lossRate: 0.25 } })).body.provider;
    assert.deepEqual([webhook.url, webhook.lossRate, webhook.hash], [url, 0.25, 'sha512']);
    assert.match((await change({ webhook: { url: 'https://reports.example/' } })).body.error, /this machine/);
    assert.equal((await change({ webhook: null })).body.provider.webhook.url, '');
    assert.equal((await change({ provider: 'down' }, 'text/plain')).status, 400);
    const ready = once(said, 'ready');
    await change({ crash: 0 });
    await ready;
    assert.deepEqual(
      sandbox.instances.map(({ state }) => state),
      ['ready'],
    );
  } finally {
    await sandbox.stop();
  }
});

test('lets a person read what a phone received and reply to it', async () => {
  const state = await openStateFolder(join(folder, 'phones'));
  const sandbox = await startSandbox({ folder: state, transport: 'http' });
  const number = '2348030000011';
  const phones = async (reply?: object) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(
      `${sandbox.url}/sandbox/phones`,
      reply ? { method: 'POST', headers, body: JSON.stringify(reply) } : {},
    );
    return { status: response.status, body: await response.json() };
  };
  try {
    assert.deepEqual((await phones()).body, []);
    await sandbox.provider.receive({ from: number, to: '55019', text: 'Hello' });
    const [{ conversations }] = (await phones()).body;
    const reply = { number, conversation: conversations[0].id, text: 'And again' };
    const [after] = (await phones(reply)).body;
    assert.deepEqual(
      after.conversations[0].texts.map(({ text }: { text: string }) => text),
      ['Hello', 'And again'],
    );
    assert.equal((await phones({ ...reply, conversation: 'another' })).status, 400);
    assert.equal((await phones({ number })).status, 400);
    assert.equal(sandbox.provider.inbox.length, 2);
  } finally {
    await sandbox.stop();
  }
});

test('runs instances on one PostgreSQL, of which one answers where another has crashed', async () => {
  const state = await openStateFolder(join(folder, 'instances'));
  const said = new EventEmitter();
  const sandbox = await startSandbox({
    folder: state,
    transport: 'http',
    instances: 2,
    print: (line) => void said.emit(line),
  });
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' };
    const options = { method: 'POST', headers, body: JSON.stringify(body) };
    return (await fetch(`${sandbox.url}${path}`, options)).json();
  };
  const help = { do: 'command', person: 'U0AGENT', channel: 'C0SUPPORT', command: '/sms', text: 'help' };
  const answers = async () => {
    for (const _ of sandbox.instances) {
      const answer = await post('/sandbox/actions', help);
      assert.equal(answer.status, 200, JSON.stringify(answer));
    }
  };
  try {
    await answers();
    const again = once(said, 'Instance 2 is ready again.');
    const crashed = await post('/sandbox/controls', { crash: 1 });
    assert.deepEqual(crashed.app.instances, ['ready', 'stopped']);
    await answers();
    await again;
    await answers();
    assert.deepEqual((await post('/sandbox/controls', { database: 'down' })).database, { up: false });
    await answers();
    assert.deepEqual((await post('/sandbox/controls', { database: 'up' })).database, { up: true });
  } finally {
    await sandbox.stop();
  }
});

test('reports why the app cannot start and stops everything', async () => {
  const state = await openStateFolder(join(folder, 'broken'));
  const start = startSandbox({ folder: state, transport: 'http', settings: { LOG_LEVEL: 'deafening' } });
  await assert.rejects(start, /before it was ready[\s\S]*LOG_LEVEL/);
});
