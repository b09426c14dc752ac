import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { type ProviderSandbox, startProvider } from '../../../sandbox/provider/server.ts';
import { systemTimers } from '../../../src/lib/time/timers.ts';
import { createProvider } from '../../../src/provider/client.ts';
import { createPreferences } from '../../../src/services/workspaces/workspace-settings.ts';
import { createWorkspaces, type Workspaces } from '../../../src/services/workspaces/workspaces.ts';
import type { Store } from '../../../src/store/store.ts';
import { steppedTimers } from '../../support/stepped-timers.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { testContext } from '../../support/test-context.ts';

const workspace = 'T0SWITCH';

/** The part of the program that knows the workspaces' keys, as it is after each start. */
function start(
  test: TestContext,
  store: Store,
  sandbox: ProviderSandbox,
  { isAlone = false } = {},
): Workspaces {
  const provider = createProvider({
    baseUrl: new URL(sandbox.url),
    connectTimeout: 5_000,
    headersTimeout: 5_000,
    bodyTimeout: 5_000,
    totalTimeout: 10_000,
    connections: 8,
    dialect: { chatChannel: 'chatapp' },
  });
  test.after(() => provider.close());
  return createWorkspaces(
    testContext({ ...store, instances: { ...store.instances, isAlone } }, { provider }),
  );
}

async function begin(test: TestContext, dataDir = temporaryFolder(test), timers = systemTimers) {
  const [store, sandbox] = [await temporaryStore(test, { dataDir, timers }), await startProvider()];
  test.after(() => sandbox.stop());
  const workspaces = start(test, store, sandbox);
  assert.equal((await workspaces.connect(workspace, sandbox.account.key, 'U0ADMIN')).kind, 'connected');
  return { store, sandbox, workspaces };
}

async function listEsims(workspaces: Workspaces) {
  const account = await workspaces.account(workspace);
  const outcome = await account?.esims.list();
  assert.ok(outcome?.kind === 'accepted');
  return outcome.value.records;
}

const authentications = ({ arrivals }: ProviderSandbox) =>
  arrivals.filter(({ operation }) => operation === 'esims.authenticate');

const keptTokens = ({ db }: Store) =>
  db.selectFrom('keyv').where('area', '=', 'esim-token').selectAll().execute();

test('an instance that is alone keeps the account, until it changes the key itself', async (t) => {
  const { store, sandbox } = await begin(t);
  const workspaces = start(t, store, sandbox, { isAlone: true });
  const account = await workspaces.account(workspace);
  assert.ok(account);
  await store.keyv(workspace, 'settings').delete('connection');
  assert.equal(await workspaces.account(workspace), account, 'it was read again');
  await workspaces.disconnect(workspace);
  assert.equal(await workspaces.account(workspace), undefined);
  await workspaces.connect(workspace, sandbox.account.key, 'U0ADMIN');
  const next = await workspaces.account(workspace);
  assert.ok(next && next !== account);
});

test('the token is kept encrypted, and no longer than it lives', async (t) => {
  const { store, sandbox, workspaces } = await begin(t);
  await listEsims(workspaces);
  const token = String(sandbox.arrivals.at(-1)?.headers['x-token']);
  assert.match(token, /^[\w-]+\.[\w-]+\.[\w-]+$/);
  const [row, ...others] = await keptTokens(store);
  assert.ok(row && others.length === 0);
  assert.ok(!JSON.stringify(row).includes(token));
  const lasts = Number(row.expires) - Date.now();
  assert.ok(lasts > 23 * 60 * 60 * 1000 && lasts <= 24 * 60 * 60 * 1000);
});

test('a key that goes takes its token with it', async (t) => {
  const { store, sandbox, workspaces } = await begin(t);
  await listEsims(workspaces);
  await workspaces.disconnect(workspace);
  assert.equal(await workspaces.account(workspace), undefined);
  assert.deepEqual(await keptTokens(store), []);
  assert.equal(sandbox.arrivals.length, 3);
});

for (const [what, change] of [
  ['removed', (workspaces: Workspaces) => workspaces.disconnect(workspace)],
  [
    'replaced',
    (workspaces: Workspaces, { otherAccount }: ProviderSandbox) =>
      workspaces.connect(workspace, otherAccount.key, 'U0ADMIN'),
  ],
  ['forgotten', (_: Workspaces, __: ProviderSandbox, store: Store) => store.forget(workspace)],
] as const) {
  test(`a key that is ${what} leaves nothing in the files, not even encrypted`, async (t) => {
    const dataDir = temporaryFolder(t);
    const { store, sandbox, workspaces } = await begin(t, dataDir);
    await listEsims(workspaces);
    const secrets = await ciphertexts(store);
    assert.equal(secrets.length, 2);
    assert.deepEqual(foundIn(dataDir, secrets), secrets);
    await change(workspaces, sandbox, store);
    assert.deepEqual(foundIn(dataDir, secrets), []);
  });
}

test('a key that is removed while another program reads is out of the files once it has read', async (t) => {
  const dataDir = temporaryFolder(t);
  const timers = steppedTimers();
  const { store, workspaces } = await begin(t, dataDir, timers);
  const secrets = await ciphertexts(store);
  const reader = new Database(join(dataDir, 'switchboard.db'), { readonly: true });
  reader.exec('begin; select count(*) from keyv');
  const retry = async () => {
    await timers.advance(1_000);
    // The database serves requests in order, so every earlier one is done.
    await store.ready();
    await store.ready();
  };
  await workspaces.disconnect(workspace);
  await retry();
  assert.deepEqual(foundIn(dataDir, secrets), secrets);
  reader.close();
  await retry();
  await retry();
  assert.deepEqual(foundIn(dataDir, secrets), []);
});

async function ciphertexts({ db }: Store): Promise<string[]> {
  const rows = await db.selectFrom('keyv').select('value').execute();
  return rows.map(({ value }) => value);
}

/** Those that stand in any of the files. */
function foundIn(folder: string, texts: readonly string[]): string[] {
  const files = readdirSync(folder).map((file) => readFileSync(join(folder, file)));
  return texts.filter((text) => files.some((bytes) => bytes.includes(text)));
}

test('after the key was replaced, nothing is asked for with the token of the old one', async (t) => {
  const { store, sandbox, workspaces } = await begin(t);
  const old = await workspaces.account(workspace);
  const before = await listEsims(workspaces);
  const connecting = await workspaces.connect(workspace, sandbox.otherAccount.key, 'U0ADMIN');
  assert.equal(connecting.kind, 'connected');
  assert.deepEqual(await keptTokens(store), []);
  // What was still under way with the old key has to obtain a new token, and keeps it.
  sandbox.reset();
  assert.equal((await old?.esims.list())?.kind, 'accepted');
  assert.equal((await keptTokens(store)).length, 1);
  const after = await listEsims(start(t, store, sandbox));
  assert.notDeepEqual(
    after.map(({ iccid }) => iccid),
    before.map(({ iccid }) => iccid),
  );
  const bodies = authentications(sandbox).map(({ text }) => JSON.parse(text).api_key);
  assert.deepEqual(bodies.at(-1), sandbox.otherAccount.key);
});

test('a program that did not replace the key itself notices that it was', async (t) => {
  const { store, sandbox, workspaces } = await begin(t);
  const before = await workspaces.account(workspace);
  assert.equal(await workspaces.account(workspace), before);
  await start(t, store, sandbox).connect(workspace, sandbox.otherAccount.key, 'U0ADMIN');
  const after = await workspaces.account(workspace);
  assert.notEqual(after, before);
  assert.equal((await after?.esims.list())?.kind, 'accepted');
  assert.deepEqual(
    authentications(sandbox).map(({ text }) => JSON.parse(text)),
    [{ api_key: sandbox.otherAccount.key }],
  );
});

test('what a user chose last is theirs alone, and a patch keeps the rest', async (test) => {
  const { store, workspaces } = await begin(test);
  assert.deepEqual(await workspaces.preferences(workspace, 'U0ADA'), {});
  await workspaces.rememberPreferences(workspace, 'U0ADA', { senderId: 'Acme', route: 'dnd' });
  await workspaces.rememberPreferences(workspace, 'U0ADA', { testNumber: '+2348031234567' });
  assert.deepEqual(await workspaces.preferences(workspace, 'U0ADA'), {
    senderId: 'Acme',
    route: 'dnd',
    testNumber: '+2348031234567',
  });
  assert.deepEqual(await workspaces.preferences(workspace, 'U0BOB'), {});
  await store.keyv(workspace, 'preferences').set('U0BOB', { senderId: 'Acme', route: 'of old' });
  assert.deepEqual(await workspaces.preferences(workspace, 'U0BOB'), { senderId: 'Acme', route: undefined });
  assert.deepEqual(await workspaces.preferences('T0OTHER', 'U0ADA'), {});
});

test('a choice that cannot be kept is reported, and changes no outcome', async (test) => {
  const store = await temporaryStore(test);
  const reported: unknown[] = [];
  const preferences = createPreferences(testContext(store, { report: (error) => reported.push(error) }));
  await store.close();
  await preferences.rememberPreferences(workspace, 'U0ADA', { senderId: 'Acme' });
  assert.equal(reported.length, 1);
});
