import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startProvider } from '../../provider/server.ts';
import { get, noon, post, provide, send } from './client.ts';
import { esimClient } from './esims/client.ts';

test('refuses connections while it is down, and returns on the same port', async (t) => {
  const provider = await provide(t);
  await provider.goDown();
  await provider.goDown();
  await assert.rejects(get(provider, '/api/sender-id'), (error) => {
    assert.ok(error instanceof TypeError && error.cause instanceof Error && 'code' in error.cause);
    return error.cause.code === 'ECONNREFUSED';
  });
  await provider.comeUp();
  await provider.comeUp();
  assert.equal((await get(provider, '/api/sender-id')).status, 200);
});

test('keeps accepted messages while it is down', async (t) => {
  const provider = await provide(t);
  await send(provider);
  await provider.goDown();
  await provider.comeUp();
  assert.equal(provider.record.length, 1);
});

test('rejects a port that is taken', async (t) => {
  const { port } = await provide(t);
  await assert.rejects(startProvider({ port }), { code: 'EADDRINUSE' });
});

test('restores the seed state on a reset', async (t) => {
  const provider = await provide(t);
  const { account } = provider;
  await send(provider);
  provider.approveSenderId('PalmSale');
  provider.reset();
  assert.deepEqual(provider.account, account);
  assert.deepEqual(provider.record, []);
  assert.deepEqual(provider.arrivals, []);
});

async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-provider-'));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

test('keeps balances, messages and sender IDs over a restart', async (t) => {
  const stateFile = join(await temporaryFolder(t), 'of', 'the', 'provider.json');
  const first = await provide(t, { stateFile });
  await send(first, { to: '2348030009003' }).catch(() => {});
  await send(first, { channel: 'chatapp', sms: undefined, media: { url: 'https://files.example/a.png' } });
  await first.stop();

  const second = await provide(t, { stateFile });
  assert.deepEqual(second.account, first.account);
  assert.deepEqual(second.record, first.record);
  assert.equal(second.record.length, 2);
  second.approveSenderId('PalmSale');
  second.setBalance(12.34, second.otherAccount.key);
  await second.stop();

  const third = await provide(t, { stateFile });
  assert.deepEqual([third.account, third.otherAccount], [second.account, second.otherAccount]);
  assert.equal(third.otherAccount.balance, 12.34);
  assert.equal((await stat(stateFile)).mode & 0o777, 0o600);
});

test('keeps tokens, codes, contacts and eSIMs over a restart, and completes uploads', async (t) => {
  const stateFile = join(await temporaryFolder(t), 'provider.json');
  const first = await provide(t, { stateFile });
  const api_key = first.account.key;
  const client = await esimClient(first);
  const { sim } = await (await client.post('/create', { productId: 'ng-1gb-7d' })).json();
  const use_case = 'A message.';
  await post(first, '/api/sender-id/request', { api_key, sender_id: 'Palmful', use_case, company: 'Palm' });
  const form = new FormData();
  form.append('file', new File(['08031234567'], 'contacts.csv'));
  const pid = first.account.phonebooks[1]?.id;
  const contact = JSON.stringify({ api_key, country_code: '234', pid });
  form.append('contact', new Blob([contact], { type: 'application/json' }));
  await fetch(`${first.url}/api/phonebooks/contacts/upload`, { method: 'POST', body: form });
  await first.stop();

  const second = await provide(t, {
    stateFile,
    port: first.port,
    clock: () => new Date(noon.getTime() + 120_000),
  });
  assert.equal((await client.get(`/euicc/${sim.iccid}`)).status, 200);
  assert.equal(second.account.senderIds[0]?.status, 'active');
  assert.equal(second.account.phonebooks[1]?.contacts.at(-1)?.phone_number, '2348031234567');
  assert.equal(second.account.sims.length, 12);
});

test('keeps the webhook and what phones sent over a restart', async (t) => {
  const stateFile = join(await temporaryFolder(t), 'provider.json');
  const first = await provide(t, { stateFile });
  await first.receive({ from: '2348030000011', to: '55019', text: 'Yes' });
  first.webhook.set({ url: 'http://127.0.0.1:1/', held: true, seed: 9 });
  await first.stop();
  const second = await provide(t, { stateFile });
  assert.deepEqual(second.account.webhook, first.account.webhook);
  assert.deepEqual(second.inbox, first.inbox);
  assert.equal(second.inbox.length, 1);
});

test('does not overwrite a state file that it cannot read', async (t) => {
  const stateFile = join(await temporaryFolder(t), 'provider.json');
  for (const text of ['{"accounts": [', '{"accounts": 5}']) {
    await writeFile(stateFile, text);
    await assert.rejects(startProvider({ stateFile }), /can’t read .*provider\.json.*--reset/);
    assert.equal(await readFile(stateFile, 'utf8'), text);
  }
});

test('rejects stop() when the state cannot be saved', async (t) => {
  const folder = await temporaryFolder(t);
  await writeFile(join(folder, 'file'), '');
  const provider = await startProvider({ stateFile: join(folder, 'file', 'provider.json') }).catch(
    () => undefined,
  );
  assert.equal(provider, undefined);
  const unsaved = await startProvider({ stateFile: join(folder, 'later', 'provider.json') });
  await writeFile(join(folder, 'later'), '');
  unsaved.setBalance(1);
  await assert.rejects(unsaved.stop(), /later/);
});
