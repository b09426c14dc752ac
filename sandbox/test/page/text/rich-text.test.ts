import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRichText } from '../../../page/text/draw.ts';

test('wraps text in its styles, and keeps text with a code style unparsed', () => {
  const elements = [
    { type: 'text', text: 'both', style: { bold: true, italic: true } },
    { type: 'text', text: '*x*', style: { code: true } },
    { type: 'emoji', name: 'unheard_of', unicode: '1f600' },
    { type: 'link', url: 'javascript:alert(1)', text: 'click' },
  ];
  assert.deepEqual(readRichText({ type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] }), [
    {
      kind: 'paragraph',
      children: [
        { kind: 'italic', children: [{ kind: 'bold', children: [{ kind: 'text', text: 'both' }] }] },
        { kind: 'code', text: '*x*' },
        { kind: 'emoji', name: 'unheard_of', character: '😀' },
        { kind: 'text', text: 'click' },
      ],
    },
  ]);
});

test('keeps the indent and the first number of a list', () => {
  const item = { type: 'rich_text_section', elements: [{ type: 'text', text: 'a' }] };
  const list = { type: 'rich_text_list', style: 'ordered', indent: 2, offset: 3, elements: [item] };
  assert.deepEqual(readRichText({ type: 'rich_text', elements: [list] }), [
    { kind: 'list', ordered: true, start: 4, indent: 2, items: [[{ kind: 'text', text: 'a' }]] },
  ]);
});
