import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
});
after(() => rm(folder, { recursive: true }));

const mainFile = fileURLToPath(new URL('../../main.ts', import.meta.url));

function run(...options: string[]): ChildProcess {
  return spawn(process.execPath, [mainFile, ...options], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
}

async function addressOf({ stdout }: ChildProcess): Promise<string> {
  assert.ok(stdout);
  for await (const line of createInterface({ input: stdout })) {
    const address = /ready: +(http:\S+)/.exec(line)?.[1];
    if (address) {
      return address;
    }
  }
  assert.fail('The sandbox ended without an address.');
}

async function wordsOf({ stdout, stderr }: ChildProcess): Promise<string> {
  assert.ok(stdout && stderr);
  const lines: string[] = [];
  for (const stream of [stdout, stderr]) {
    for await (const chunk of stream) {
      lines.push(String(chunk));
    }
  }
  return lines.join('');
}

test('prints its address, refuses a second instance, stops on Ctrl-C and keeps its state', async () => {
  const first = run();
  const url = await addressOf(first);
  first.stdout?.resume();
  assert.match(await (await fetch(url)).text(), /<title>Switchboard sandbox<\/title>/);
  const action = { do: 'message', person: 'U0AGENT', channel: 'C0SUPPORT', text: 'Kept for the next time' };
  const headers = { 'content-type': 'application/json' };
  await fetch(`${url}/sandbox/actions`, { method: 'POST', headers, body: JSON.stringify(action) });

  const second = run();
  const [words, [refusal]] = await Promise.all([wordsOf(second), once(second, 'close')]);
  assert.equal(refusal, 1);
  assert.ok(words.includes(url), words);

  first.kill('SIGINT');
  assert.deepEqual(await once(first, 'close'), [0, null]);
  await assert.rejects(fetch(url));

  const third = run();
  const again = await addressOf(third);
  third.stdout?.resume();
  const state = await (await fetch(`${again}/sandbox/state?person=U0AGENT`)).json();
  third.kill('SIGINT');
  await once(third, 'close');
  assert.equal(state.messages[0].text, 'Kept for the next time');
});

test('stops the app when the sandbox is killed, and starts it again to be installed by OAuth', async () => {
  const first = run('--reset');
  await addressOf(first);
  first.kill('SIGKILL');
  await once(first, 'close');
  const second = run('--rotate');
  const url = await addressOf(second);
  second.stdout?.resume();
  const { installation, workspaces } = await (await fetch(`${url}/sandbox/state`)).json();
  second.kill('SIGINT');
  assert.deepEqual(await once(second, 'close'), [0, null]);
  assert.equal(installation, undefined, 'people add the app themselves');
  assert.equal(workspaces.length, 4);
});

test('exits with a message for an unknown option or an invalid time', async () => {
  for (const option of ['--sockets', '--at=noon']) {
    const child = run(option);
    const [words, [code]] = await Promise.all([wordsOf(child), once(child, 'close')]);
    assert.equal(code, 1);
    assert.match(words, /--sockets|noon/);
  }
});
