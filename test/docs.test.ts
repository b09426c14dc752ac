import assert from 'node:assert/strict';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { operationNames } from '../sandbox/provider/operation-names.ts';
import { readCsv } from '../src/domain/csv/read-csv.ts';
import { openRecipients } from '../src/domain/csv/recipient-rows.ts';
import { commands } from '../src/slack/app/manifest.ts';
import { ownTables } from './support/store/own-tables.ts';
import { temporaryStore } from './support/store/temporary-store.ts';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(new URL('../docs/', import.meta.url))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const guide = read('docs/user-guide.md');

describe('the page on the operations of the provider', () => {
  it('names a command for each operation of the provider', () => {
    const rows = new Map(
      [...read('docs/provider-operations.md').matchAll(/^\| `(\w+\.\w+)` \| 4\.[\d.]+ \| (.+) \|$/gm)].map(
        ([, name, where]) => [name, where],
      ),
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
});

describe('the user guide', () => {
  it('has a section for each command', () => {
    for (const { name } of commands) {
      assert.match(guide, new RegExp(`^## /${name}$`, 'm'));
    }
  });

  it('shows every picture, and no missing one', () => {
    const shown = [
      ...pages
        .map(read)
        .join('\n')
        .matchAll(/pictures\/([\w-]+)\.png/g),
    ].map(([, name]) => `${name}.png`);
    const taken = readdirSync(new URL('../docs/pictures/', import.meta.url));
    assert.deepEqual([...new Set(shown)].sort(), taken.sort());
  });
});

describe('the page on security', () => {
  it('names each table of the database in one row of its list', async (test) => {
    const store = await temporaryStore(test);
    const tables = (await ownTables(store.db)).map(({ name }) => name);
    const [, list = ''] =
      /^\| what \| where \| how \|\n.*\n((?:\|.*\n)+)/m.exec(read('docs/security.md')) ?? [];
    const places = list.split('\n').map((row) => row.split(' | ')[1] ?? '');
    const named = places.flatMap((place) => {
      const [, names = ''] = /tables? (.+)/.exec(place) ?? [];
      return [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name);
    });
    assert.deepEqual(named.sort(), tables.filter((name) => name !== 'keyv').sort());
  });
});

describe('the sample file of recipients', () => {
  it('shows recipients, a repeated number and a row without one', async () => {
    const csv = readCsv([Buffer.from(read('sample-recipients.csv'))]);
    const opened = await openRecipients(csv, { country: 'NG' });
    assert.ok(opened.ok);
    const rows = await Array.fromAsync(opened.table.rows);
    const numbers = rows.flatMap((row) => (row.kind === 'recipient' ? [row.number] : []));
    assert.deepEqual([rows.length, numbers.length, new Set(numbers).size], [7, 6, 5]);
  });
});

describe('the page on guarantees', () => {
  it('names proofs that exist', () => {
    const named = [...read('docs/guarantees.md').matchAll(/`((?:test|docs)\/[^`]+)`/g)].map(
      ([, path = '']) => path,
    );
    assert.ok(named.length > 5);
    for (const path of named) {
      assert.ok(existsSync(new URL(`../${path}`, import.meta.url)), path);
    }
  });
});

describe('the pages', () => {
  it('quote lines of the log that the program writes', () => {
    const sources = globSync('src/**/*.ts', { cwd: fileURLToPath(new URL('..', import.meta.url)) }).map(read);
    const quoted = pages.flatMap((page) =>
      [...read(page).matchAll(/`((?:an?|the) [^`]+)`/g)].map(([, line = '']) => line.replace(/\s+/g, ' ')),
    );
    assert.ok(quoted.length > 2);
    for (const line of quoted) {
      assert.ok(
        sources.some((source) => source.includes(`'${line}`)),
        line,
      );
    }
  });
});

describe('a page for developers', () => {
  for (const page of ['CONTRIBUTING.md', 'docs/architecture.md']) {
    it(`names files and folders that exist: ${page}`, () => {
      const paths = [...read(page).matchAll(/`([^`\s]+)`/g)]
        .map(([, path = '']) => path)
        .filter((path) => /^(?:src|sandbox|test|bench|docs)\/|^[\w.-]+\.(?:md|yml|json)$/.test(path))
        .filter((path) => !path.includes('<'));
      assert.ok(paths.length > 20);
      for (const path of paths) {
        assert.ok(existsSync(new URL(`../${path}`, import.meta.url)), path);
      }
    });
  }
});

describe('a page', () => {
  for (const page of pages) {
    it(`leads to files and headings that exist: ${page}`, () => {
      for (const [, target = ''] of read(page).matchAll(/\]\(([^)]+)\)/g)) {
        if (target.includes('://')) {
          continue;
        }
        const [path = '', heading] = target.split('#');
        const file =
          path === ''
            ? new URL(`../${page}`, import.meta.url)
            : new URL(path, new URL(`../${page}`, import.meta.url));
        assert.ok(existsSync(file), target);
        if (heading !== undefined) {
          assert.ok(headingsOf(readFileSync(file, 'utf8')).includes(heading), target);
        }
      }
    });
  }
});

/** The anchors of the headings of a page, as GitHub makes them. */
function headingsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
