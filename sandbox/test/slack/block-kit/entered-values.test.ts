import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Json, JsonObject } from '../../../lib/json.ts';
import { checkState, checkValues } from '../../../slack/block-kit/state.ts';
import { actions, input, letters, modal, mrkdwn, option, select, textField, times } from './examples.ts';
import { only, states } from './states.ts';

const boxes = { type: 'checkboxes', options: [option(1), option(2)] };

suite('Before a modal is submitted, Slack asks', () => {
  const complete = 'Please complete this required field.';

  test('for a required value that is missing', () => {
    for (const [type, , , empty] of states) {
      assert.equal(said({ type }, empty), complete, type);
    }
    assert.equal(said(textField(), { value: '' }), complete);
    assert.equal(checkState(only(textField()), undefined), complete);
  });

  test('for no optional value', () => {
    for (const [type, , , empty] of states) {
      assert.equal(checkState(only({ type }, { optional: true }), { type, ...empty }), undefined, type);
    }
  });

  const cases: [name: string, element: JsonObject, key: string, fine: Json[], refused: Json[]][] = [
    [
      'a text of the right length',
      textField({ min_length: 2, max_length: 4 }),
      'value',
      ['ab', 'abcd', '😀😀😀😀'],
      ['a', 'abcde'],
    ],
    ['a text that Slack can carry', textField(), 'value', [letters(3000)], [letters(3001)]],
    [
      'a whole number',
      { type: 'number_input', is_decimal_allowed: false },
      'value',
      ['7', '-7'],
      ['7.5', 'seven', ' ', '7a'],
    ],
    [
      'a number in the range',
      { type: 'number_input', is_decimal_allowed: true, min_value: '0.5', max_value: '10' },
      'value',
      ['0.5', '10'],
      ['0.49', '10.1', '-3'],
    ],
    [
      'an email address',
      { type: 'email_text_input' },
      'value',
      ['ada@example.com'],
      ['ada', 'ada@example', 'a b@example.com'],
    ],
    ['an address', { type: 'url_text_input' }, 'value', ['https://example.com'], ['example']],
    ['a date', { type: 'datepicker' }, 'selected_date', ['2027-01-31'], ['31.1.2027']],
    ['a time', { type: 'timepicker' }, 'selected_time', ['00:00'], ['8:00', '25:00']],
    ['a date with a time', { type: 'datetimepicker' }, 'selected_date_time', [1_800_000_000], ['tomorrow']],
    ['an option of the menu', select(), 'selected_option', [option(2)], [option(3), 'value-1']],
    [
      'an option of the buttons',
      { ...boxes, type: 'radio_buttons' },
      'selected_option',
      [option(1)],
      [option(3)],
    ],
    ['options of the boxes', boxes, 'selected_options', [[option(1), option(2)]], [[option(1), option(3)]]],
    [
      'an option of a group',
      { type: 'static_select', option_groups: [{ label: mrkdwn('A'), options: [option(7)] }] },
      'selected_option',
      [option(7)],
      [option(8)],
    ],
    [
      'no more options than the app allows',
      { ...boxes, type: 'multi_static_select', max_selected_items: 1 },
      'selected_options',
      [[option(1)]],
      [[option(1), option(2)]],
    ],
    [
      'no more people than the app allows',
      { type: 'multi_users_select', max_selected_items: 1 },
      'selected_users',
      [['U0ADA']],
      [['U0ADA', 'U0GRACE']],
    ],
    [
      'no more files than the app allows',
      { type: 'file_input', max_files: 1 },
      'files',
      [[{ id: 'F1' }]],
      [[{ id: 'F1' }, { id: 'F2' }]],
    ],
    [
      'no more files than Slack takes',
      { type: 'file_input' },
      'files',
      [times(10, () => 'F1')],
      [times(11, () => 'F1')],
    ],
    [
      'whatever the app offered, of a searched menu',
      { type: 'external_select' },
      'selected_option',
      [option('any')],
      [],
    ],
  ];
  for (const [name, element, key, fine, refused] of cases) {
    test(`for ${name}`, () => {
      for (const value of fine) {
        assert.equal(said(element, { [key]: value }), undefined, JSON.stringify(value));
      }
      for (const value of refused) {
        assert.match(
          said(element, { [key]: value }) ?? '',
          /^Please (enter|choose) .+\.$/,
          JSON.stringify(value),
        );
      }
    });
  }

  test('for every field at once, by block', () => {
    const asked = (block_id: string, more: JsonObject = {}) =>
      input(textField({ max_length: 5, ...more }), { block_id });
    const row = { ...actions({ ...boxes, action_id: 'show' }), block_id: 'row' };
    const view = modal([asked('one'), asked('two'), asked('three', { min_length: 2 }), row]);
    const typed = (value: string) => ({ typed: { type: 'plain_text_input', value } });
    assert.deepEqual(checkValues(view, { one: typed('fine'), two: typed('too long') }), {
      two: 'Please enter at most 5 characters.',
      three: complete,
    });
    assert.deepEqual(checkValues(view, { one: typed('fine'), two: typed('x'), three: typed('xx') }), {});
  });
});

function said(element: JsonObject, state: JsonObject): string | undefined {
  return checkState(only(element), { type: String(element.type), ...state });
}
