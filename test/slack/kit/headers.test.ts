import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';

const kit = join(import.meta.dirname, '../../../src/slack/kit');
const squeezed = (code: string) => code.replaceAll(/[\s,]/g, '');

it('the example in each header of the kit is one that compiles, in header-examples.ts', () => {
  const compiled = squeezed(readFileSync(join(import.meta.dirname, 'header-examples.ts'), 'utf8'));
  const found = globSync('*.ts', { cwd: kit }).flatMap((file) => {
    const source = readFileSync(join(kit, file), 'utf8');
    return [...source.matchAll(/^ \* @example\n((?: \*(?: .*)?\n)+?) \*\/$/gm)].map(([, lines = '']) => ({
      file,
      example: lines.replaceAll(/^ \* ?/gm, ''),
    }));
  });
  assert.equal(found.length, 7);
  for (const { file, example } of found) {
    assert.ok(compiled.includes(squeezed(example)), `${file}:\n${example}`);
  }
});
