import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { createManifest, optionalScopes, scopes } from '../src/slack/app/manifest.ts';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

/** The rows of the tables of a page, without their headings. */
function rowsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^\|---.*\n((?:\|.*\n)+)/gm)].flatMap(([, rows = '']) =>
    rows.trim().split('\n'),
  );
}

/** The tests that a text names: `test/…` with, after a colon, the name in italics. */
function testsIn(text: string): { file: string; name: string | undefined }[] {
  return [...text.matchAll(/`(test\/[^`\s]+\.test\.ts)`(?:: \*([^*]+)\*)?/g)].map(([, file = '', name]) => ({
    file,
    name,
  }));
}

/** Asserts that the tests that a text names exist, and that there is one. */
function assertHeld(text: string): void {
  assert.ok(testsIn(text).length > 0, `no test holds: ${text}`);
  assertTestsExist(text);
}

function assertTestsExist(text: string): void {
  for (const { file, name } of testsIn(text)) {
    assert.ok(existsSync(new URL(`../${file}`, import.meta.url)), `${file} does not exist: ${text}`);
    assert.ok(name === undefined || read(file).includes(name), `${file} has no test “${name}”`);
  }
}

describe('the page on the marketplace', () => {
  it('names for each guideline a test that exists, or an exception with its reason', () => {
    const rows = rowsOf(read('docs/marketplace.md'));
    assert.ok(rows.length > 25, `${rows.length} rows`);
    for (const row of rows) {
      if (row.includes('**Exception.**')) {
        assert.ok(row.length > 100, `no reason: ${row}`);
        assertTestsExist(row);
      } else {
        assertHeld(row);
      }
    }
  });
});

describe('the page on security', () => {
  const security = read('docs/security.md');

  it('names for each hostile input a test that exists', () => {
    const [, section = ''] =
      /^## What happens to hostile input\?\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(security) ?? [];
    const rows = rowsOf(section);
    assert.ok(rows.length > 15, `${rows.length} rows`);
    rows.forEach(assertHeld);
  });

  it('lists the scopes that the manifest asks for, and no other', () => {
    const [, section = ''] =
      /^## What is each scope for\?\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(security) ?? [];
    const listed = rowsOf(section).map((row) => {
      const [, scope = row, purpose = ''] = /^\| `([^`]+)` \| (.+) \|$/.exec(row) ?? [];
      return [scope, purpose.replaceAll('*', '')];
    });
    assert.deepEqual(listed.sort(), [...Object.entries(scopes), ...Object.entries(optionalScopes)].sort());
  });
});

describe('the manifest for a listing', () => {
  it('is over HTTP, with a prefix, and asks for no more than the app needs', () => {
    const manifest = createManifest({ prefix: 'acme-', address: 'https://switchboard.example.com' });
    assert.equal(manifest.settings.socket_mode_enabled, false);
    for (const { command } of manifest.features.slash_commands) {
      assert.match(command, /^\/acme-/);
    }
    // Slack: scopes that are not listed, and those that read messages.
    const barred =
      /^(?:admin|identity|triggers|workflow)|^(?:search:|read$|post$|client$|workflow\.steps)|:history$|message_access/;
    const { bot } = manifest.oauth_config.scopes;
    assert.deepEqual(
      bot.filter((scope) => barred.test(scope)),
      [],
    );
    assert.deepEqual([...bot].sort(), [...Object.keys(scopes), ...Object.keys(optionalScopes)].sort());
    assert.deepEqual(Object.keys(manifest.oauth_config.scopes).sort(), ['bot', 'bot_optional']);
    assert.ok(!('functions' in manifest) && !('workflows' in manifest), 'custom steps bar a listing');
  });
});
