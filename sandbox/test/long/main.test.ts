import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type RunningProcess, startProcess } from '../../../test/support/app/app-process.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
});
after(() => rm(folder, { recursive: true }));

const mainFile = fileURLToPath(new URL('../../main.ts', import.meta.url));

function run(t: TestContext, ...options: string[]): RunningProcess {
  return startProcess(t, [process.execPath, mainFile, ...options], { cwd: folder });
}

async function addressOf(sandbox: RunningProcess): Promise<string> {
  return /ready: +(http:\S+)/.exec(await sandbox.says('ready: '))?.[1] ?? assert.fail('there is no address');
}

test('prints its address, refuses a second instance, stops on Ctrl-C and keeps its state', async (t) => {
  const first = run(t);
  const url = await addressOf(first);
  assert.match(await (await fetch(url)).text(), /<title>Switchboard sandbox<\/title>/);
  const action = { do: 'message', person: 'U0AGENT', channel: 'C0SUPPORT', text: 'Kept for the next time' };
  const headers = { 'content-type': 'application/json' };
  await fetch(`${url}/sandbox/actions`, { method: 'POST', headers, body: JSON.stringify(action) });

  const second = run(t);
  const refused = await second.ends();
  assert.equal(refused.code, 1);
  assert.ok(refused.output.includes(url), refused.output);

  assert.equal((await first.stop('SIGINT')).code, 0);
  await assert.rejects(fetch(url));

  const third = run(t);
  const again = await addressOf(third);
  const state = await (await fetch(`${again}/sandbox/state?person=U0AGENT`)).json();
  await third.stop('SIGINT');
  assert.equal(state.messages[0].text, 'Kept for the next time');
});

test('stops the app when the sandbox is killed, and starts it again to be installed by OAuth', async (t) => {
  const first = run(t, '--reset');
  await addressOf(first);
  await first.kill();
  const second = run(t, '--rotate');
  const url = await addressOf(second);
  const { installation, workspaces } = await (await fetch(`${url}/sandbox/state`)).json();
  assert.equal((await second.stop('SIGINT')).code, 0);
  assert.equal(installation, undefined, 'people add the app themselves');
  assert.equal(workspaces.length, 4);
});

test('exits with a message for an unknown option or an invalid time', async (t) => {
  for (const option of ['--sockets', '--at=noon']) {
    const { code, output } = await run(t, option).ends();
    assert.equal(code, 1);
    assert.match(output, /--sockets|noon/);
  }
});
