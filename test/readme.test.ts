import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { describeSettings } from '../src/config/settings.ts';
import { commands, scopes } from '../src/slack/app/manifest.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

describe('the README', () => {
  it('lists settings that exist, with their defaults', () => {
    const rows = [...readme.matchAll(/^\| `([A-Z_]+)` \| `?([^|`]+)`? \|/gm)];
    const defaults = new Map(describeSettings().map((each) => [each.name, each.default]));
    assert.equal(rows.length, 10);
    for (const [, name = '', value] of rows) {
      assert.equal(value, defaults.get(name), name);
    }
  });

  it('names every command', () => {
    for (const { name } of commands) {
      assert.ok(readme.includes(`\`/${name}\``), `the README lacks /${name}`);
    }
  });
});

describe('the page on security', () => {
  it('names every scope with what it is for', () => {
    const page = readFileSync(new URL('../docs/security.md', import.meta.url), 'utf8');
    for (const [scope, purpose] of Object.entries(scopes)) {
      assert.ok(page.includes(`| \`${scope}\` | ${purpose} |`), `docs/security.md lacks ${scope}`);
    }
  });
});
