import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { describeProfile } from '../src/config/provider-profile.ts';
import type { Described } from '../src/config/setting-types.ts';
import { describeSettings } from '../src/config/settings.ts';
import { databaseParameters } from '../src/lib/postgres-url.ts';

const words = new Set(['required', 'unset', 'empty']);

function tableOf(title: string, rows: readonly Described[]): string {
  const lines = rows.map(
    ({ name, default: value, description }) =>
      `| \`${name}\` | ${words.has(value) ? value : `\`${value}\``} | ${description} |`,
  );
  return [`| ${title} | default | |`, '|---|---|---|', ...lines].join('\n');
}

/** Puts a table between the comments that name it. */
function withTable(page: string, name: string, table: string): string {
  const [begin, end] = [`<!-- the ${name}, written by their test -->`, `<!-- end of the ${name} -->`];
  assert.ok(page.includes(begin) && page.includes(end), name);
  return `${page.slice(0, page.indexOf(begin))}${begin}\n\n${table}\n\n${page.slice(page.indexOf(end))}`;
}

/** Compares a page with its tables, or writes them. */
function holds(name: string, withTables: (page: string) => string): void {
  const file = new URL(`../docs/${name}`, import.meta.url);
  const page = readFileSync(file, 'utf8');
  const asItIs = withTables(page);
  if (process.env.UPDATE_DOCS) {
    writeFileSync(file, asItIs);
  } else {
    assert.equal(page, asItIs, 'UPDATE_DOCS=1 npx node --test test/settings-page.test.ts writes the tables');
  }
}

describe('the pages on settings', () => {
  it('have every setting and every field of the profile, with its default and what it does', () => {
    holds('settings.md', (page) =>
      withTable(
        withTable(page, 'settings', tableOf('setting', describeSettings())),
        'fields',
        tableOf('field', describeProfile()),
      ),
    );
  });

  it('have every parameter of DATABASE_URL, with what becomes of it', () => {
    const groups = Map.groupBy(databaseParameters, ({ outcome, note }) => `${outcome} | ${note}`);
    const lines = [...groups].map(
      ([ending, group]) => `| ${group.map(({ parameter }) => `\`${parameter}\``).join(', ')} | ${ending} |`,
    );
    const table = ['| after the `?` | | |', '|---|---|---|', ...lines].join('\n');
    holds('deploying.md', (page) => withTable(page, 'parameters', table));
  });
});
