import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { JsonObject } from '../../../lib/json.ts';
import { checkMessage, validateView } from '../../../slack/block-kit/surfaces.ts';
import {
  actions,
  button,
  home,
  input,
  mrkdwn,
  option,
  plain,
  section,
  select,
  textField,
} from './examples.ts';
import { inBlock, ofBlock, ofElement, words } from './place-checks.ts';

suite('An element is refused', () => {
  const notHere: Record<string, [block: JsonObject, pointer: string]> = {
    'a text field in actions': [actions(textField()), '/elements/0/type'],
    'an image in actions': [
      actions({ type: 'image', image_url: 'https://example.com', alt_text: 'x' }),
      '/elements/0/type',
    ],
    'a button in an input': [input(button()), '/element/type'],
    'a text field beside a section': [section({ accessory: textField() }), '/accessory/type'],
    'a button in a context': [{ type: 'context', elements: [button()] }, '/elements/0/type'],
    'an element of an unknown kind': [actions({ type: 'slider' }), '/elements/0/type'],
  };
  for (const [name, [block, pointer]] of Object.entries(notHere)) {
    test(`where it is not allowed: ${name}`, () => {
      const [message, ...more] = ofBlock(block);
      assert.match(message ?? '', /^unsupported type: /);
      assert.ok(message?.endsWith(inBlock(pointer)), message);
      assert.deepEqual(more, []);
    });
  }

  test('when a file input is outside a modal', () => {
    const files = input({ type: 'file_input' });
    const wanted = `unsupported type: file_input [json-pointer:/view/blocks/0/element/type]`;
    assert.deepEqual(words(validateView(home([files]))), [wanted]);
    assert.equal(checkMessage({ blocks: [files] })?.error, 'invalid_blocks');
  });

  test('when response_url_enabled is outside an input of a modal', () => {
    const menu = { type: 'conversations_select', response_url_enabled: true };
    const wanted = 'invalid additional property: response_url_enabled';
    assert.deepEqual(ofBlock(actions(menu)), [`${wanted} ${inBlock('/elements/0')}`]);
    assert.deepEqual(words(validateView(home([input(menu)]))), [`${wanted} ${inBlock('/element')}`]);
  });

  test('when a button is of another colour', () => {
    const style = inBlock('/elements/0/style');
    assert.deepEqual(ofBlock(actions(button({ style: 'warning' }))), [`must be a valid enum value ${style}`]);
    assert.deepEqual(ofBlock(actions(button({ style: null }))), [`must provide a string ${style}`]);
  });

  test('when a menu has no options, or both kinds', () => {
    assert.deepEqual(ofElement({ type: 'static_select' }), [
      `missing required field: options ${inBlock('/element')}`,
    ]);
    const groups = [{ label: plain('A'), options: [option(1)] }];
    assert.deepEqual(ofElement(select({ option_groups: groups })), [
      `must define either \`options\` or \`option_groups\` ${inBlock('/element')}`,
    ]);
  });

  test('when a menu shows formatted options', () => {
    assert.deepEqual(ofElement(select({ options: [{ ...option(1), text: mrkdwn('*x*') }] })), [
      `must be a valid enum value ${inBlock('/element/options/0/text/type')}`,
    ]);
  });

  test('when an option has no value, or an address outside an overflow menu', () => {
    assert.deepEqual(ofElement(select({ options: [{ text: plain('x') }] })), [
      `missing required field: value ${inBlock('/element/options/0')}`,
    ]);
    assert.deepEqual(ofElement(select({ options: [{ ...option(1), url: 'https://example.com' }] })), [
      `invalid additional property: url ${inBlock('/element/options/0')}`,
    ]);
  });

  test('when an initial option is not offered', () => {
    const refused = (name: string) => [`must be one of the provided options ${inBlock(`/element/${name}`)}`];
    const relabelled = { ...option(1), text: plain('Another') };
    assert.deepEqual(ofElement(select({ initial_option: option(3) })), refused('initial_option'));
    assert.deepEqual(ofElement(select({ initial_option: relabelled })), refused('initial_option'));
    assert.deepEqual(
      ofElement({ type: 'radio_buttons', options: [option(1)], initial_option: option(2) }),
      refused('initial_option'),
    );
    for (const type of ['checkboxes', 'multi_static_select']) {
      const boxes = { type, options: [option(1), option(2)] };
      assert.deepEqual(
        ofElement({ ...boxes, initial_options: [option(1), option(3)] }),
        refused('initial_options'),
      );
      assert.deepEqual(ofElement({ ...boxes, initial_options: [] }), refused('initial_options'));
    }
  });

  test('when an initial option is null', () => {
    assert.deepEqual(ofElement(select({ initial_option: null })), [
      `must provide an object ${inBlock('/element/initial_option')}`,
    ]);
  });

  test('when a date or a time does not match its pattern', () => {
    for (const date of ['2027-01-01', '2027-09-30', '2027-10-09', '2027-12-31', '2027-02-20']) {
      assert.deepEqual(ofElement({ type: 'datepicker', initial_date: date }), []);
    }
    for (const date of [
      '2027-00-10',
      '2027-01-00',
      '2027-2-3',
      '28/02/2027',
      '2027-13-01',
      '2027-01-32',
      '',
    ]) {
      assert.match(
        ofElement({ type: 'datepicker', initial_date: date }).join(),
        /^input must match regex pattern: /,
      );
    }
    for (const time of ['9:00', '24:00', '12:60', '12:00:00']) {
      assert.match(
        ofElement({ type: 'timepicker', initial_time: time }).join(),
        /^input must match regex pattern: /,
      );
    }
  });

  test('when its limits contradict each other', () => {
    assert.deepEqual(ofElement(textField({ min_length: 8, max_length: 8 })), []);
    assert.deepEqual(ofElement(textField({ min_length: 9, max_length: 8 })), [
      `\`min_length\` must not be greater than \`max_length\` ${inBlock('/element')}`,
    ]);
    assert.deepEqual(
      ofElement({ type: 'number_input', is_decimal_allowed: true, min_value: '10', max_value: '9.5' }),
      [`\`min_value\` must not be greater than \`max_value\` ${inBlock('/element')}`],
    );
  });

  test('when a number input has numbers as limits, or lacks is_decimal_allowed', () => {
    assert.deepEqual(ofElement({ type: 'number_input', min_value: 1 }), [
      `missing required field: is_decimal_allowed ${inBlock('/element')}`,
      `must provide a string ${inBlock('/element/min_value')}`,
    ]);
  });

  test('when a filter or a confirmation is invalid', () => {
    assert.deepEqual(ofElement({ type: 'conversations_select', filter: { include: ['dm'] } }), [
      `must be a valid enum value ${inBlock('/element/filter/include/0')}`,
    ]);
    assert.deepEqual(ofBlock(actions(button({ confirm: { title: plain('Sure?') } }))), [
      `missing required field: text ${inBlock('/elements/0/confirm')}`,
    ]);
  });
});
