import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { preparePrivateDir } from '../../../src/store/data-dir/private-dir.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const mark = 'ours.db';
const modeOf = (path: string) => statSync(path).mode & 0o777;

test('a folder that is not there is created, and is private', (t) => {
  const folder = join(temporaryFolder(t), 'a', 'b');
  preparePrivateDir(folder, mark);
  assert.equal(modeOf(folder), 0o700);
});

test('an empty folder that others can read is closed to them', (t) => {
  const folder = temporaryFolder(t);
  chmodSync(folder, 0o755);
  preparePrivateDir(folder, mark);
  assert.equal(modeOf(folder), 0o700);
});

test('a folder that was ours before is closed again', (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, mark), '');
  chmodSync(folder, 0o750);
  preparePrivateDir(folder, mark);
  assert.equal(modeOf(folder), 0o700);
});

test("somebody's folder that others can read is refused and left as it is", (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'holiday.jpg'), '');
  chmodSync(folder, 0o755);
  assert.throws(() => preparePrivateDir(folder, mark), {
    name: 'StoreError',
    fault: 'bad_folder',
    message: new RegExp(`${folder} can be read by others.*chmod 700`),
  });
  assert.equal(modeOf(folder), 0o755);
});

test('a private folder is taken, whatever is in it', (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'lost+found'));
  chmodSync(folder, 0o700);
  preparePrivateDir(folder, mark);
});

test('a file in the place of the folder is refused with what to do', (t) => {
  const file = join(temporaryFolder(t), 'data');
  writeFileSync(file, '');
  assert.throws(() => preparePrivateDir(file, mark), {
    name: 'StoreError',
    fault: 'bad_folder',
    message: /cannot be used.*Set DATA_DIR/,
  });
});
