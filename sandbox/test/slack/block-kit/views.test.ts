import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { validateView } from '../../../slack/block-kit/surfaces.ts';
import { actions, button, home, input, modal, mrkdwn, plain, section, textField } from './examples.ts';
import { words } from './place-checks.ts';

suite('A view is refused', () => {
  test('when it is not an object', () => {
    for (const view of [null, 'modal', 7, [], true]) {
      assert.deepEqual(words(validateView(view)), ['must provide an object [json-pointer:/view]']);
    }
  });

  test('when it lacks its fields', () => {
    assert.deepEqual(words(validateView({})), [
      'missing required field: title [json-pointer:/view]',
      'missing required field: blocks [json-pointer:/view]',
      'missing required field: type [json-pointer:/view]',
    ]);
    assert.deepEqual(words(validateView({ type: 'home' })), [
      'missing required field: blocks [json-pointer:/view]',
    ]);
  });

  test('when its type is unknown', () => {
    assert.deepEqual(words(validateView({ ...modal([]), type: 'dialog' })), [
      'unsupported type: dialog [json-pointer:/view/type]',
    ]);
    assert.deepEqual(words(validateView({ ...modal([]), type: 'constructor' })), [
      'unsupported type: constructor [json-pointer:/view/type]',
    ]);
    assert.deepEqual(words(validateView({ ...modal([]), type: 1 })), [
      'must provide a string [json-pointer:/view/type]',
    ]);
  });

  test('when it has an unknown property', () => {
    assert.deepEqual(words(validateView(modal([], { colour: 'red' }))), [
      'invalid additional property: colour [json-pointer:/view]',
    ]);
    assert.deepEqual(words(validateView(home([], { title: plain('Home') }))), [
      'invalid additional property: title [json-pointer:/view]',
    ]);
  });

  test('when its title is formatted', () => {
    assert.deepEqual(words(validateView(modal([], { title: mrkdwn('*Send*') }))), [
      'must be a valid enum value [json-pointer:/view/title/type]',
    ]);
  });

  test('when its properties have the wrong type', () => {
    assert.deepEqual(
      words(validateView(modal([], { blocks: {}, submit: 'Send', private_metadata: 1, clear_on_close: 1 }))),
      [
        'must provide an array [json-pointer:/view/blocks]',
        'must provide a string [json-pointer:/view/private_metadata]',
        'must provide an object [json-pointer:/view/submit]',
        'must be a boolean [json-pointer:/view/clear_on_close]',
      ],
    );
  });

  test('when a modal with an input has no submit', () => {
    const view = { type: 'modal', title: plain('Send SMS'), blocks: [section(), input(textField())] };
    assert.deepEqual(validateView(view), [
      '[ERROR] must define `submit` to use `input` block [json-pointer:/view/blocks/1/input]',
    ]);
    assert.deepEqual(validateView(home([input(textField())])), []);
  });

  test('when a block_id comes twice', () => {
    const blocks = [section({ block_id: 'a' }), section({ block_id: 'b' }), section({ block_id: 'a' })];
    assert.deepEqual(words(validateView(home(blocks))), [
      '`block_id` "a" already exists [json-pointer:/view/blocks/2/block_id]',
    ]);
    assert.deepEqual(
      validateView(home([section({ block_id: '' }), section({ block_id: '' }), section()])),
      [],
    );
  });

  test('when an action_id comes twice in a block', () => {
    const twice = actions(button({ action_id: 'send' }), button(), button({ action_id: 'send' }));
    assert.deepEqual(words(validateView(home([section(), twice]))), [
      '`action_id` "send" already exists [json-pointer:/view/blocks/1/elements/2/action_id]',
    ]);
  });

  test('when two elements set focus_on_load', () => {
    const focused = (action_id: string) => ({
      ...input(textField({ action_id, focus_on_load: true })),
      block_id: action_id,
    });
    assert.deepEqual(validateView(modal([focused('one'), input(textField({ focus_on_load: false }))])), []);
    assert.deepEqual(words(validateView(modal([focused('one'), focused('two')]))), [
      'only one element can set `focus_on_load` to true [json-pointer:/view/blocks/1/element/focus_on_load]',
    ]);
  });

  test('for every fault at once', () => {
    const blocks = [{ type: 'banner' }, section({ text: mrkdwn('') }), input(textField({ max_length: '7' }))];
    assert.deepEqual(words(validateView(modal(blocks, { title: plain('') }))), [
      'must be more than 0 characters [json-pointer:/view/title/text]',
      'unsupported type: banner [json-pointer:/view/blocks/0/type]',
      'must be more than 0 characters [json-pointer:/view/blocks/1/text/text]',
      'must provide an integer [json-pointer:/view/blocks/2/element/max_length]',
    ]);
  });
});
