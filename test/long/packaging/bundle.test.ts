import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { hashSources } from '../../../bin/start.mjs';
import { bundle } from '../../../packaging/bundle.ts';
import { packageOf } from '../../../packaging/packages.ts';
import { keepSources } from '../../../packaging/source-maps.ts';
import { runProgram, startProcess } from '../../support/app/app-process.ts';
import { bundleOnce, bundleProgram } from '../../support/app/program-bundle.ts';
import { socketSettings } from '../../support/app/socket-settings.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const root = join(import.meta.dirname, '../../..');

/** Returns the packages of which a file of the bundle loads something as it starts. */
async function loadedBy(entry: string, folder: string): Promise<string[]> {
  const { outputs } = await bundle(folder);
  const files = Object.keys(outputs);
  const first = files.find((file) => file.endsWith(`/${entry}`)) ?? assert.fail(entry);
  const found = new Set<string>();
  const add = (file: string) => {
    const output = outputs[file];
    if (output === undefined || found.has(file)) {
      return;
    }
    found.add(file);
    for (const { path, kind } of output.imports) {
      if (kind === 'import-statement') {
        add(path);
      }
    }
  };
  add(first);
  const inputs = [...found].flatMap((file) =>
    Object.entries(outputs[file]?.inputs ?? {})
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .map(([input]) => packageOf(input)?.replace(/^.*node_modules\//, '')),
  );
  return [...new Set(inputs.filter((name) => name !== undefined))].sort();
}

describe('the bundle', () => {
  it('loads at the start nothing that only some installations use', async (t) => {
    const folder = temporaryFolder(t);
    const main = await loadedBy('main.mjs', folder);
    const rare =
      /^(pg|pg-.*|yaml|@modelcontextprotocol\/.*|@opentelemetry\/(?!api$|semantic-conventions$).*|import-in-the-middle)$/;
    assert.deepEqual(
      main.filter((name) => rare.test(name)),
      [],
    );
    assert.ok(main.includes('@slack/bolt'));
    assert.deepEqual(await loadedBy('store-worker.mjs', folder), ['lru-cache']);
  });

  it('has the licences of all that it contains', async () => {
    const licences = readFileSync(join(await bundleOnce(), 'LICENSES.txt'), 'utf8');
    for (const name of [
      '@slack/bolt',
      'better-sqlite3',
      'kysely',
      'undici',
      'zod',
      'qs',
      '@modelcontextprotocol/server',
    ]) {
      assert.match(licences, new RegExp(`^${name} \\d+\\.\\d+\\.\\d+\n\n(MIT|ISC|Apache|BSD)`, 'm'));
    }
    const withoutText = licences.split(`${'-'.repeat(80)}\n\n`).filter((licence) => licence.trim() === '');
    assert.deepEqual(withoutText, []);
  });

  it('names the files of src where it logs an error', async (test) => {
    const { code, output } = await runProgram(
      test,
      { ...socketSettings(), DATA_DIR: temporaryFolder(test) },
      await bundleProgram(),
    ).ends();
    assert.equal(code, 1);
    const [, file = '', line] = /\/(src\/[\w/-]+\.ts):(\d+):\d+/.exec(output) ?? assert.fail(output);
    const source = readFileSync(join(root, file), 'utf8').split('\n');
    assert.match(source[Number(line) - 1] ?? '', /fetch\(/);
    assert.doesNotMatch(output, /web-api\/src/, 'maps of packages are read too');
  });
});

describe('a source map of some sources alone', () => {
  it('maps what came of them to the same places, and the rest to nothing', () => {
    // a: 0→1:0 of keep, 4→1:2 of drop, 8→2:3 of drop, 12→3:1 of keep; then, in the next line, 0→5:5 of drop.
    const map = { version: 3, sources: ['drop.js', 'keep.ts'], mappings: 'ACAA,IDAE,IACC,ICCF;ADEI' };
    const kept = keepSources(map, (source) => source.endsWith('.ts'));
    assert.deepEqual(kept.sources, ['keep.ts']);
    assert.equal(keepSources(kept, () => true).mappings, kept.mappings);
    assert.equal(kept.mappings.split(';').length, 2);
  });
});

describe('bin/start.mjs', () => {
  /** A project with one program, which prints from where it runs, and which words it was given. */
  function project(folder: string): void {
    cpSync(join(root, 'bin'), join(folder, 'bin'), { recursive: true });
    for (const [name, file] of [
      ['src', 'main.ts'],
      ['dist', 'main.mjs'],
    ] as const) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, file), `console.log('${name}', ...process.argv.slice(2));`);
    }
    writeFileSync(join(folder, 'package-lock.json'), '{}');
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  }

  it('runs the bundle of these very sources, and else the sources', async (t) => {
    const folder = temporaryFolder(t);
    project(folder);
    const run = async () => {
      const start = [process.execPath, join(folder, 'bin/start.mjs'), 'main', '--format', 'csv'];
      return (await startProcess(t, start).ends()).stdout;
    };
    assert.equal(await run(), 'src --format csv\n', 'a bundle that is not whole is not used');
    writeFileSync(join(folder, 'dist/sources'), hashSources(folder));
    assert.equal(await run(), 'dist --format csv\n');
    writeFileSync(join(folder, 'src/other.ts'), '');
    assert.match(await run(), /^\{"level":40,.*npm run build.*\}\nsrc --format csv\n$/);
    writeFileSync(join(folder, 'dist/sources'), hashSources(folder));
    writeFileSync(join(folder, 'package-lock.json'), '{"other":1}');
    assert.match(await run(), /\nsrc --format csv\n$/);
  });
});
