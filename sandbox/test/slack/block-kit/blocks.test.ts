import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Json } from '../../../lib/json.ts';
import { checkMessage, validateView } from '../../../slack/block-kit/surfaces.ts';
import { home, mrkdwn, plain, section } from './examples.ts';
import { inBlock, ofBlock, words } from './place-checks.ts';

suite('A block is refused', () => {
  test('when its type is missing or unknown', () => {
    assert.deepEqual(ofBlock({ text: plain('x') }), [`missing required field: type ${inBlock('')}`]);
    assert.deepEqual(ofBlock({ type: 'sections' }), [`unsupported type: sections ${inBlock('/type')}`]);
    assert.deepEqual(ofBlock('divider'), [`must provide an object ${inBlock('')}`]);
  });

  test('when it has a property of another block', () => {
    assert.deepEqual(ofBlock({ type: 'divider', text: plain('x') }), [
      `invalid additional property: text ${inBlock('')}`,
    ]);
  });

  test('when a section has neither text nor fields', () => {
    assert.deepEqual(ofBlock({ type: 'section' }), [
      `must define either \`text\` or \`fields\` ${inBlock('')}`,
    ]);
  });

  test('when a header is formatted', () => {
    assert.deepEqual(ofBlock({ type: 'header', text: mrkdwn('*DND*') }), [
      `must be a valid enum value ${inBlock('/text/type')}`,
    ]);
  });

  test('when a text has an unknown type', () => {
    assert.deepEqual(ofBlock(section({ text: { type: 'markdown', text: 'x' } })), [
      `unsupported type: markdown ${inBlock('/text/type')}`,
    ]);
    assert.deepEqual(ofBlock(section({ text: 'x' })), [`must provide an object ${inBlock('/text')}`]);
    assert.deepEqual(ofBlock(section({ text: { type: 'mrkdwn' } })), [
      `missing required field: text ${inBlock('/text')}`,
    ]);
  });

  test('when emoji is set of mrkdwn, or verbatim of plain text', () => {
    assert.deepEqual(ofBlock(section({ text: { ...mrkdwn('x'), emoji: true } })), [
      `invalid additional property: emoji ${inBlock('/text')}`,
    ]);
    assert.deepEqual(ofBlock(section({ text: { ...plain('x'), verbatim: true } })), [
      `invalid additional property: verbatim ${inBlock('/text')}`,
    ]);
  });

  test('when an image has no picture, or two', () => {
    const image = { type: 'image', alt_text: 'QR' };
    assert.deepEqual(ofBlock(image), [`missing required field: image_url ${inBlock('')}`]);
    assert.deepEqual(ofBlock({ ...image, image_url: 'https://example.com', slack_file: { id: 'F0QR' } }), [
      `must define either \`image_url\` or \`slack_file\` ${inBlock('')}`,
    ]);
    assert.deepEqual(ofBlock({ ...image, slack_file: { id: 'F0QR', url: 'https://example.com' } }), [
      `must define either \`id\` or \`url\` ${inBlock('/slack_file')}`,
    ]);
    assert.deepEqual(ofBlock({ ...image, image_url: 'qr.png' }), [
      `must be a valid URL ${inBlock('/image_url')}`,
    ]);
    assert.deepEqual(ofBlock({ type: 'image', image_url: 'https://example.com' }), [
      `missing required field: alt_text ${inBlock('')}`,
    ]);
  });

  test('when an input has no label or no element', () => {
    assert.deepEqual(ofBlock({ type: 'input' }), [
      `missing required field: label ${inBlock('')}`,
      `missing required field: element ${inBlock('')}`,
    ]);
  });

  test('on a surface that does not allow it', () => {
    const alert = { type: 'alert', text: plain('x') };
    const table = { type: 'table', rows: [[{ type: 'raw_text', text: 'x' }]] };
    const markdown = { type: 'markdown', text: 'x' };
    assert.deepEqual(words(validateView(home([alert]))), [`unsupported type: alert ${inBlock('/type')}`]);
    assert.equal(checkMessage({ blocks: [alert] })?.error, 'invalid_blocks');
    for (const block of [table, markdown]) {
      assert.deepEqual(ofBlock(block), [`unsupported type: ${block.type} ${inBlock('/type')}`]);
      assert.deepEqual(words(validateView(home([block]))), [
        `unsupported type: ${block.type} ${inBlock('/type')}`,
      ]);
    }
  });

  test('when a data table is in a modal, uneven, without a row or a caption, or of a type not known there', () => {
    const cell = { type: 'raw_text', text: 'x' };
    const table = { type: 'data_table', caption: 'x', rows: [[cell], [cell]] };
    assert.deepEqual(ofBlock(table), [`unsupported type: data_table ${inBlock('/type')}`]);
    const inMessage = (more: object) => checkMessage({ blocks: [{ ...table, ...more }] })?.messages;
    assert.equal(inMessage({}), undefined);
    assert.deepEqual(inMessage({ rows: [[cell], [cell, cell]] }), [
      '[ERROR] must have as many cells as the first row [json-pointer:/blocks/0/rows/1]',
    ]);
    assert.deepEqual(inMessage({ rows: [[cell]] }), [
      '[ERROR] must provide at least 2 items [json-pointer:/blocks/0/rows]',
    ]);
    assert.deepEqual(inMessage({ caption: '' }), [
      '[ERROR] must be more than 0 characters [json-pointer:/blocks/0/caption]',
    ]);
    const title = { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [] }] };
    assert.deepEqual(inMessage({ rows: [[title], [cell]] }), [
      '[ERROR] unsupported type: rich_text [json-pointer:/blocks/0/rows/0/0/type]',
    ]);
    assert.deepEqual(checkMessage({ blocks: [table] }, new Set(['data_table'])), {
      error: 'invalid_blocks',
      messages: ['[ERROR] unsupported type: data_table [json-pointer:/blocks/0/type]'],
    });
  });

  test('when a chart is in a modal, has no segments or one without a value, or is one of three', () => {
    const chart = (segments: Json[]) => ({
      type: 'data_visualization',
      title: 'x',
      chart: { type: 'pie', segments },
    });
    const one = chart([{ label: 'x', value: 1 }]);
    assert.deepEqual(ofBlock(one), [`unsupported type: data_visualization ${inBlock('/type')}`]);
    assert.deepEqual(checkMessage({ blocks: [chart([])] })?.messages, [
      '[ERROR] must provide at least 1 items [json-pointer:/blocks/0/chart/segments]',
    ]);
    assert.deepEqual(checkMessage({ blocks: [chart([{ label: 'x', value: 0 }])] })?.messages, [
      '[ERROR] must be greater than 0 [json-pointer:/blocks/0/chart/segments/0/value]',
    ]);
    assert.equal(checkMessage({ blocks: [one, one, one] })?.error, 'invalid_blocks');
  });

  test('when rich text contains an element that it does not allow', () => {
    const preformatted = { type: 'rich_text_preformatted', elements: [{ type: 'emoji', name: 'tada' }] };
    assert.deepEqual(ofBlock({ type: 'rich_text', elements: [preformatted] }), [
      `unsupported type: emoji ${inBlock('/elements/0/elements/0/type')}`,
    ]);
  });
});
