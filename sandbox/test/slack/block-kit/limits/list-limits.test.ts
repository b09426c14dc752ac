import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { checkMessage, checkOptionsAnswer, validateView } from '../../../../slack/block-kit/surfaces.ts';
import { actions, button, home, modal, option, plain, select, textField, times } from '../examples.ts';
import { inInput, inMessage, inModal } from '../place-checks.ts';

/** A list with its limit, its pointer, and a function that runs the checks on a list of a size. */
type ListLimit = [limit: number, pointer: string, put: (count: number) => string[]];

const divider = { type: 'divider' };
const cell = { type: 'raw_text', text: 'x' };
const lists: Record<string, ListLimit> = {
  'blocks of a modal': [100, '/view/blocks', (count) => validateView(modal(times(count, () => divider)))],
  'blocks of Home': [100, '/view/blocks', (count) => validateView(home(times(count, () => divider)))],
  'blocks of a message': [
    50,
    '/blocks',
    (count) => checkMessage({ blocks: times(count, () => divider) })?.messages ?? [],
  ],
  'blocks of an attachment': [
    50,
    '/attachments/0/blocks',
    (count) => checkMessage({ attachments: [{ blocks: times(count, () => divider) }] })?.messages ?? [],
  ],
  'fields of a section': [
    10,
    '/blocks/0/fields',
    (count) => inMessage({ type: 'section', fields: times(count, () => plain('x')) }),
  ],
  'elements of a context': [
    10,
    '/blocks/0/elements',
    (count) => inMessage({ type: 'context', elements: times(count, () => plain('x')) }),
  ],
  'elements of actions': [
    25,
    '/blocks/0/elements',
    (count) => inMessage(actions(...times(count, () => button()))),
  ],
  'rows of a table': [
    100,
    '/blocks/0/rows',
    (count) => inMessage({ type: 'table', rows: times(count, () => [cell]) }),
  ],
  'rows of a data table': [
    101,
    '/blocks/0/rows',
    (count) => inMessage({ type: 'data_table', caption: 'x', rows: times(count, () => [cell]) }),
  ],
  'cells of a row': [
    20,
    '/blocks/0/rows/0',
    (count) => inMessage({ type: 'table', rows: [times(count, () => cell)] }),
  ],
  'options of a menu': [
    100,
    '/view/blocks/0/element/options',
    (count) => inInput(select({ options: times(count, option) })),
  ],
  'groups of a menu': [
    100,
    '/view/blocks/0/element/option_groups',
    (count) =>
      inInput({
        type: 'static_select',
        option_groups: times(count, (index) => ({ label: plain('A'), options: [option(index)] })),
      }),
  ],
  'options of a group': [
    100,
    '/view/blocks/0/element/option_groups/0/options',
    (count) =>
      inInput({
        type: 'static_select',
        option_groups: [{ label: plain('A'), options: times(count, option) }],
      }),
  ],
  checkboxes: [
    10,
    '/view/blocks/0/element/options',
    (count) => inInput({ type: 'checkboxes', options: times(count, option) }),
  ],
  'radio buttons': [
    10,
    '/view/blocks/0/element/options',
    (count) => inInput({ type: 'radio_buttons', options: times(count, option) }),
  ],
  'an overflow menu': [
    5,
    '/view/blocks/0/elements/0/options',
    (count) => inModal(actions({ type: 'overflow', options: times(count, option) })),
  ],
  'settings of columns': [
    20,
    '/blocks/0/column_settings',
    (count) => inMessage({ type: 'table', rows: [[cell]], column_settings: times(count, () => ({})) }),
  ],
  'occasions to tell the app': [
    2,
    '/view/blocks/0/element/dispatch_action_config/trigger_actions_on',
    (count) => {
      const occasions = times(count, () => 'on_enter_pressed');
      return inInput(textField({ dispatch_action_config: { trigger_actions_on: occasions } }));
    },
  ],
  'groups that an app answers with': [
    100,
    '/option_groups',
    (count) =>
      checkOptionsAnswer({
        option_groups: times(count, () => ({ label: plain('A'), options: [option(1)] })),
      }),
  ],
  'options that an app answers with': [
    100,
    '/options',
    (count) => checkOptionsAnswer({ options: times(count, option) }),
  ],
};

suite('A list is refused when it is too long', () => {
  for (const [name, [limit, pointer, put]] of Object.entries(lists)) {
    test(`${name}: up to ${limit}`, () => {
      assert.deepEqual(put(limit), []);
      assert.deepEqual(put(limit + 1), [
        `[ERROR] no more than ${limit} items allowed [json-pointer:${pointer}]`,
      ]);
    });
  }

  test('any number of blocks within the limits is fine in a message', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), (count) => {
        const refusal = checkMessage({ blocks: times(count, () => divider) });
        assert.equal(refusal?.error, count <= 50 ? undefined : 'invalid_blocks');
      }),
    );
  });
});

suite('A list that must not be empty', () => {
  const mayBeEmpty = /^blocks of|answers with$|^settings/;

  for (const [name, [, pointer, put]] of Object.entries(lists)) {
    if (mayBeEmpty.test(name)) {
      continue;
    }
    // A data table is none without a row below its titles.
    const min = name === 'rows of a data table' ? 2 : 1;
    test(name, () =>
      assert.deepEqual(put(0), [`[ERROR] must provide at least ${min} items [json-pointer:${pointer}]`]),
    );
  }
});
