import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { z } from 'zod';
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

/** Another owner's folder can be closed by root alone. */
const asOther = { skip: process.getuid?.() !== 0 && 'only root can become another user' };

const module = new URL('../../../src/store/engine/data-dir/data-dir.ts', import.meta.url).href;

/** Returns what calls of the module return or throw, as the user and the group 1000. */
function asUser(...calls: readonly string[]): string[] {
  const tried = calls.map((call) => `tried(() => dir.${call})`);
  const script = `
    import * as dir from ${JSON.stringify(module)};
    const tried = (call) => { try { return String(call()); } catch ({ message }) { return message; } };
    console.log(JSON.stringify([${tried.join()}]));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
    ...{ uid: 1000, gid: 1000, cwd: '/', env: {} },
  });
  return z.array(z.string()).parse(JSON.parse(stdout));
}

/** Kubelet makes a volume root's, and of the group of `fsGroup`. */
function volume(
  t: TestContext,
  { mode, group = 1000, files = [] }: { mode: number; group?: number; files?: string[] },
) {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'lost+found'), { mode: 0o700 });
  for (const file of files) {
    writeFileSync(join(folder, file), '');
  }
  chownSync(folder, 0, group);
  chmodSync(folder, mode);
  return { folder, prepare: `preparePrivateDir('${folder}', '${ownFile}')` };
}

test(
  'takes a folder of root that only our own group can use too, and refuses one that others can use',
  asOther,
  (t) => {
    const fresh = volume(t, { mode: 0o2770 });
    const used = volume(t, { mode: 0o2770, files: [ownFile] });
    const foreign = volume(t, { mode: 0o2770, files: ['holiday.jpg'] });
    // A new disk, with the group and the bits that kubelet adds.
    const disk = volume(t, { mode: 0o2775 });
    const open = [0o2777, 0o2773, 0o777].map((mode) => volume(t, { mode }));
    const elsewhere = volume(t, { mode: 0o2770, group: 1001 });
    const inside = join(volume(t, { mode: 0o2777 }).folder, 'switchboard');
    const temporary = volume(t, { mode: 0o1777, files: ['holiday.jpg'] });
    const [ofFresh, ofUsed, ofDisk, ofForeign, ofElsewhere, ofInside, ofTemporary, ...ofOpen] = asUser(
      ...[fresh, used, disk, foreign, elsewhere].map(({ prepare }) => prepare),
      `preparePrivateDir('${inside}', '${ownFile}')`,
      `openInstanceDir('${temporary.folder}', () => new Date()).release()`,
      ...open.map(({ prepare }) => prepare),
    );
    assert.deepEqual([ofFresh, ofUsed, ofDisk], ['true', 'true', 'true']);
    assert.match(ofForeign ?? '', /files that are not Switchboard's/);
    assert.match(ofElsewhere ?? '', /cannot be used: EACCES/);
    for (const message of ofOpen) {
      assert.match(message, /read by others and cannot be closed.*a folder inside it, such as .*switchboard/);
    }
    assert.deepEqual([ofInside, modeOf(inside)], ['false', 0o700]);
    assert.equal(ofTemporary, 'undefined', 'beside PostgreSQL a temporary folder is enough');
    assert.equal(modeOf(join(temporary.folder, 'lock.db')), 0o600);
  },
);

test('never closes a folder that every program writes to', (t) => {
  const folder = temporaryFolder(t);
  chmodSync(folder, 0o1777);
  assert.throws(() => preparePrivateDir(folder, ownFile), { fault: 'bad_folder' });
  assert.equal(statSync(folder).mode & 0o7777, 0o1777);
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
