import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import Database from 'better-sqlite3';
import { openData } from '../../../src/store/open-data.ts';
import { dumpOf } from '../../support/store/dump.ts';
import { assertMoved, type MoveSetting, prepareMove, query } from '../../support/store/moves.ts';
import { recipient, runningCampaign, settleAndClaim } from '../../support/store/stored-campaigns.ts';
import { newEncryptionKey, temporaryStore } from '../../support/store/temporary-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const small = { rows: 3, bytes: 10_000 };
const refused = (fault: string, message = /./) => ({ name: 'StoreError', fault, message });

/** Opens the store that was moved, as an instance of the program does. */
function openMoved(test: TestContext, { key, postgres, dataDir }: MoveSetting, folder = dataDir) {
  return temporaryStore(test, { dataDir: folder, postgres, encryptionKeys: [key] });
}

function openFolder(test: TestContext, { key, dataDir }: MoveSetting, { isRestored = false } = {}) {
  return temporaryStore(test, { dataDir, encryptionKeys: [key], database: 'sqlite', isRestored });
}

function edit(dataDir: string, statement: string): void {
  const sqlite = new Database(join(dataDir, 'switchboard.db'));
  sqlite.exec(statement);
  sqlite.close();
}

describe('a move to PostgreSQL', () => {
  it('has every row there, and the installation goes on', async (test) => {
    const setting = await prepareMove(test);
    const before = readFileSync(join(setting.dataDir, 'switchboard.db'));
    const { wasComplete, rows = 0, heldCampaigns } = await setting.move({ pages: small });
    assert.deepEqual([wasComplete, heldCampaigns], [false, undefined]);
    assert.ok(rows > 150, `${rows}`);
    await assertMoved(setting.dataDir, setting.postgres);
    assert.ok(before.equals(readFileSync(join(setting.dataDir, 'switchboard.db'))), 'SQLite was changed');
    assert.ok(setting.reports.includes('copied campaign_number 42 42'), setting.reports.join('\n'));
    assert.ok(setting.reports.includes('compared campaign_number 42 42'));

    const store = await openMoved(test, setting);
    assert.equal(store.installation.takeover, undefined);
    assert.equal(store.installation.epoch, '');
    assert.equal((await store.campaigns.find('T1', 'many'))?.state, 'running');
    assert.equal(await store.keyv('T1', 'settings').get('route'), 'dnd');
    assert.equal((await store.audit.verify({ onProblem: async () => {} })).problems, 0);
    // Three campaigns are there, and four were made.
    await runningCampaign(store, [recipient('+2348031299999')], { id: 'next' });
    const [next] = await query(setting.postgres, `select sequence::int from campaign where id = 'next'`);
    assert.equal(next?.sequence, 5);
  });

  it('changes nothing once it is complete, also while an instance runs', async (test) => {
    const setting = await prepareMove(test, { empty: false });
    const { at } = await setting.move();
    const before = await dumpOf(setting.postgres);
    assert.deepEqual(await query(setting.postgres, 'select tables from store_move'), [{ tables: '{}' }]);
    assert.deepEqual(await setting.move(), { wasComplete: true, at });
    assert.equal(await dumpOf(setting.postgres), before);
    await openMoved(test, setting);
    assert.equal((await setting.move()).wasComplete, true);
  });

  it('has what was in flight at a kill as unconfirmed, and claims the rest once', async (test) => {
    const setting = await prepareMove(test);
    await setting.move();
    const store = await openMoved(test, setting);
    assert.ok((await store.campaigns.recover(new Date())) > 0, 'the claimed chunks of fillTables');
    const states = await query(
      setting.postgres,
      `select state, count(*)::int as chunks from campaign_chunk group by state order by state`,
    );
    assert.deepEqual(states, [
      { state: 'unconfirmed', chunks: 2 },
      { state: 'waiting', chunks: 40 },
    ]);
    const many = { workspaceId: 'T1', id: 'many' };
    const first = await settleAndClaim(store, many, [], 40);
    assert.equal(first?.claimed.length, 40);
    assert.equal((await settleAndClaim(store, many, [], 40))?.claimed.length, 0);
  });

  it('holds the campaigns of a folder that is a copy', async (test) => {
    const setting = await prepareMove(test);
    const copy = join(temporaryFolder(test), 'copy');
    cpSync(setting.dataDir, copy, { recursive: true });
    assert.equal((await setting.move({ dataDir: copy })).heldCampaigns, 3);
    const store = await openMoved(test, setting, copy);
    assert.notEqual(store.installation.epoch, '');
    assert.equal(store.installation.mustNotify(), true);
    assert.equal((await store.campaigns.find('T1', 'many'))?.pause?.error?.reason, 'restored');
  });
});

describe('the folder of data that was moved', () => {
  it('is refused, unless a person says that its data is to be used again', async (test) => {
    const setting = await prepareMove(test);
    await setting.move();
    await assert.rejects(
      openFolder(test, setting),
      refused('moved', /was moved to PostgreSQL at .*DATABASE_URL/),
    );
    const back = await openFolder(test, setting, { isRestored: true });
    assert.equal(back.installation.takeover?.heldCampaigns, 3);
    await back.close();
    const again = await openFolder(test, setting);
    assert.equal(again.installation.takeover, undefined);
    await again.close();
    await assert.rejects(setting.move(), refused('other_data'));
  });

  it('counts as restored where the mark is removed, or a former version starts on it', async (test) => {
    const setting = await prepareMove(test);
    await setting.move();
    writeFileSync(join(setting.dataDir, 'switchboard.mark'), 'unknown to this version');
    const store = await openFolder(test, setting);
    assert.deepEqual(store.installation.takeover, { reason: 'other_files', heldCampaigns: 3 });
  });

  it('is not moved to a second database', async (test) => {
    const setting = await prepareMove(test);
    await setting.move();
    const other = await prepareMove(test);
    await assert.rejects(setting.move({ postgres: other.postgres }), refused('moved', /another PostgreSQL/));
    await assert.rejects(
      openMoved(test, { ...setting, postgres: other.postgres }),
      refused('missing_data', /moved/),
    );
  });

  it('can be moved again once a person went back to it', async (test) => {
    const setting = await prepareMove(test);
    await setting.move();
    await (await openMoved(test, setting)).close();
    await (await openFolder(test, setting, { isRestored: true })).close();
    const other = await prepareMove(test);
    await setting.move({ postgres: other.postgres });
    const store = await openMoved(test, { ...setting, postgres: other.postgres });
    assert.equal(store.installation.takeover, undefined, 'postgres.mark is of the first database');
  });
});

describe('a move is refused', () => {
  it('while the program runs on the folder', async (test) => {
    const setting = await prepareMove(test);
    await openFolder(test, setting);
    await assert.rejects(setting.move(), refused('in_use', /is in use by process/));
  });

  it('into a database with other data, which stays as it was', async (test) => {
    const setting = await prepareMove(test);
    const other = await openMoved(test, setting, temporaryFolder(test));
    await other.keyv('T1', 'settings').set('route', 'dnd');
    await assert.rejects(setting.move(), refused('other_data', /already, and an instance runs on it/));
    await other.close();
    const before = await dumpOf(setting.postgres);
    await assert.rejects(setting.move(), refused('other_data', /already\. Nothing was changed/));
    assert.equal(await dumpOf(setting.postgres), before);
    await (await openFolder(test, setting)).close();
  });

  it('into a database with rows of no installation', async (test) => {
    const setting = await prepareMove(test, { empty: false });
    await query(setting.postgres, `insert into pace values ('T1', 1, 1, 1, 1, 1)`);
    await assert.rejects(setting.move(), refused('other_data'));
  });

  it('into a database where another folder’s move was begun', async (test) => {
    const setting = await prepareMove(test);
    const other = await prepareMove(test);
    await beginOnly(setting);
    await assert.rejects(other.move({ postgres: setting.postgres }), refused('other_data', /another folder/));
  });

  it('without the key, from another version, and from a folder without data', async (test) => {
    const setting = await prepareMove(test);
    await assert.rejects(setting.move({ encryptionKeys: [newEncryptionKey()] }), refused('missing_key'));
    await assert.rejects(setting.move({ dataDir: temporaryFolder(test) }), refused('missing_data'));
    edit(setting.dataDir, `insert into kysely_migration values ('9999-later', 'later')`);
    await assert.rejects(setting.move(), refused('bad_schema', /newer version/));
    edit(setting.dataDir, `delete from kysely_migration `);
    await assert.rejects(setting.move(), refused('bad_schema', /earlier version/));
    assert.deepEqual(await query(setting.postgres, `select to_regclass('installation') as found`), [
      { found: null },
    ]);
  });

  it('where PostgreSQL cannot hold a value, with its column', async (test) => {
    const setting = await prepareMove(test);
    edit(setting.dataDir, `update campaign set name = 'a' || char(0) where id = 'many'`);
    await assert.rejects(setting.move(), refused('unreadable', /campaign\.name .* NUL/));
    edit(setting.dataDir, `update campaign set name = 'a', pages = 1.5 where id = 'many'`);
    await assert.rejects(setting.move(), refused('unreadable', /campaign\.pages/));
    edit(setting.dataDir, `update campaign set pages = 1 where id = 'many'`);
    await setting.move();
    await assertMoved(setting.dataDir, setting.postgres);
  });
});

/** Begins a move that ends in its midst. */
async function beginOnly({ move }: MoveSetting, table = 'known_time'): Promise<void> {
  const cutOff = new Error('cut off');
  const report = {
    again: () => {},
    rows: (_: string, name: string) => {
      if (name === table) {
        throw cutOff;
      }
    },
    audit: () => {},
  };
  await assert.rejects(move({ report, pages: small }), cutOff);
}

describe('a move that was cut off', () => {
  it('lets nothing start on PostgreSQL, and goes on where it was', async (test) => {
    const setting = await prepareMove(test);
    await beginOnly(setting);
    const refusal = refused('moved', /not complete. Run `npm run migrate-store` again/);
    const { postgres, key } = setting;
    for (const dataDir of [setting.dataDir, temporaryFolder(test)]) {
      await assert.rejects(openMoved(test, setting, dataDir), refusal);
      await assert.rejects(openData({ dataDir, postgres, encryptionKeys: [key] }), refusal);
    }
    setting.reports.length = 0;
    await setting.move();
    assert.ok(!setting.reports.some((report) => /^again|^copied audit_entry/.test(report)));
    await assertMoved(setting.dataDir, postgres);
  });

  it('begins once more where the data has changed since', async (test) => {
    const setting = await prepareMove(test);
    await beginOnly(setting);
    const store = await openFolder(test, setting);
    await store.keyv('T1', 'settings').delete('route');
    await store.close();
    await setting.move();
    assert.equal(setting.reports[0], 'again');
    await assertMoved(setting.dataDir, setting.postgres);
  });

  it('finds a value that is another one in PostgreSQL, and begins once more', async (test) => {
    const setting = await prepareMove(test);
    await beginOnly(setting);
    await query(setting.postgres, `update audit_entry set mac = reverse(mac) where sequence = 3`);
    const differs = refused('unreadable', /^The table audit_entry has other values in PostgreSQL/);
    await assert.rejects(setting.move(), differs);
    await assert.rejects(openMoved(test, setting), refused('moved'));
    await (await openFolder(test, setting)).close();
    await setting.move();
    await assertMoved(setting.dataDir, setting.postgres);
  });

  it('finds a row that is missing or too many in PostgreSQL', async (test) => {
    const setting = await prepareMove(test);
    await beginOnly(setting);
    await query(setting.postgres, `delete from campaign_number where campaign = 3 and chunk = 5`);
    await assert.rejects(setting.move(), refused('unreadable', /campaign_number has more rows in SQLite/));
    await beginOnly(setting);
    await query(setting.postgres, `insert into campaign_number values (3, 'zz', 1)`);
    await assert.rejects(
      setting.move(),
      refused('unreadable', /campaign_number has more rows in PostgreSQL/),
    );
  });

  it('is refused to a second program that moves at the same moment', async (test) => {
    const setting = await prepareMove(test);
    const ends = await Promise.allSettled([setting.move(), setting.move()]);
    assert.deepEqual(ends.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    const [refusal] = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
    assert.equal(refusal.fault, 'in_use');
    await assertMoved(setting.dataDir, setting.postgres);
  });
});

describe('a move that was cut off as it ended', () => {
  /** As it is after a kill between the mark of the folder and the last commit. */
  async function almostComplete(test: TestContext, state: 'moving' | 'moved') {
    const setting = await prepareMove(test);
    const cutOff = new Error('cut off');
    const audit = () => {
      throw cutOff;
    };
    await assert.rejects(setting.move({ report: { again: () => {}, rows: () => {}, audit } }), cutOff);
    const [row] = await query(setting.postgres, 'select move from store_move');
    const mark = { move: row?.move, state, at: new Date().toISOString() };
    writeFileSync(join(setting.dataDir, 'switchboard.mark'), JSON.stringify(mark));
    return setting;
  }

  it('lets nothing start on either, and is completed', async (test) => {
    const setting = await almostComplete(test, 'moving');
    await assert.rejects(openFolder(test, setting), refused('moved', /cut off as it ended/));
    await assert.rejects(openMoved(test, setting), refused('moved'));
    assert.equal((await setting.move()).heldCampaigns, undefined);
    const store = await openMoved(test, setting);
    assert.equal(store.installation.takeover, undefined);
  });

  it('holds the campaigns where PostgreSQL was put back to before its end', async (test) => {
    const setting = await almostComplete(test, 'moved');
    assert.equal((await setting.move()).heldCampaigns, 3);
  });

  it('is noted in the folder by the next run, where only that was missing', async (test) => {
    const setting = await almostComplete(test, 'moving');
    await query(setting.postgres, 'update store_move set finished_at = 1');
    assert.equal((await setting.move()).wasComplete, true);
    assert.match(readFileSync(join(setting.dataDir, 'switchboard.mark'), 'utf8'), /"moved"/);
  });
});

/** Pseudo-random numbers below 1, the same for each seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** More are for a run by hand. */
const killsAtLeast = Number(process.env.MOVE_KILLS ?? 3);
const env = { ...process.env, NODE_COMPILE_CACHE: getCompileCacheDir() };
const script = join(import.meta.dirname, 'moving-process.ts');
const seed = Number(process.env.MOVE_SEED ?? Date.now() % 1_000_000);

it(`loses and doubles nothing where it is killed again and again (MOVE_SEED=${seed})`, async (test) => {
  const setting = await prepareMove(test);
  const { dataDir, postgres, key } = setting;
  const random = randomOf(seed);

  /** Returns the last message of a process that is killed after some reports, in the midst of what follows. */
  function moveUntilKilled(reports: number): Promise<string> {
    return new Promise((resolve) => {
      const child = fork(script, [dataDir, postgres.url.reveal(), key.reveal()], { execArgv: [], env });
      let last = '';
      let left = reports;
      child.on('message', (message) => {
        last = String(message);
        left -= 1;
        if (left <= 0 && last === 'report') {
          setTimeout(() => child.kill('SIGKILL'), random() * 5);
        }
      });
      child.once('exit', () => resolve(last));
    });
  }

  let kills = 0;
  for (let last = ''; last !== 'complete'; ) {
    last = await moveUntilKilled(
      kills < killsAtLeast ? 1 + Math.floor(random() * 40) : Number.POSITIVE_INFINITY,
    );
    if (last === 'report') {
      kills += 1;
    } else {
      assert.equal(last, 'complete');
    }
  }
  assert.equal(kills, killsAtLeast);
  assert.equal((await setting.move()).wasComplete, true);
  await assertMoved(dataDir, postgres);
  const store = await openMoved(test, setting);
  assert.equal(store.installation.takeover, undefined);
  assert.equal((await store.campaigns.find('T1', 'many'))?.state, 'running');
});
