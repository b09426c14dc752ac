import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { createAuditCommand, readAuditInput } from '../../src/control/commands/audit.ts';
import { createAuditService } from '../../src/services/audit/audit-service.ts';
import type { Store } from '../../src/store/store.ts';
import { newEncryptionKey, temporaryStore } from '../support/store/temporary-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const entry = { workspaceId: 'T1', action: 'lookup.number', outcome: 'done' } as const;

/** Runs the command as the running program does. */
async function run({ audit }: Store, ...argv: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const command = createAuditCommand(
    createAuditService({ trail: audit, report: (error) => assert.fail(String(error)) }),
  );
  const code = await command.run(readAuditInput(argv), {
    signal: new AbortController().signal,
    print: async (line) => void out.push(line),
    warn: async (line) => void err.push(line),
  });
  return { code, out, err };
}

test('verify says how much was checked, and names each problem with exit code 1', async (t) => {
  const store = await temporaryStore(t);
  assert.deepEqual(await run(store, 'verify'), {
    code: 0,
    out: ['0 entries of 0 workspaces checked', 'Nothing was changed.'],
    err: [],
  });
  for (let times = 0; times < 6; times += 1) {
    await store.audit.append(entry);
  }
  await store.audit.append({ ...entry, workspaceId: 'T2' });
  await store.db.updateTable('audit_entry').set({ user_id: 'U2' }).where('sequence', '=', 2).execute();
  await store.db.deleteFrom('audit_entry').where('sequence', 'in', [4, 6]).execute();
  await store.db.deleteFrom('audit_chain').where('workspace_id', '=', 'T2').execute();
  const { code, out, err } = await run(store, 'verify');
  assert.equal(code, 1);
  assert.deepEqual(out, ['5 entries of 2 workspaces checked', '4 problems found, see above.']);
  assert.deepEqual(err, [
    'Workspace T1: entry 2 was changed',
    'Workspace T1: entry 4 is missing',
    'Workspace T1: entry 6 was cut off at the end',
    'Workspace T2: the record of where its entries begin and end is missing',
  ]);
});

test('export writes a workspace’s entries of a period, without formulas, and records that', async (t) => {
  const store = await temporaryStore(t);
  await store.audit.append({ ...entry, subject: '=cmd()', userId: 'U1', details: { numbers: 2 } });
  await store.audit.append({ ...entry, subject: '+234803•••4567' });
  await store.audit.append({ ...entry, workspaceId: 'T2' });
  const csv = await run(store, 'export', '--workspace', 'T1');
  assert.equal(csv.code, 0);
  assert.equal(csv.out.length, 3);
  assert.match(csv.out[0] ?? '', /^\uFEFFnumber,time,user_id,user_name,action,subject,outcome,surface/);
  assert.match(
    csv.out[1] ?? '',
    /^1,20[^,]+,U1,,lookup\.number,'=cmd\(\),done,background,,"{""numbers"":2}",/,
  );
  assert.match(csv.out[2] ?? '', /,\+234803•••4567,/);

  const today = new Date().toISOString().slice(0, 10);
  const jsonl = await run(store, 'export', '--workspace', 'T1', '--format', 'jsonl', '--from', today);
  const lines = jsonl.out.map((line) => JSON.parse(line));
  assert.deepEqual(
    lines.map(({ number, action, surface, details }) => [number, action, surface, details]),
    [
      [1, 'lookup.number', 'background', '{"numbers":2}'],
      [2, 'lookup.number', 'background', null],
      [3, 'audit.export', 'terminal', '{"format":"csv","rows":2}'],
    ],
  );
  const none = await run(store, 'export', '--workspace', 'T1', '--until', today);
  assert.equal(none.out.length, 1);
});

test('is explained where it is called wrongly', () => {
  const wrong = [
    [],
    ['check'],
    ['verify', 'all'],
    ['export'],
    ['export', '--workspace'],
    ['export', '--workspace', 'T1', '--format', 'xml'],
    ['export', '--workspace', 'T1', '--from', '2026-13-01'],
    ['export', '--workspace', 'T1', '--since', '2026-01-01'],
  ];
  for (const argv of wrong) {
    assert.throws(() => readAuditInput(argv), { name: 'StartupError', message: /npm run audit -- verify/ });
  }
});

test('opens the data itself where the program does not run', async (t) => {
  const [dataDir, key] = [temporaryFolder(t), newEncryptionKey()];
  const store = await temporaryStore(t, { dataDir, encryptionKeys: [key] });
  await store.audit.append(entry);
  await store.close();
  const env = {
    PROVIDER_BASE_URL: 'https://provider.example',
    SLACK_BOT_TOKEN: 'xoxb-not-a-token',
    SLACK_APP_TOKEN: 'xapp-not-a-token',
    ENCRYPTION_KEYS: key.reveal(),
    DATA_DIR: dataDir,
  };
  const script = join(import.meta.dirname, '../../src/programs/audit.ts');
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [script, 'verify'], { env });
  assert.equal(stdout, '1 entry of 1 workspace checked\nNothing was changed.\n');
  assert.equal(stderr, '');
});
