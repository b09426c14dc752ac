import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { machineTime } from '../../../src/lib/time/clock.ts';
import { lockDataDir } from '../../../src/store/engine/data-dir/data-dir.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('opens although another process now has the id of a dead one', async (t) => {
  const dataDir = temporaryFolder(t);
  writeFileSync(
    join(dataDir, 'lock.json'),
    JSON.stringify({ pid: process.ppid, host: 'here', since: 'then' }),
  );
  await temporaryStore(t, { dataDir });
});

test('refuses a folder whose holder has not written its name yet', (t) => {
  const folder = temporaryFolder(t);
  const lock = lockDataDir(folder, machineTime.now);
  t.after(() => lock.release());
  writeFileSync(join(folder, 'lock.json'), '');
  assert.throws(() => lockDataDir(folder, machineTime.now), {
    fault: 'in_use',
    message: /in use by another process/,
  });
});

test('refuses a folder that cannot be locked, naming it', (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'lock.db'));
  assert.throws(() => lockDataDir(folder, machineTime.now), {
    name: 'StoreError',
    fault: 'bad_folder',
    message: new RegExp(`${folder} cannot be locked`),
  });
});
