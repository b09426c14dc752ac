import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { checkMessage, checkOptionsAnswer } from '../../../slack/block-kit/surfaces.ts';
import { actions, button, mrkdwn, option, plain, section } from './examples.ts';
import { words } from './place-checks.ts';

suite('A message is refused', () => {
  test('when it is empty', () => {
    for (const message of [
      {},
      { text: '' },
      { blocks: [] },
      { text: '', blocks: [], attachments: [] },
      { text: null },
    ]) {
      assert.deepEqual(checkMessage(message), { error: 'no_text', messages: [] });
    }
  });

  test('when its text is not a string', () => {
    assert.deepEqual(checkMessage({ text: 7 }), {
      error: 'invalid_arguments',
      messages: ['[ERROR] must provide a string [json-pointer:/text]'],
    });
  });

  test('when its blocks are not an array', () => {
    assert.deepEqual(checkMessage({ blocks: '[]' }), { error: 'invalid_blocks_format', messages: [] });
  });

  test('when one of its blocks is wrong, with a pointer to the fault', () => {
    assert.deepEqual(checkMessage({ text: 'Sent', blocks: [section(), section({ text: mrkdwn('') })] }), {
      error: 'invalid_blocks',
      messages: ['[ERROR] must be more than 0 characters [json-pointer:/blocks/1/text/text]'],
    });
  });

  test('when an action_id or a block_id comes twice', () => {
    const twice = actions(button({ action_id: 'x' }), button({ action_id: 'x' }));
    assert.deepEqual(checkMessage({ blocks: [twice] }), {
      error: 'invalid_blocks',
      messages: ['[ERROR] `action_id` "x" already exists [json-pointer:/blocks/0/elements/1/action_id]'],
    });
    assert.deepEqual(checkMessage({ blocks: [section({ block_id: 'a' }), section({ block_id: 'a' })] }), {
      error: 'invalid_blocks',
      messages: ['[ERROR] `block_id` "a" already exists [json-pointer:/blocks/1/block_id]'],
    });
  });

  test('when it has two tables', () => {
    const table = { type: 'table', rows: [[{ type: 'raw_text', text: 'x' }]] };
    assert.deepEqual(checkMessage({ blocks: [table, table] }), {
      error: 'invalid_attachments',
      messages: ['[ERROR] only_one_table_allowed [json-pointer:/blocks]'],
    });
  });

  test('when the blocks of an attachment are wrong', () => {
    assert.deepEqual(checkMessage({ attachments: [{ text: 'x' }, { blocks: [{ type: 'alert' }] }] }), {
      error: 'invalid_attachments',
      messages: ['[ERROR] unsupported type: alert [json-pointer:/attachments/1/blocks/0/type]'],
    });
    assert.equal(checkMessage({ attachments: ['x'] })?.error, 'invalid_attachments');
    assert.equal(checkMessage({ attachments: {} })?.error, 'invalid_attachments');
  });
});

suite('An answer to an options request is refused', () => {
  test('when it has no options that Slack can read', () => {
    assert.deepEqual(words(checkOptionsAnswer({})), ['missing required field: options [json-pointer:]']);
    assert.deepEqual(words(checkOptionsAnswer(null)), ['must provide an object [json-pointer:]']);
    assert.deepEqual(words(checkOptionsAnswer([option(1)])), ['must provide an object [json-pointer:]']);
    assert.deepEqual(words(checkOptionsAnswer({ options: [{ text: 'NG' }] })), [
      'missing required field: value [json-pointer:/options/0]',
      'must provide an object [json-pointer:/options/0/text]',
    ]);
  });

  test('when it has both options and groups', () => {
    const groups = [{ label: plain('A'), options: [option(1)] }];
    assert.deepEqual(words(checkOptionsAnswer({ options: [option(1)], option_groups: groups })), [
      'must define either `options` or `option_groups` [json-pointer:]',
    ]);
  });
});
