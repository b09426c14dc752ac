/** For each element with a state: its initial properties, and its initial and empty state. */

import assert from 'node:assert/strict';
import type { JsonObject } from '../../../lib/json.ts';
import { type Input, inputsOf } from '../../../slack/block-kit/state.ts';
import { input, option } from './examples.ts';

const rich = { type: 'rich_text', elements: [] };

export const states: [type: string, start: JsonObject, filled: JsonObject, empty: JsonObject][] = [
  ['plain_text_input', { initial_value: 'Hi' }, { value: 'Hi' }, { value: null }],
  ['number_input', { initial_value: '3' }, { value: '3' }, { value: null }],
  ['email_text_input', { initial_value: 'a@b.ng' }, { value: 'a@b.ng' }, { value: null }],
  ['url_text_input', { initial_value: 'https://b.ng' }, { value: 'https://b.ng' }, { value: null }],
  ['rich_text_input', { initial_value: rich }, { rich_text_value: rich }, { rich_text_value: null }],
  ['datepicker', { initial_date: '2027-01-31' }, { selected_date: '2027-01-31' }, { selected_date: null }],
  ['timepicker', { initial_time: '08:00' }, { selected_time: '08:00' }, { selected_time: null }],
  [
    'datetimepicker',
    { initial_date_time: 1_800_000_000 },
    { selected_date_time: 1_800_000_000 },
    { selected_date_time: null },
  ],
  ['radio_buttons', { initial_option: option(1) }, { selected_option: option(1) }, { selected_option: null }],
  ['static_select', { initial_option: option(1) }, { selected_option: option(1) }, { selected_option: null }],
  [
    'external_select',
    { initial_option: option(1) },
    { selected_option: option(1) },
    { selected_option: null },
  ],
  ['users_select', { initial_user: 'U0ADA' }, { selected_user: 'U0ADA' }, { selected_user: null }],
  [
    'channels_select',
    { initial_channel: 'C0HELP' },
    { selected_channel: 'C0HELP' },
    { selected_channel: null },
  ],
  [
    'conversations_select',
    { initial_conversation: 'C0HELP' },
    { selected_conversation: 'C0HELP' },
    { selected_conversation: null },
  ],
  [
    'checkboxes',
    { initial_options: [option(2)] },
    { selected_options: [option(2)] },
    { selected_options: [] },
  ],
  [
    'multi_static_select',
    { initial_options: [option(2)] },
    { selected_options: [option(2)] },
    { selected_options: [] },
  ],
  [
    'multi_external_select',
    { initial_options: [option(2)] },
    { selected_options: [option(2)] },
    { selected_options: [] },
  ],
  ['multi_users_select', { initial_users: ['U0ADA'] }, { selected_users: ['U0ADA'] }, { selected_users: [] }],
  [
    'multi_channels_select',
    { initial_channels: ['C0HELP'] },
    { selected_channels: ['C0HELP'] },
    { selected_channels: [] },
  ],
  [
    'multi_conversations_select',
    { initial_conversations: ['C0HELP'] },
    { selected_conversations: ['C0HELP'] },
    { selected_conversations: [] },
  ],
  ['file_input', {}, { files: [] }, { files: [] }],
];

/** Returns the element as an input of a modal. */
export function only(element: JsonObject, more: JsonObject = {}): Input {
  const [found, ...others] = inputsOf({ blocks: [input(element, more)] });
  assert.ok(found);
  assert.deepEqual(others, []);
  return found;
}
