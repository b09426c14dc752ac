import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { test } from 'node:test';

const sandbox = resolve(import.meta.dirname, '..');
const root = resolve(sandbox, '..');

/** Returns the relative imports of the sandbox's files, as paths from the root of the project. */
async function imports(): Promise<{ file: string; target: string }[]> {
  const found: { file: string; target: string }[] = [];
  for await (const name of glob('**/*.ts', { cwd: sandbox, exclude: (path) => path === 'node_modules' })) {
    const file = join(sandbox, name);
    for (const [, path = ''] of (await readFile(file, 'utf8')).matchAll(/(?:from|import\(?) ?'(\.[^']+)'/g)) {
      found.push({ file: relative(root, file), target: relative(root, resolve(file, '..', path)) });
    }
  }
  return found;
}

test('imports nothing of the app', async () => {
  const found = await imports();
  assert.ok(found.length > 300);
  assert.deepEqual(
    found.filter(({ target }) => target.startsWith('src/')),
    [],
  );
});

test('imports nothing of the tests, except in its own tests', async () => {
  const sources = (await imports()).filter(({ file }) => !file.startsWith('sandbox/test/'));
  assert.deepEqual(
    sources.filter(({ target }) => !target.startsWith('sandbox/') || target.startsWith('sandbox/test/')),
    [],
  );
});
