import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { describeSettings } from '../src/config/settings.ts';
import { commands } from '../src/slack/app/commands.ts';
import { scopes } from '../src/slack/app/manifest.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

describe('the README', () => {
  it('lists every setting with its default and what it does', () => {
    const words = new Set(['required', 'unset', 'empty']);
    for (const { name, default: value, description } of describeSettings()) {
      const row = `| \`${name}\` | ${words.has(value) ? value : `\`${value}\``} | ${description} |`;
      assert.ok(readme.includes(row), `the README lacks ${row}`);
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
