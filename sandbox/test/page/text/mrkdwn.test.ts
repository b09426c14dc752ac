import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { rounds } from '../../../../test/support/sizes.ts';
import type { Flow, Inline } from '../../../page/text/inline.ts';
import { plainWords, readInline, readMrkdwn, readPlain } from '../../../page/text/mrkdwn.ts';

const text = (words: string): Inline => ({ kind: 'text', text: words });

function allInlines(flow: Flow[]): Inline[] {
  return flow.flatMap((node) => {
    if (node.kind === 'quote') {
      return allInlines(node.children);
    }
    if (node.kind === 'list') {
      return node.items.flat();
    }
    return 'children' in node ? node.children : [];
  });
}

function deep(nodes: Inline[]): Inline[] {
  return nodes.flatMap((node) => ('children' in node ? [node, ...deep(node.children)] : [node]));
}

test('parses bold, italic, strike and code', () => {
  assert.deepEqual(readInline('*bold* _slanted_ ~gone~ `x*y*z`'), [
    { kind: 'bold', children: [text('bold')] },
    text(' '),
    { kind: 'italic', children: [text('slanted')] },
    text(' '),
    { kind: 'strike', children: [text('gone')] },
    text(' '),
    { kind: 'code', text: 'x*y*z' },
  ]);
});

test('nests marks, and ignores a mark inside a word or beside a space', () => {
  assert.deepEqual(readInline('*a _b_ c*'), [
    { kind: 'bold', children: [text('a '), { kind: 'italic', children: [text('b')] }, text(' c')] },
  ]);
  for (const plain of ['2*3*4', 'snake_case_name', '* a*', '*a *', '**', '*', 'a*b']) {
    assert.deepEqual(readInline(plain), [text(plain)], plain);
  }
});

test('parses a link with its label and unescapes its address', () => {
  assert.deepEqual(readInline('<https://example.com/?a=1&amp;b=2|the *report*>'), [
    { kind: 'link', url: 'https://example.com/?a=1&b=2', children: [text('the *report*')] },
  ]);
});

test('turns a bare address into a link without the full stop', () => {
  assert.deepEqual(readInline('see https://example.com/x.'), [
    text('see '),
    { kind: 'link', url: 'https://example.com/x', children: [text('https://example.com/x')] },
    text('.'),
  ]);
});

test('keeps the text behind the bar of mentions and dates as their fallback', () => {
  assert.deepEqual(readInline('<@U0AGENT> <#C0SUPPORT|support> <!here>'), [
    { kind: 'person', id: 'U0AGENT' },
    text(' '),
    { kind: 'channel', id: 'C0SUPPORT', fallback: 'support' },
    text(' '),
    { kind: 'mention', text: '@here' },
  ]);
  assert.deepEqual(readInline('<!date^1392734382^{date} at {time}^https://example.com/|then>'), [
    {
      kind: 'date',
      seconds: 1392734382,
      format: '{date} at {time}',
      url: 'https://example.com/',
      fallback: 'then',
    },
  ]);
});

test('parses quotes, code blocks and lines', () => {
  assert.deepEqual(readMrkdwn('one\ntwo\n> said\n&gt; more\n```\nlet x = 1 &lt; 2;\n```\nend'), [
    { kind: 'paragraph', children: [text('one'), { kind: 'break' }, text('two')] },
    {
      kind: 'quote',
      children: [{ kind: 'paragraph', children: [text('said'), { kind: 'break' }, text('more')] }],
    },
    { kind: 'code', text: 'let x = 1 < 2;' },
    { kind: 'paragraph', children: [text('end')] },
  ]);
});

test('parses emoji by their short names, and keeps an unknown name as text', () => {
  assert.deepEqual(readPlain('ok :white_check_mark: :no_such_emoji: 10:30:00'), [
    text('ok '),
    { kind: 'emoji', name: 'white_check_mark', character: '✅' },
    text(' :no_such_emoji: 10:30:00'),
  ]);
});

test('unescapes any escaped text', () => {
  const words = fc.string({
    unit: fc.constantFrom('a', ' ', '<', '>', '&', '"', 'l', 't', ';', '@', '|', '!', '#', 'é', '😀'),
  });
  fc.assert(
    fc.property(words, (line) => {
      const escaped = line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
      assert.equal(plainWords(readInline(escaped)), line);
    }),
    { verbose: true },
  );
});

const nasty = fc.string({
  unit: fc.constantFrom(
    '*',
    '_',
    '~',
    '`',
    '<',
    '>',
    '&',
    ':',
    '|',
    '!',
    '@',
    '#',
    '\n',
    ' ',
    'a',
    'javascript:',
    'http://a',
    'data:',
    'U0',
    '```',
    '&lt;',
    'date^1^',
    'x',
  ),
  maxLength: 60,
});

test('creates no dangerous link and no unknown node from any text', () => {
  const kinds = new Set(
    'text break bold italic strike code link person channel mention date emoji'.split(' '),
  );
  fc.assert(
    fc.property(nasty, (source) => {
      for (const node of deep(allInlines(readMrkdwn(source)))) {
        assert.ok(kinds.has(node.kind), node.kind);
        if ((node.kind === 'link' || node.kind === 'date') && node.url) {
          assert.match(node.url, /^(https?|mailto|tel|slack):/i);
        }
      }
    }),
    { verbose: true, numRuns: rounds(500) },
  );
});

test('parses a long text of marks', () => {
  for (const mark of ['*a ', '_', '<', '`a', '*_', ':a', '&']) {
    const long = mark.repeat(4000);
    assert.ok(readMrkdwn(long).length > 0, mark);
  }
});
