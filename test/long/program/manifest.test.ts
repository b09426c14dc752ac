import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startScript } from '../../support/app/app-process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const program = join(import.meta.dirname, '../../../src/programs/manifest.ts');

test('npm run manifest takes an https address, with a path too, and refuses any other', async (t) => {
  const cwd = temporaryFolder(t);
  const run = (...words: string[]) => startScript(t, [program, ...words], { cwd, env: {} }).ends();
  for (const [url, base] of [
    ['https://s.example.com', 'https://s.example.com'],
    ['https://example.com/switchboard/', 'https://example.com/switchboard'],
    ['https://s.example.com/slack/events', 'https://s.example.com'],
  ] as const) {
    assert.equal((await run('--url', url)).code, 0);
    const manifest = readFileSync(join(cwd, 'manifest.yml'), 'utf8');
    for (const path of ['/slack/events', '/slack/oauth_redirect', '/mcp']) {
      assert.match(manifest, new RegExp(` ${base}${path}$`, 'm'));
    }
  }
  const before = readFileSync(join(cwd, 'manifest.yml'), 'utf8');
  for (const words of [
    ['--url', 'http://s.example.com'],
    ['--url', 's.example.com'],
    ['--url', 'https://s.example.com?x=1'],
    ['--esim-purchases', 'false'],
    ['--prefix', '/acme'],
  ]) {
    const { code, stderr } = await run(...words);
    assert.equal(code, 1);
    assert.match(stderr, new RegExp(`^${words[0]} .*\\n$`));
  }
  assert.equal(readFileSync(join(cwd, 'manifest.yml'), 'utf8'), before);
});
