import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { operationNames } from '../sandbox/provider/operation-names.ts';
import { commands } from '../src/slack/app/commands.ts';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const page = read('docs/commands.md');

describe('the page of commands', () => {
  it('names for each operation of the provider a command that reaches it', () => {
    const rows = new Map(
      [...page.matchAll(/^\| `(\w+\.\w+)` \| 4\.[\d.]+ \| (.+) \|$/gm)].map(([, name, where]) => [
        name,
        where,
      ]),
    );
    assert.deepEqual([...rows.keys()].sort(), [...operationNames].sort());
    const known = new Set<string>(commands.map(({ name }) => name));
    for (const [operation, where = ''] of rows) {
      const named = [...where.matchAll(/`\/([a-z-]+)/g)].map(([, name = '']) => name);
      assert.ok(named.length > 0, `${operation}: ${where}`);
      for (const name of named) {
        assert.ok(known.has(name), `${operation}: there is no /${name}`);
      }
    }
  });

  it('has a section for each command', () => {
    for (const { name } of commands) {
      assert.match(page, new RegExp(`^## /${name}$`, 'm'));
    }
  });

  it('shows the pictures that there are', () => {
    const shown = [...`${page}${read('README.md')}`.matchAll(/pictures\/([\w-]+)\.png/g)].map(
      ([, name]) => `${name}.png`,
    );
    const taken = readdirSync(new URL('../docs/pictures/', import.meta.url));
    assert.deepEqual([...new Set(shown)].sort(), taken.sort());
  });
});

describe('the page of guarantees', () => {
  it('names proofs that there are', () => {
    const named = [...read('docs/guarantees.md').matchAll(/`((?:test|docs)\/[^`]+)`/g)].map(
      ([, path = '']) => path,
    );
    assert.ok(named.length > 5);
    for (const path of named) {
      assert.ok(existsSync(new URL(`../${path}`, import.meta.url)), path);
    }
  });
});
