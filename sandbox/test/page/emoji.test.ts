import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { drawEmoji, emojiCharacter } from '../../page/art/emoji.ts';

const app = resolve(import.meta.dirname, '../../../src');

/** Returns the names of the emoji in the app's texts. */
async function usedNames(): Promise<string[]> {
  const names = new Set<string>();
  for await (const file of glob(`${app}/slack/**/*.ts`)) {
    for (const [, name = ''] of (await readFile(file, 'utf8')).matchAll(
      /(?<!\w):([a-z][a-z0-9_+-]*):(?!\w)/g,
    )) {
      names.add(name);
    }
  }
  return [...names];
}

test('draws each emoji of the app without an emoji font', async () => {
  const names = await usedNames();
  assert.ok(names.length > 15);
  const undrawn = names.filter((name) => {
    const character = emojiCharacter(name);
    return character === undefined || !drawEmoji(character, name).strings.join('').startsWith('<svg');
  });
  assert.deepEqual(undrawn, []);
});
