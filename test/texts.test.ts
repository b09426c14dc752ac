import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examples } from './slack/features/examples/examples.ts';
import { plainWords } from './support/slack/example-words.ts';
import { textLines } from './support/texts/text-lines.ts';

test('the page of all texts has every screen, and the errors, help, tools, web pages and log messages of the source', () => {
  const lines = textLines(1);
  const screens = Object.values(examples).flatMap((screensOf) => Object.keys(screensOf(plainWords)));
  const isEmpty = (name: string) => /^#|^$/.test(lines[lines.indexOf(`### ${name}`) + 1] ?? '');
  assert.deepEqual(
    screens.filter((name) => !lines.includes(`### ${name}`) || isEmpty(name)),
    [],
  );
  for (const text of [
    'This entry is no longer in your history.',
    '`… list` lists your eSIMs.',
    'Returns the latest known balance',
    'Nothing changes unless you press the button.',
    'Switchboard is ready',
  ]) {
    assert.ok(
      lines.some((line) => line.includes(text)),
      text,
    );
  }
});
