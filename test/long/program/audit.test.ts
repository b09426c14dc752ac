import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Store } from '../../../src/store/store.ts';
import { runCommand } from '../../support/app/app-process.ts';
import { socketSettings } from '../../support/app/socket-settings.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { newEncryptionKey, postgresOf, temporaryStore } from '../../support/store/temporary-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const entry = { workspaceId: 'T1', action: 'lookup.number', outcome: 'done' } as const;

forEachDatabase((database) => {
  /** Opens a store, and returns it with what runs the command on its data: on SQLite the store is closed first. */
  async function begin(t: Parameters<typeof temporaryStore>[0]) {
    const [dataDir, key] = [temporaryFolder(t), newEncryptionKey()];
    const store = await temporaryStore(t, { dataDir, encryptionKeys: [key], database });
    const postgres = await postgresOf(t, dataDir, database);
    const env = {
      ...socketSettings(),
      ENCRYPTION_KEYS: key.reveal(),
      DATA_DIR: dataDir,
      ...(postgres && { DATABASE_URL: postgres.url.reveal() }),
    };
    const run = (...argv: string[]) => runCommand(t, 'audit', env, ...argv);
    return { store, run };
  }

  const unlessShared = async (store: Store) => {
    if (database === 'sqlite') {
      await store.close();
    }
  };

  test('verify says how much was checked, and names each problem with exit code 1', async (t) => {
    const { store, run } = await begin(t);
    for (let times = 0; times < 6; times += 1) {
      await store.audit.append(entry);
    }
    await store.audit.append({ ...entry, workspaceId: 'T2' });
    if (database === 'sqlite') {
      const refused = await run('verify');
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, new RegExp(`is in use by process ${process.pid} on .*Stop that process`));
    } else {
      const untouched = await run('verify');
      assert.equal(untouched.code, 0);
      assert.equal(untouched.output, '7 entries of 2 workspaces checked\nNothing was changed.\n');
    }
    await store.db.updateTable('auditEntry').set({ userId: 'U2' }).where('sequence', '=', 2).execute();
    await store.db.deleteFrom('auditEntry').where('sequence', 'in', [4, 6]).execute();
    await store.db.deleteFrom('auditChain').where('workspaceId', '=', 'T2').execute();
    await unlessShared(store);
    const { code, stdout, stderr } = await run('verify');
    assert.equal(code, 1);
    assert.equal(stdout, '5 entries of 2 workspaces checked\n4 problems found, see above.\n');
    assert.deepEqual(stderr.trimEnd().split('\n'), [
      'Workspace T1: entry 2 was changed',
      'Workspace T1: entry 4 is missing',
      'Workspace T1: entry 6 was cut off at the end',
      'Workspace T2: the record of its first and last entries is missing',
    ]);
  });

  test('export writes a workspace’s entries of a period, without formulas, and records that', async (t) => {
    const { store, run } = await begin(t);
    await store.audit.append({ ...entry, subject: '=cmd()', userId: 'U1', details: { numbers: 2 } });
    await store.audit.append({ ...entry, subject: '+234803•••4567' });
    await store.audit.append({ ...entry, workspaceId: 'T2' });
    await unlessShared(store);
    const csv = await run('export', '--workspace', 'T1');
    assert.equal(csv.code, 0, csv.stderr);
    const rows = csv.stdout.trimEnd().split('\n');
    assert.equal(rows.length, 3);
    assert.match(rows[0] ?? '', /^\uFEFFnumber,time,user_id,user_name,action,subject,outcome,surface/);
    assert.match(
      rows[1] ?? '',
      /^1,20[^,]+,U1,,lookup\.number,'=cmd\(\),done,background,,"{""numbers"":2}",/,
    );
    assert.match(rows[2] ?? '', /,\+234803•••4567,/);

    const today = new Date().toISOString().slice(0, 10);
    const jsonl = await run('export', '--workspace', 'T1', '--format', 'jsonl', '--from', today);
    const lines = jsonl.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      lines.map(({ number, action, surface, details }) => [number, action, surface, details]),
      [
        [1, 'lookup.number', 'background', '{"numbers":2}'],
        [2, 'lookup.number', 'background', null],
        [3, 'audit.export', 'terminal', '{"format":"csv","rows":2}'],
      ],
    );
    const none = await run('export', '--workspace', 'T1', '--until', today);
    assert.equal(none.stdout.trimEnd().split('\n').length, 1);
  });
});

test('is explained where it is called wrongly', async (t) => {
  const wrong = [
    [],
    ['verify', 'all'],
    ['export', '--workspace', 'T1', '--format', 'xml'],
    ['export', '--workspace', 'T1', '--from', '2026-13-01'],
    ['export', '--workspace', 'T1', '--since', '2026-01-01'],
  ];
  for (const argv of wrong) {
    const { code, stderr } = await runCommand(t, 'audit', {}, ...argv);
    assert.equal(code, 1);
    assert.match(stderr, /npm run audit -- verify/);
  }
});
