import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readMarkdown } from '../../../page/text/markdown.ts';
import type { Inline } from '../../../page/text/nodes.ts';

const text = (words: string): Inline => ({ kind: 'text', text: words });

test('headings, lists, quotes, code and rules each become a block of their own', () => {
  assert.deepEqual(
    readMarkdown(
      '# Plans\nfirst line\nsecond\n\n- one\n- two\n  - deeper\n\n3. three\n\n> said\n\n```js\na < b\n```\n---',
    ),
    [
      { kind: 'heading', level: 1, children: [text('Plans')] },
      { kind: 'paragraph', children: [text('first line'), { kind: 'break' }, text('second')] },
      { kind: 'list', ordered: false, start: 1, indent: 0, items: [[text('one')], [text('two')]] },
      { kind: 'list', ordered: false, start: 1, indent: 1, items: [[text('deeper')]] },
      { kind: 'list', ordered: true, start: 3, indent: 0, items: [[text('three')]] },
      { kind: 'quote', children: [{ kind: 'paragraph', children: [text('said')] }] },
      { kind: 'code', text: 'a < b' },
      { kind: 'rule' },
    ],
  );
});

test('inline marks follow Markdown and not mrkdwn', () => {
  assert.deepEqual(
    readMarkdown('**bold** *slanted* ~~gone~~ `a*b` [label](https://example.com) \\*plain\\*'),
    [
      {
        kind: 'paragraph',
        children: [
          { kind: 'bold', children: [text('bold')] },
          text(' '),
          { kind: 'italic', children: [text('slanted')] },
          text(' '),
          { kind: 'strike', children: [text('gone')] },
          text(' '),
          { kind: 'code', text: 'a*b' },
          text(' '),
          { kind: 'link', url: 'https://example.com', children: [text('label')] },
          text(' *plain*'),
        ],
      },
    ],
  );
});

test('a link to a script stays text', () => {
  assert.deepEqual(readMarkdown('[x](javascript:alert(1))'), [
    { kind: 'paragraph', children: [text('[x](javascript:alert(1))')] },
  ]);
});

test('any text at all can be read', () => {
  const nasty = fc.string({
    unit: fc.constantFrom(
      '*',
      '_',
      '~',
      '`',
      '[',
      ']',
      '(',
      ')',
      '#',
      '-',
      '1.',
      '\n',
      ' ',
      '>',
      'a',
      '\\',
      '<http://a>',
    ),
  });
  fc.assert(
    fc.property(nasty, (source) => {
      readMarkdown(source);
    }),
    { verbose: true, numRuns: 300 },
  );
});
