import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { memoryDecisions } from './support/architecture/memory-decisions.ts';
import { memoryPlacesIn } from './support/architecture/memory-places.ts';

const src = join(import.meta.dirname, '../src');
const files = globSync('**/*.ts', { cwd: src }).sort();
const listed = Object.values(memoryDecisions).flatMap((places) => Object.keys(places));

const found = files.flatMap((file) =>
  memoryPlacesIn(file, readFileSync(join(src, file), 'utf8')).map(({ of, name }) => ({
    file,
    place: `${file} ${of}.${name}`,
  })),
);

describe('what an instance has in memory', () => {
  it('is listed, each with the reason why no other instance needs it', () => {
    const unlisted = found.filter(({ file, place }) => !listed.includes(file) && !listed.includes(place));
    assert.deepEqual(
      unlisted.map(({ place }) => place),
      [],
      'keep it in the store, or list it in test/support/architecture/memory-decisions.ts',
    );
  });

  it('is listed once, and only while it is there', () => {
    assert.deepEqual(
      listed.filter((entry, index) => listed.indexOf(entry) !== index),
      [],
    );
    const there = found.flatMap(({ file, place }) => [file, place]);
    assert.deepEqual(
      listed.filter((entry) => !there.includes(entry)),
      [],
    );
  });
});

describe('the search for it', () => {
  const namesIn = (source: string) =>
    memoryPlacesIn('source.ts', source).map(({ of, name }) => `${of}.${name}`);

  it('finds what a function changes that another function or the module declares', () => {
    const kept: Readonly<Record<string, string[]>> = {
      'const known = new Map(); export function f(key: string) { known.set(key, 1); }': ['.known'],
      'let count = 0; export const f = () => { count += 1; };': ['.count'],
      'export function create() { let n = 0; return { next: () => n++ }; }': ['create.n'],
      'export function create() { const all: string[] = []; return { add(one: string) { all.push(one); } }; }':
        ['create.all'],
      'export function create() { const cache = new LRUCache({ max: 1 }); return () => cache.fetch(1); }': [
        'create.cache',
      ],
      'function create() { const { get: once } = createAsyncCache({ max: 1 }); return (k: string) => once(k); }':
        ['create.once'],
      'function create() { function add() { seen.add(1); } const seen = new Set(); return add; }': [
        'create.seen',
      ],
      'export class Sender { readonly #max = 1; #sent = 0; readonly #all = new Map(); }': [
        'Sender.#sent',
        'Sender.#all',
      ],
      'function create() { const all = new Set(); other({ all }); return { done: () => Promise.all(all) }; }':
        ['create.all'],
      'function create() { let a = 1; return () => { [a] = [2]; }; }': ['create.a'],
    };
    for (const [source, names] of Object.entries(kept)) {
      assert.deepEqual(namesIn(source), names, source);
    }
  });

  it('passes what ends with its function, or is never changed', () => {
    const passed = [
      'const known = new Map([[1, 2]]); export const f = (key: number) => known.get(key);',
      'export function f(all: string[]) { const seen = new Set(); for (const one of all) { seen.add(one); } }',
      'export function f() { let n = 0; for (;;) { n += 1; } }',
      'let seen = 1; export function f() { let seen = 0; seen += 1; }',
      'export function f(seen: number) { const seen2 = () => { let seen = 1; seen += 1; }; }',
    ];
    for (const source of passed) {
      assert.deepEqual(namesIn(source), [], source);
    }
  });
});
