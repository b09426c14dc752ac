import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { JsonObject } from '../../../../lib/json.ts';
import { checkMessage, viewIsTooLarge } from '../../../../slack/block-kit/surfaces.ts';
import { letters, modal, plain, section, textField, times } from '../examples.ts';
import { inInput, inMessage, inModal } from '../place-checks.ts';

const cell = { type: 'raw_text', text: 'x' };

suite('The whole is refused when it is too large', () => {
  test('a view of more than 250 kB', () => {
    const view = (more: number) => {
      const blocks = times(84, () => section({ text: plain(letters(2900)) }));
      const rest = modal([...blocks, section({ text: plain('x') })]);
      const room = 250_000 - JSON.stringify(rest).length;
      return modal([...blocks, section({ text: plain(letters(1 + room + more)) })]);
    };
    assert.equal(viewIsTooLarge(view(0)), false);
    assert.equal(viewIsTooLarge(view(1)), true);
  });

  test('a table of more than 10,000 characters', () => {
    const rows = (count: number) =>
      times(100, (row) => [{ ...cell, text: letters(row === 0 ? count - 9900 : 100) }]);
    assert.deepEqual(inMessage({ type: 'table', rows: rows(10_000) }), []);
    const dataTable = { type: 'data_table', caption: 'x' };
    assert.deepEqual(inMessage({ ...dataTable, rows: rows(10_000) }), []);
    assert.equal(inMessage({ ...dataTable, rows: rows(10_001) }).length, 1);
    assert.deepEqual(inMessage({ type: 'table', rows: rows(10_001) }), [
      '[ERROR] must be less than 10001 characters [json-pointer:/blocks/0/rows]',
    ]);
  });

  test('blocks of a message with more than 12,000 characters', () => {
    const blocks = (last: number) => [
      ...times(4, () => section({ text: plain(letters(2900)) })),
      section({ text: plain(letters(last)) }),
    ];
    assert.equal(checkMessage({ blocks: blocks(400) }), undefined);
    assert.deepEqual(checkMessage({ blocks: blocks(401) }), { error: 'msg_blocks_too_long', messages: [] });
  });

  test('a message whose text has more than 40,000 characters', () => {
    assert.equal(checkMessage({ text: letters(40_000) }), undefined);
    assert.deepEqual(checkMessage({ text: letters(40_001) }), { error: 'msg_too_long', messages: [] });
  });

  test('a message of more than 100 attachments', () => {
    assert.equal(checkMessage({ attachments: times(100, () => ({ text: 'x' })) }), undefined);
    assert.deepEqual(checkMessage({ attachments: times(101, () => ({ text: 'x' })) }), {
      error: 'too_many_attachments',
      messages: [],
    });
  });
});

suite('A number is refused outside its range', () => {
  const list = { type: 'rich_text_list', style: 'bullet', elements: [] };
  const asked = (element: JsonObject) => ({
    put: (it: JsonObject) => inInput({ ...element, ...it }),
    at: '/element',
  });
  const rich = (it: JsonObject) => inModal({ type: 'rich_text', elements: [{ ...list, ...it }] });
  const ofList = { put: rich, at: '/elements/0' };

  const ranges: [property: string, low: number, high: number | undefined, place: typeof ofList][] = [
    ['min_length', 0, 3000, asked(textField())],
    ['max_length', 1, 3000, asked(textField())],
    ['min_lines', 1, 100, asked({ type: 'rich_text_input' })],
    ['max_lines', 1, 100, asked({ type: 'rich_text_input' })],
    ['max_files', 1, 10, asked({ type: 'file_input' })],
    ['max_selected_items', 1, undefined, asked({ type: 'multi_users_select' })],
    ['min_query_length', 0, undefined, asked({ type: 'external_select' })],
    ['initial_date_time', 1_000_000_000, 9_999_999_999, asked({ type: 'datetimepicker' })],
    ['indent', 0, 8, ofList],
    ['offset', 0, undefined, ofList],
    ['border', 0, 1, ofList],
  ];
  for (const [property, low, high, { put, at }] of ranges) {
    test(`${property}: from ${low}${high === undefined ? '' : ` to ${high}`}`, () => {
      const pointer = `[json-pointer:/view/blocks/0${at}/${property}]`;
      assert.deepEqual(put({ [property]: low }), []);
      assert.deepEqual(put({ [property]: low - 1 }), [`[ERROR] must be greater than ${low} ${pointer}`]);
      assert.deepEqual(put({ [property]: low + 0.5 }), [`[ERROR] must provide an integer ${pointer}`]);
      if (high === undefined) {
        return;
      }
      assert.deepEqual(put({ [property]: high }), []);
      assert.deepEqual(put({ [property]: high + 1 }), [`[ERROR] must be less than ${high} ${pointer}`]);
    });
  }
});
