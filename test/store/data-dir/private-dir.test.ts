import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { preparePrivateDir } from '../../../src/store/engine/data-dir/data-dir.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ownFile = 'ours.db';
const modeOf = (path: string) => statSync(path).mode & 0o777;

test('creates a missing folder, private', (t) => {
  const folder = join(temporaryFolder(t), 'a', 'b');
  preparePrivateDir(folder, ownFile);
  assert.equal(modeOf(folder), 0o700);
});

test('makes an empty folder private if others can read it', (t) => {
  const folder = temporaryFolder(t);
  chmodSync(folder, 0o755);
  preparePrivateDir(folder, ownFile);
  assert.equal(modeOf(folder), 0o700);
});

test('makes its own folder private again', (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, ownFile), '');
  chmodSync(folder, 0o750);
  preparePrivateDir(folder, ownFile);
  assert.equal(modeOf(folder), 0o700);
});

test('refuses a folder with others’ files that others can read, and leaves it unchanged', (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'holiday.jpg'), '');
  chmodSync(folder, 0o755);
  assert.throws(() => preparePrivateDir(folder, ownFile), {
    name: 'StoreError',
    fault: 'bad_folder',
    message: new RegExp(`${folder} can be read by others.*chmod 700`),
  });
  assert.equal(modeOf(folder), 0o755);
});

test('accepts a private folder with any content', (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'lost+found'));
  chmodSync(folder, 0o700);
  preparePrivateDir(folder, ownFile);
});

test('refuses a file in place of the folder, with the remedy', (t) => {
  const file = join(temporaryFolder(t), 'data');
  writeFileSync(file, '');
  assert.throws(() => preparePrivateDir(file, ownFile), {
    name: 'StoreError',
    fault: 'bad_folder',
    message: /cannot be used.*Set DATA_DIR/,
  });
});
