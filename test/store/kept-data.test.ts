import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ownTables } from '../support/store/own-tables.ts';
import { temporaryStore } from '../support/store/temporary-store.ts';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

/** What stands as code in the page's table of what is kept. */
function listed(): Set<string> {
  const [, section = ''] =
    /^## What is kept, where and how\?\n([\s\S]*?)^Slack itself keeps/m.exec(read('docs/security.md')) ?? [];
  return new Set([...section.matchAll(/`([\w-]+)`/g)].map(([, name = '']) => name));
}

test('docs/security.md has a line for every table', async (t) => {
  const { db } = await temporaryStore(t);
  const tables = (await ownTables(db)).map(({ name }) => name);
  assert.ok(tables.length > 15);
  const known = listed();
  assert.deepEqual(
    tables.filter((name) => !known.has(name)),
    [],
    'add to docs/security.md what they keep, and to docs/privacy.md for how long',
  );
});

test('docs/security.md has a line for every area of Keyv', () => {
  const areas = globSync('src/services/**/*.ts', { cwd: fileURLToPath(root) }).flatMap((file) =>
    [...read(file).matchAll(/\bkeyv\([\w.]+, '([a-z-]+)'\)/g)].map(([, area = '']) => area),
  );
  assert.ok(areas.length > 8);
  const known = listed();
  assert.deepEqual(
    areas.filter((area) => !known.has(area)),
    [],
    'add to docs/security.md what they keep, and to docs/privacy.md for how long',
  );
});
