import assert from 'node:assert/strict';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { openStore, type Store, type StoreOptions } from '../../../src/store/store.ts';
import { dueNotices } from '../../support/store/due-notices.ts';
import { performIn } from '../../support/store/perform-in.ts';
import {
  anyPace,
  moveSeen,
  readyCampaign,
  recipient,
  runningCampaign,
  settleAndClaim,
} from '../../support/store/stored-campaigns.ts';
import { newEncryptionKey } from '../../support/store/temporary-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A folder with a running campaign of six chunks, of which one was sent. */
async function folderWithCampaign(test: TestContext, options: Pick<StoreOptions, 'machine'> = {}) {
  const dataDir = join(temporaryFolder(test), 'data');
  const encryptionKeys = [newEncryptionKey()];
  const open = async (options: Partial<StoreOptions> = {}) => {
    const store = await openStore({ dataDir, encryptionKeys, ...options });
    test.after(() => store.close());
    return store;
  };
  const store = await open(options);
  await runningCampaign(
    store,
    ['1', '2', '3', '4', '5', '6'].map((digit) => recipient(`+23480312345${digit}0`, { text: 'Hi' })),
    {
      personal: true,
    },
  );
  await sendOne(store);
  return { dataDir, backUp: join(dataDir, '..', 'back-up'), open, store };
}

async function sendOne(store: Store): Promise<void> {
  const campaign = { workspaceId: 'T1', id: 'sale' };
  const [chunk] = (await settleAndClaim(store, campaign, [], 1))?.claimed ?? [];
  assert.ok(chunk);
  await settleAndClaim(store, campaign, [{ number: chunk.number, state: 'accepted' }], 0);
}

const stateOf = async ({ campaigns }: Store) => (await campaigns.find('T1', 'sale'))?.state;

/** Leaves the folder as a killed process does. */
async function killed(store: Store, dataDir: string): Promise<void> {
  const left = `${dataDir}.left`;
  cpSync(dataDir, left, { recursive: true });
  await store.close();
  for (const name of ['switchboard.db', 'switchboard.db-wal', 'switchboard.mark']) {
    // Written into the existing file, as only the content was copied.
    writeFileSync(join(dataDir, name), readFileSync(join(left, name)));
  }
  rmSync(left, { recursive: true });
}

async function assertHeld(store: Store): Promise<void> {
  assert.ok(store.installation.takeover);
  assert.equal(store.installation.takeover.heldCampaigns, 1);
  const campaign = await store.campaigns.find('T1', 'sale');
  assert.equal(campaign?.state, 'paused');
  assert.equal(campaign?.pause?.error?.reason, 'restored');
}

async function assertGoesOn(store: Store): Promise<void> {
  assert.equal(store.installation.takeover, undefined);
  assert.equal(await stateOf(store), 'running');
}

describe('data that last ran here', () => {
  it('continues after a stop, a kill, and a kill between a commit and its marker', async (test) => {
    const { dataDir, open, store } = await folderWithCampaign(test);
    await store.close();
    const again = await open();
    await assertGoesOn(again);
    await killed(again, dataDir);
    const third = await open();
    await assertGoesOn(third);
    const mark = join(dataDir, 'switchboard.mark');
    const sale = { workspaceId: 'T1', id: 'sale' };
    const lease = await third.campaigns.leases.take(sale);
    assert.ok(lease);
    const before = readFileSync(mark);
    await third.campaigns.settleAndClaim(sale, { lease, endings: [], count: 1, pace: anyPace });
    await killed(third, dataDir);
    writeFileSync(mark, before);
    await assertGoesOn(await open());
  });

  it('continues in a renamed folder whose files have another mode and time', async (test) => {
    const { dataDir, open, store } = await folderWithCampaign(test);
    await store.close();
    for (const name of readdirSync(dataDir)) {
      chmodSync(join(dataDir, name), 0o640);
      utimesSync(join(dataDir, name), 0, 0);
    }
    renameSync(dataDir, `${dataDir}.moved`);
    const moved = await open({ dataDir: `${dataDir}.moved` });
    await assertGoesOn(moved);
  });

  it('continues after a start that was cut off before its marker was in place', async (test) => {
    const { dataDir, open, store } = await folderWithCampaign(test);
    await store.close();
    renameSync(join(dataDir, 'switchboard.mark'), join(dataDir, 'switchboard.mark.new'));
    await (await open()).close();
    await assertGoesOn(await open());
  });

  it('continues after a crash if its database was last written while the clock was ahead', async (test) => {
    const { dataDir, open, store } = await folderWithCampaign(test);
    await killed(store, dataDir);
    const ahead = Date.now() / 1000 + 3600;
    utimesSync(join(dataDir, 'switchboard.db'), ahead, ahead);
    await assertGoesOn(await open());
  });

  it('continues if the machine’s id is no longer known', async (test) => {
    const { open, store } = await folderWithCampaign(test, { machine: { id: undefined, boot: undefined } });
    await store.close();
    await (await open({ machine: { id: 'one', boot: undefined } })).close();
    await assertGoesOn(await open({ machine: { id: undefined, boot: undefined } }));
  });
});

describe('data that was restored or copied', () => {
  const ways: Record<string, (folders: { dataDir: string; backUp: string }) => void> = {
    'the whole folder': ({ dataDir, backUp }) => {
      rmSync(dataDir, { recursive: true });
      cpSync(backUp, dataDir, { recursive: true, preserveTimestamps: true });
    },
    'the whole folder, by giving the copy its name': ({ dataDir, backUp }) => {
      rmSync(dataDir, { recursive: true });
      renameSync(backUp, dataDir);
    },
    'each file into the one that is there': ({ dataDir, backUp }) => {
      for (const name of ['switchboard.db', 'switchboard.mark', 'lock.db']) {
        writeFileSync(join(dataDir, name), readFileSync(join(backUp, name)));
      }
    },
    'the database alone': ({ dataDir, backUp }) => {
      rmSync(join(dataDir, 'switchboard.db'));
      copyFileSync(join(backUp, 'switchboard.db'), join(dataDir, 'switchboard.db'));
    },
    'the content of the database alone': ({ dataDir, backUp }) => {
      writeFileSync(join(dataDir, 'switchboard.db'), readFileSync(join(backUp, 'switchboard.db')));
    },
    'the database alone, in an empty folder': ({ dataDir, backUp }) => {
      for (const name of ['switchboard.mark', 'lock.db']) {
        rmSync(join(dataDir, name));
      }
      writeFileSync(join(dataDir, 'switchboard.db'), readFileSync(join(backUp, 'switchboard.db')));
    },
  };
  for (const [what, putBack] of Object.entries(ways)) {
    it(`is held, once: ${what}, copied after a stop`, async (test) => {
      const { dataDir, backUp, open, store } = await folderWithCampaign(test);
      await store.close();
      cpSync(dataDir, backUp, { recursive: true, preserveTimestamps: true });
      const later = await open();
      await sendOne(later);
      await later.close();
      putBack({ dataDir, backUp });

      const held = await open();
      await assertHeld(held);
      const { epoch } = held.installation;
      assert.notEqual(epoch, '');
      await moveSeen(held.campaigns, 'T1', 'sale', ['paused'], 'running');
      await held.close();
      const next = await open();
      await assertGoesOn(next);
      assert.equal(next.installation.epoch, epoch);
    });
  }

  it('is held if the back-up was made and restored within one run', async (test) => {
    const { dataDir, backUp, open, store } = await folderWithCampaign(test);
    await sql`vacuum into ${backUp}`.execute(store.db);
    await sendOne(store);
    await killed(store, dataDir);
    rmSync(join(dataDir, 'switchboard.db-wal'));
    writeFileSync(join(dataDir, 'switchboard.db'), readFileSync(backUp));
    const held = await open();
    await assertHeld(held);
    assert.equal(held.installation.takeover?.reason, 'older');
  });

  it('has its operations in progress announced as possible repetitions, as they may have ended since', async (test) => {
    const { dataDir, backUp, open, store } = await folderWithCampaign(test);
    const intent = {
      workspaceId: 'T1',
      key: 'k',
      kind: 'sms.send',
      userId: 'U1',
      channelId: 'C1',
      summary: {},
    };
    const begun = Promise.withResolvers<void>();
    void performIn(store.ledger, intent, () => {
      begun.resolve();
      return new Promise(() => {});
    });
    await begun.promise;
    await sql`vacuum into ${backUp}`.execute(store.db);
    await sendOne(store);
    await killed(store, dataDir);
    rmSync(join(dataDir, 'switchboard.db-wal'));
    writeFileSync(join(dataDir, 'switchboard.db'), readFileSync(backUp));
    const held = await open();
    assert.equal(await held.ledger.recover(new Date()), 1);
    const notice = await held.outbox.next(new Set());
    assert.deepEqual([notice?.channelProblem, notice?.repeated], ['unconfirmed', true]);
  });

  it('is held if the last writes were lost with the write-ahead log', async (test) => {
    const { dataDir, open, store } = await folderWithCampaign(test);
    await sql`pragma wal_checkpoint(truncate)`.execute(store.db);
    await sendOne(store);
    await killed(store, dataDir);
    rmSync(join(dataDir, 'switchboard.db-wal'));
    await assertHeld(await open());
  });

  it('is held if another database was put beside the write-ahead log of a killed run', async (test) => {
    const { dataDir, open, store } = await folderWithCampaign(test);
    await killed(store, dataDir);
    const log = join(dataDir, 'switchboard.db-wal');
    assert.ok(statSync(log).size > 0);
    utimesSync(log, 0, 0);
    await assertHeld(await open());
  });

  it('is held if the marker was restored without the write-ahead log, but may have a marker that lags after a power cut', async (test) => {
    const { dataDir, open, store } = await folderWithCampaign(test);
    const mark = join(dataDir, 'switchboard.mark');
    const before = readFileSync(mark);
    await sendOne(store);
    await killed(store, dataDir);
    writeFileSync(mark, before);
    const cut = join(dataDir, '..', 'cut');
    renameSync(dataDir, cut);
    const goesOn = await open({ dataDir: cut, machine: { id: undefined, boot: 'another' } });
    await assertGoesOn(goesOn);
    await sendOne(goesOn);
    await killed(goesOn, cut);
    writeFileSync(join(cut, 'switchboard.mark'), before);
    await assertHeld(await open({ dataDir: cut, machine: { id: undefined, boot: 'another' } }));
  });

  it('is held if only a pause was lost', async (test) => {
    const { dataDir, backUp, open, store } = await folderWithCampaign(test);
    await sql`vacuum into ${backUp}`.execute(store.db);
    await store.campaigns.move('T1', 'sale', ['running'], 'paused', {
      pause: { by: 'person', userId: 'U1' },
    });
    await store.close();
    writeFileSync(join(dataDir, 'switchboard.db'), readFileSync(backUp));
    await assertHeld(await open());
  });

  it('is held in another folder, and continues in its own', async (test) => {
    const { backUp, dataDir, open, store } = await folderWithCampaign(test);
    await store.close();
    cpSync(dataDir, backUp, { recursive: true, preserveTimestamps: true });
    await assertHeld(await open({ dataDir: backUp }));
    await assertGoesOn(await open());
  });

  it('is held on another machine', async (test) => {
    const { open, store } = await folderWithCampaign(test);
    await store.close();
    await (await open({ machine: { id: 'one', boot: undefined } })).close();
    const held = await open({ machine: { id: 'another', boot: undefined } });
    assert.equal(held.installation.takeover?.reason, 'other_machine');
  });

  it('is held if the marker was removed, or cannot be read', async (test) => {
    const { dataDir, open, store } = await folderWithCampaign(test);
    const mark = join(dataDir, 'switchboard.mark');
    await store.close();
    rmSync(mark);
    const held = await open();
    await assertHeld(held);
    await held.close();
    truncateSync(mark);
    await assertHeld(await open());
  });

  it('pauses every campaign in progress, and no other', async (test) => {
    const { dataDir, open, store } = await folderWithCampaign(test);
    await readyCampaign(store, [recipient('+2348031234599')], { id: 'ready' });
    for (const [id, state] of [
      ['scheduled', 'scheduled'],
      ['paused', 'paused'],
      ['cancelled', 'cancelled'],
    ] as const) {
      await readyCampaign(store, [recipient('+2348031234599')], { id });
      await moveSeen(store.campaigns, 'T1', id, ['ready'], id === 'scheduled' ? 'scheduled' : 'running');
      await moveSeen(store.campaigns, 'T1', id, ['running'], state, {
        pause: { by: 'person', userId: 'U1' },
      });
    }
    await store.close();
    rmSync(join(dataDir, 'switchboard.mark'));
    const held = await open();
    const states = (await held.campaigns.recent({ workspaceId: 'T1', limit: 9 })).map(
      ({ id, state, pause }) => [id, state, pause?.error?.reason],
    );
    assert.deepEqual(states, [
      ['cancelled', 'cancelled', undefined],
      ['paused', 'paused', 'restored'],
      ['scheduled', 'paused', 'restored'],
      ['ready', 'ready', undefined],
      ['sale', 'paused', 'restored'],
    ]);
    await assert.rejects(moveSeen(held.campaigns, 'T1', 'ready', ['ready'], 'running'), {
      fault: 'outdated',
    });
  });

  it('refuses keys of an earlier epoch, and accepts those of this one', async (test) => {
    const { dataDir, open, store } = await folderWithCampaign(test);
    await store.close();
    rmSync(join(dataDir, 'switchboard.mark'));
    const { ledger, installation } = await open();
    let calls = 0;
    const perform = (key: string) =>
      performIn(ledger, { workspaceId: 'T1', key, kind: 'sms.send', userId: 'U1', summary: {} }, async () => {
        calls += 1;
        return { state: 'accepted' };
      });
    for (const key of ['click', 'other~click', '~click', `${installation.epoch}click`]) {
      await assert.rejects(perform(key), { fault: 'outdated', message: /Nothing was sent/ });
    }
    assert.equal(calls, 0);
    await perform(`${installation.epoch}~click`);
    assert.equal(calls, 1);
  });

  it('puts notices of the restore into the outbox once, and marks earlier notices as possibly delivered', async (test) => {
    const { dataDir, open, store } = await folderWithCampaign(test);
    assert.equal(store.installation.mustNotify(), false);
    await store.outbox.add({ workspaceId: 'T1', subject: 'import', subjectId: 'list', userId: 'U1' });
    await store.close();
    rmSync(join(dataDir, 'switchboard.mark'));
    await (await open()).close();
    const again = await open();
    assert.equal(again.installation.mustNotify(), true);
    await again.installation.notify(['U1', 'U2'].map((userId) => ({ workspaceId: 'T1', userId })));
    assert.equal(again.installation.mustNotify(), false);
    await again.close();
    const added = await open();
    assert.equal(added.installation.mustNotify(), false);
    assert.ok(added.installation.restoredAt);
    const notices = await dueNotices(added);
    assert.deepEqual(notices.map(({ subject, userId, repeated }) => [subject, userId, repeated]).sort(), [
      ['import', 'U1', true],
      ['restored', 'U1', false],
      ['restored', 'U2', false],
    ]);
  });
});

describe('a database that is missing where one has been', () => {
  for (const [what, take] of [
    ['removed', (file: string) => rmSync(file)],
    ['empty', (file: string) => truncateSync(file)],
    [
      'removed, with a marker that cannot be read',
      (file: string) => {
        rmSync(file);
        truncateSync(file.replace(/db$/, 'mark'));
      },
    ],
  ] as const) {
    it(`refuses to create a new one: ${what}`, async (test) => {
      const { dataDir, open, store } = await folderWithCampaign(test);
      await store.close();
      const file = join(dataDir, 'switchboard.db');
      take(file);
      await assert.rejects(open(), { name: 'StoreError', fault: 'missing_data', message: new RegExp(file) });
      assert.equal(existsSync(file) && statSync(file).size > 0, false);
      rmSync(join(dataDir, 'switchboard.mark'));
      assert.equal((await open()).installation.takeover, undefined);
    });
  }
});

describe('data that is removed while it is in use', () => {
  for (const name of ['switchboard.db', 'switchboard.db-wal', 'lock.db']) {
    it(`is no longer claimed from, and the store is not ready: ${name}`, async (test) => {
      const { dataDir, store } = await folderWithCampaign(test);
      await store.ready();
      renameSync(join(dataDir, name), join(dataDir, `${name}.away`));
      await assertRefuses(store);
      renameSync(join(dataDir, `${name}.away`), join(dataDir, name));
      await store.ready();
      await sendOne(store);
    });

    it(`is not claimed from if another file replaces it: ${name}`, async (test) => {
      const { dataDir, store } = await folderWithCampaign(test);
      const path = join(dataDir, name);
      copyFileSync(path, `${path}.copy`);
      renameSync(`${path}.copy`, path);
      await assertRefuses(store);
    });
  }

  it('stops the first of two programs if the second got in without a lock', async (test) => {
    const { dataDir, open, store } = await folderWithCampaign(test);
    const lock = join(dataDir, 'lock.db');
    renameSync(lock, `${lock}.away`);
    const second = await open();
    renameSync(`${lock}.away`, lock);
    await assertRefuses(store);
    assert.equal(await stateOf(second), 'running');
  });

  it('still returns the outcome of an operation in progress to its caller', async (test) => {
    const { dataDir, store } = await folderWithCampaign(test);
    const intent = { workspaceId: 'T1', key: 'click', kind: 'sms.send', userId: 'U1', summary: {} };
    const { operation } = await performIn(store.ledger, intent, async () => {
      rmSync(join(dataDir, 'switchboard.db'));
      return { state: 'accepted', providerId: '1' };
    });
    assert.equal(operation.state, 'accepted');
  });
});

async function assertRefuses(store: Store): Promise<void> {
  const gone = { name: 'StoreError', fault: 'data_gone' };
  await assert.rejects(settleAndClaim(store, { workspaceId: 'T1', id: 'sale' }, [], 1), gone);
  let called = false;
  const intent = { workspaceId: 'T1', key: 'click', kind: 'sms.send', userId: 'U1', summary: {} };
  await assert.rejects(
    performIn(store.ledger, intent, async () => {
      called = true;
      return { state: 'accepted' };
    }),
    gone,
  );
  assert.equal(called, false);
  await assert.rejects(
    store.campaigns.begin({
      ...intent,
      id: 'two',
      createdBy: 'U1',
      name: '',
      route: 'dnd',
      senderId: '',
      personal: false,
      text: '',
    }),
    gone,
  );
  await assert.rejects(store.campaigns.move('T1', 'sale', ['running'], 'cancelled'), gone);
  await assert.rejects(store.suppressionList.add('T1', ['+2348031234567'], 'U1'), gone);
  await assert.rejects(store.keyv('T1', 'settings').set('route', 'dnd'), gone);
  await assert.rejects(store.ready(), gone);
}
