import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { copyManifest } from '../app-manifest.ts';
import { freePort } from '../sandbox.ts';
import { AlreadyRunningError, assertSingleInstance, markRunning, openStateFolder } from '../state-folder.ts';

describe('the folder of the sandbox’s state', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('generates secrets once, readable by the owner only, until a reset', async () => {
    const first = await openStateFolder(join(folder, 'state'));
    const again = await openStateFolder(join(folder, 'state'));
    assert.deepEqual(again.secrets, first.secrets);
    assert.equal(Buffer.from(first.secrets.encryptionKeys, 'base64').length, 32);
    assert.equal((await stat(join(folder, 'state', 'secrets.json'))).mode & 0o077, 0);
    const afterReset = await openStateFolder(join(folder, 'state'), { reset: true });
    assert.notEqual(afterReset.secrets.encryptionKeys, first.secrets.encryptionKeys);
  });

  it('refuses secrets of which one is missing', async () => {
    const { path, secrets } = await openStateFolder(join(folder, 'state'));
    await writeFile(join(path, 'secrets.json'), JSON.stringify({ ...secrets, encryptionKeys: undefined }));
    await assert.rejects(openStateFolder(path), /encryptionKeys/);
  });

  it('refuses a second sandbox on the same folder and names the first', async () => {
    const server = createServer((_, response) => response.end('{}'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    assert.ok(typeof address === 'object' && address);
    const url = `http://127.0.0.1:${address.port}`;
    const note = { pid: process.pid + 1, url };
    await writeFile(join(folder, 'running.json'), JSON.stringify(note));
    await assert.rejects(
      assertSingleInstance(folder),
      (error) => error instanceof AlreadyRunningError && error.message.includes(url),
    );
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
    await assertSingleInstance(folder);
  });

  it('removes the mark of a running sandbox when it stops', async () => {
    const forget = await markRunning(folder, 'http://127.0.0.1:4300');
    await readFile(join(folder, 'running.json'));
    await forget();
    await assert.rejects(readFile(join(folder, 'running.json')), { code: 'ENOENT' });
  });

  it('takes the usual port if it is free, else another', async () => {
    const usual = await freePort(0, '127.0.0.1');
    assert.equal(await freePort(usual, '127.0.0.1'), usual);
    const holder = createServer().listen(usual, '127.0.0.1');
    await once(holder, 'listening');
    assert.notEqual(await freePort(usual, '127.0.0.1'), usual);
    holder.close();
  });

  it('copies the manifest with the command prefix', async () => {
    const from = fileURLToPath(new URL('../../manifest.yml', import.meta.url));
    const to = join(folder, 'manifest.yml');
    const { name } = await copyManifest(from, to, 'acme-');
    assert.equal(name, 'Switchboard');
    const copy = await readFile(to, 'utf8');
    assert.match(copy, /command: \/acme-sms/);
    await copyManifest(to, to, 'acme-');
    assert.equal(await readFile(to, 'utf8'), copy);
  });
});
