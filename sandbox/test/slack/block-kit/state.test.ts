import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { checkViewErrors, initialState, inputsOf } from '../../../slack/block-kit/state.ts';
import { actions, button, input, modal, option, section, select, textField } from './examples.ts';
import { only, states } from './states.ts';

const boxes = { type: 'checkboxes', options: [option(1), option(2)] };

suite('What a person fills in', () => {
  for (const [type, start, filled, empty] of states) {
    test(`has the initial and the empty state of ${type}`, () => {
      assert.deepEqual(only({ type, ...start }).initial, { type, ...filled });
      assert.deepEqual(only({ type }).initial, { type, ...empty });
    });
  }

  test('is found in inputs, sections and actions, in order', () => {
    const blocks = [
      section({ block_id: 'route', accessory: select() }),
      {
        ...actions(
          button({ action_id: 'send' }),
          { ...boxes, action_id: 'show' },
          textField({ action_id: 'x' }),
        ),
        block_id: 'row',
      },
      input(textField(), { optional: true }),
      { type: 'image', block_id: 'picture' },
    ];
    const found = inputsOf({ blocks }).map(({ blockId, actionId, type }) => [blockId, actionId, type]);
    assert.deepEqual(found, [
      ['route', 'picked', 'static_select'],
      ['row', 'show', 'checkboxes'],
      ['row', 'x', 'plain_text_input'],
      ['asked', 'typed', 'plain_text_input'],
    ]);
  });

  test('dispatches outside an input block, and inside one with dispatch_action', () => {
    const inSection = inputsOf({ blocks: [section({ accessory: select() })] })[0];
    assert.equal(inSection?.dispatches, true);
    assert.equal(inSection?.inInputBlock, false);
    assert.equal(inSection?.optional, true);
    assert.equal(only(select()).dispatches, false);
    assert.equal(only(select(), { dispatch_action: true }).dispatches, true);
  });

  test('has its label and element', () => {
    const asked = only(textField({ max_length: 5 }));
    assert.equal(asked.label, 'Recipients');
    assert.equal(asked.optional, false);
    assert.equal(asked.element.max_length, 5);
  });

  test('is absent for buttons and images', () => {
    assert.deepEqual(inputsOf({ blocks: [actions(button()), section({ accessory: button() })] }), []);
    assert.deepEqual(initialState(button()), { type: 'button' });
  });
});

suite('The errors an app answers a submission with', () => {
  const view = modal([input(textField()), section({ block_id: 'shown', accessory: select() })]);

  test('are shown beside the inputs that they name', () => {
    assert.deepEqual(checkViewErrors({ asked: 'This is no number.' }, view), []);
  });

  test('are refused for anything but an input block', () => {
    for (const blockId of ['shown', 'typed', 'nowhere', '__proto__']) {
      assert.deepEqual(checkViewErrors({ asked: 'Wrong.', [blockId]: 'Wrong.' }, view), [
        `errors: "${blockId}" is not the block_id of an input block`,
      ]);
    }
  });

  test('are refused without a text', () => {
    for (const nothing of ['', null, 7, ['Wrong.']]) {
      assert.deepEqual(checkViewErrors({ asked: nothing }, view), [
        'errors: "asked" must have words to show',
      ]);
    }
    assert.deepEqual(checkViewErrors({}, view), ['errors must name at least one input block']);
    for (const nothing of [undefined, null, 'Wrong.', []]) {
      assert.deepEqual(checkViewErrors(nothing, view), ['errors must be an object of words by block_id']);
    }
  });
});
