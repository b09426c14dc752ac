import assert from 'node:assert/strict';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import Database from 'better-sqlite3';
import { type RunningProcess, startScript } from '../../support/app/app-process.ts';
import { everySeed, sizeOf } from '../../support/sizes.ts';
import { dumpOf } from '../../support/store/dump.ts';
import { assertMoved, type MoveSetting, prepareMove, query } from '../../support/store/moves.ts';
import { recipient, runningCampaign, settleAndClaim } from '../../support/store/stored-campaigns.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

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
    assert.deepEqual(await setting.move(), { heldCampaigns: undefined });
    await assertMoved(setting.dataDir, setting.postgres);
    assert.ok(before.equals(readFileSync(join(setting.dataDir, 'switchboard.db'))), 'SQLite was changed');
    assert.ok(setting.copied.includes('campaign_number 42'), setting.copied.join('\n'));

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

  it('changes nothing once it is complete', async (test) => {
    const setting = await prepareMove(test, { empty: false });
    await setting.move();
    const before = await dumpOf(setting.postgres);
    assert.equal(await setting.move(), undefined);
    assert.equal(await dumpOf(setting.postgres), before);
  });

  it('goes into a database where a start was refused', async (test) => {
    const setting = await prepareMove(test);
    await assert.rejects(openMoved(test, setting), refused('missing_data', /npm run migrate-store/));
    await setting.move();
    await assertMoved(setting.dataDir, setting.postgres);
  });

  it('keeps a program waiting that is started meanwhile', async (test) => {
    const setting = await prepareMove(test, { empty: false });
    let started: ReturnType<typeof openMoved> | undefined;
    const onTable = () => {
      started ??= openMoved(test, setting, temporaryFolder(test));
    };
    await setting.move({ onTable });
    const store = await started;
    assert.equal(store?.installation.takeover, undefined);
    assert.equal((await store?.campaigns.find('T1', 'many'))?.state, 'running');
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
    assert.deepEqual(await setting.move({ dataDir: copy }), { heldCampaigns: 3 });
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

  it('counts as restored where the mark is replaced', async (test) => {
    const setting = await prepareMove(test);
    await setting.move();
    writeFileSync(join(setting.dataDir, 'switchboard.mark'), 'by something else');
    const store = await openFolder(test, setting);
    assert.deepEqual(store.installation.takeover, { reason: 'other_files', heldCampaigns: 3 });
  });

  it('is not moved to a second database', async (test) => {
    const setting = await prepareMove(test);
    await setting.move();
    const other = await prepareMove(test);
    await assert.rejects(
      setting.move({ postgres: other.postgres }),
      refused('moved', /was moved to PostgreSQL at/),
    );
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
    await assert.rejects(
      setting.move(),
      refused('in_use', new RegExp(`is in use by process ${process.pid}`)),
    );
  });

  it('into a database with other data, which stays as it was', async (test) => {
    const setting = await prepareMove(test);
    const other = await openMoved(test, setting, temporaryFolder(test));
    await other.keyv('T1', 'settings').set('route', 'dnd');
    const before = await dumpOf(setting.postgres);
    await assert.rejects(setting.move(), refused('other_data', /has data already/));
    assert.equal(await dumpOf(setting.postgres), before);
    await (await openFolder(test, setting)).close();
  });

  it('into a database with rows of no installation', async (test) => {
    const setting = await prepareMove(test, { empty: false });
    await query(setting.postgres, `insert into pace values ('T1', 1, 1, 1, 1, 1)`);
    await assert.rejects(setting.move(), refused('other_data'));
  });

  it('from a folder without data, or with tables of another version', async (test) => {
    const setting = await prepareMove(test);
    await assert.rejects(setting.move({ dataDir: temporaryFolder(test) }), refused('missing_data'));
    edit(setting.dataDir, `insert into kysely_migration values ('9999-later', 'later')`);
    await assert.rejects(setting.move(), refused('bad_schema', /another version/));
  });

  it('where PostgreSQL cannot hold a value, with its table', async (test) => {
    const setting = await prepareMove(test);
    for (const change of [`name = 'a' || char(0)`, `name = 'a', pages = 1.5`, `pages = 1, name = x'41'`]) {
      edit(setting.dataDir, `update campaign set ${change} where id = 'many'`);
      await assert.rejects(setting.move(), refused('unreadable', /the table campaign /));
    }
    edit(setting.dataDir, `update campaign set name = 'a' where id = 'many'`);
    await setting.move();
    await assertMoved(setting.dataDir, setting.postgres);
  });
});

describe('a move that was cut off', () => {
  it('leaves PostgreSQL empty and the folder as it was', async (test) => {
    const setting = await prepareMove(test);
    const cutOff = new Error('cut off');
    const onTable = (name: string) => {
      if (name === 'operation') {
        throw cutOff;
      }
    };
    await assert.rejects(setting.move({ onTable }), cutOff);
    assert.deepEqual(await query(setting.postgres, 'select * from campaign'), []);
    const store = await openFolder(test, setting);
    assert.equal(store.installation.takeover, undefined);
    await store.close();
    assert.deepEqual(await setting.move(), { heldCampaigns: undefined });
    await assertMoved(setting.dataDir, setting.postgres);
  });

  /** As it is after a kill between the mark of the folder and the commit. */
  function markAsMoving({ dataDir }: MoveSetting, move: string): void {
    const mark = { move, state: 'moving', at: new Date().toISOString() };
    writeFileSync(join(dataDir, 'switchboard.mark'), JSON.stringify(mark));
  }

  it('just before its end lets nothing start on either, and is made again as of restored data', async (test) => {
    const setting = await prepareMove(test);
    markAsMoving(setting, 'cut-off');
    await assert.rejects(openFolder(test, setting), refused('moved', /interrupted at its last step/));
    await assert.rejects(openMoved(test, setting), refused('missing_data', /npm run migrate-store/));
    assert.deepEqual(await setting.move(), { heldCampaigns: 3 });
    assert.notEqual((await openMoved(test, setting)).installation.epoch, '');
  });

  it('just after its end is noted in the folder by the next run', async (test) => {
    const setting = await prepareMove(test);
    await setting.move();
    const [row] = await query(setting.postgres, 'select mark_file from installation');
    markAsMoving(setting, String(row?.mark_file));
    const store = await openMoved(test, setting);
    assert.equal(store.installation.takeover, undefined);
    await store.close();
    assert.equal(await setting.move(), undefined);
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

const script = join(import.meta.dirname, 'moving-process.ts');
it('a move that is killed at any moment can be made from scratch', async (test) => {
  const random = randomOf(everySeed);
  const ends: string[] = [];

  /** Kills a move some milliseconds after a number of tables. Returns whether it was complete by then. */
  async function killedMove({ dataDir, postgres }: MoveSetting, tables: number): Promise<boolean> {
    let left = tables;
    const child: RunningProcess = startScript(test, [script, dataDir, postgres.url.reveal()], {
      env: process.env,
      onLine() {
        left -= 1;
        if (left === 0) {
          setTimeout(() => void child.kill(), random() * 20);
        }
      },
    });
    const { output } = await child.ends();
    assert.match(output, /^(table\n)*(complete\n)?$/);
    return output.includes('complete');
  }

  while (ends.filter((end) => end !== 'complete').length < sizeOf('kills of a move')) {
    const setting = await prepareMove(test);
    const isComplete = await killedMove(setting, 1 + Math.floor(random() * 36));
    const mark = readFileSync(join(setting.dataDir, 'switchboard.mark'), 'utf8');
    const isMarked = mark.includes('was moved to PostgreSQL');
    if (!isMarked) {
      const folder = await openFolder(test, setting);
      assert.equal(folder.installation.takeover, undefined);
      assert.equal((await folder.campaigns.find('T1', 'many'))?.state, 'running');
      await folder.close();
    }
    const moved = await setting.move();
    ends.push(isComplete ? 'complete' : isMarked ? `marked ${moved === undefined}` : 'as it was');
    const isRestored = moved?.heldCampaigns !== undefined;
    if (!isRestored) {
      await assertMoved(setting.dataDir, setting.postgres);
    }
    const store = await openMoved(test, setting);
    assert.equal(store.installation.takeover, undefined);
    assert.equal((await store.campaigns.find('T1', 'many'))?.state, isRestored ? 'paused' : 'running');
    await store.close();
  }
  test.diagnostic(ends.join(', '));
});
