import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { JsonObject } from '../../../lib/json.ts';
import { checkMessage, checkOptionsAnswer, validateView } from '../../../slack/block-kit/surfaces.ts';
import {
  actions,
  button,
  home,
  input,
  modal,
  mrkdwn,
  option,
  plain,
  section,
  select,
  textField,
} from './examples.ts';

const confirm = {
  title: plain('Send it?'),
  text: mrkdwn('This costs *4* units.'),
  confirm: plain('Send'),
  deny: plain('Not yet'),
  style: 'danger',
};
const groups = [
  { label: plain('Active'), options: [option(1)] },
  { label: plain('Pending'), options: [option(2)] },
];
const conversations = { filter: { include: ['public', 'private'], exclude_bot_users: true } };

/** One element of each kind that a person fills in or picks, with all that it may have. */
const askable: Record<string, JsonObject> = {
  'a text field': textField({
    initial_value: 'Hello',
    multiline: true,
    min_length: 1,
    max_length: 700,
    placeholder: plain('Your message'),
    focus_on_load: true,
    dispatch_action_config: { trigger_actions_on: ['on_character_entered', 'on_enter_pressed'] },
  }),
  'a number field': {
    type: 'number_input',
    is_decimal_allowed: false,
    min_value: '1',
    max_value: '10',
    initial_value: '3',
  },
  'an email field': {
    type: 'email_text_input',
    initial_value: 'ada@example.com',
    placeholder: plain('Address'),
  },
  'a URL field': { type: 'url_text_input', initial_value: 'https://example.com/a.png' },
  'a rich text field': {
    type: 'rich_text_input',
    initial_value: {
      type: 'rich_text',
      elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'Hello' }] }],
    },
  },
  checkboxes: {
    type: 'checkboxes',
    options: [
      { text: mrkdwn('*Show numbers*'), value: 'show', description: mrkdwn('in the channel') },
      option(2),
    ],
    initial_options: [option(2)],
  },
  'radio buttons': {
    type: 'radio_buttons',
    options: [option(1), option(2)],
    initial_option: option(1),
    confirm,
  },
  'a date': { type: 'datepicker', initial_date: '2027-02-28', placeholder: plain('When') },
  'a time': { type: 'timepicker', initial_time: '23:59', timezone: 'Africa/Lagos' },
  'a date with a time': { type: 'datetimepicker', initial_date_time: 1_800_000_000 },
  'a menu': select({ initial_option: option(2), confirm, placeholder: plain('Sender ID') }),
  'a menu in groups': { type: 'static_select', option_groups: groups, initial_option: option(2) },
  'a searched menu': { type: 'external_select', min_query_length: 0, initial_option: option('any') },
  'a menu of people': { type: 'users_select', initial_user: 'U0ADA' },
  'a menu of channels': { type: 'channels_select', initial_channel: 'C0HELP' },
  'a menu of conversations': {
    type: 'conversations_select',
    default_to_current_conversation: true,
    ...conversations,
  },
  'a menu of several': {
    type: 'multi_static_select',
    options: [option(1)],
    initial_options: [option(1)],
    max_selected_items: 2,
  },
  'a searched menu of several': {
    type: 'multi_external_select',
    initial_options: [option(1)],
    min_query_length: 2,
  },
  'a menu of several people': { type: 'multi_users_select', initial_users: ['U0ADA', 'U0GRACE'] },
  'a menu of several channels': { type: 'multi_channels_select', initial_channels: ['C0HELP'] },
  'a menu of several conversations': {
    type: 'multi_conversations_select',
    initial_conversations: ['C0HELP'],
    ...conversations,
  },
};

const shown: Record<string, JsonObject> = {
  'a section of text': section({ expand: true }),
  'a section of fields': { type: 'section', fields: [mrkdwn('*Route*'), plain('dnd')] },
  'a section with a button': section({
    accessory: button({
      action_id: 'resend',
      value: '17',
      style: 'primary',
      confirm,
      accessibility_label: 'Send again',
    }),
  }),
  'a section with a picture': section({
    accessory: { type: 'image', image_url: 'https://example.com/qr.png', alt_text: 'A QR code' },
  }),
  'a section with more to do': section({
    accessory: {
      type: 'overflow',
      action_id: 'more',
      options: [{ ...option(1), url: 'https://example.com' }, option(2)],
    },
  }),
  'a line': { type: 'divider', block_id: 'line' },
  'a heading': { type: 'header', text: { type: 'plain_text', text: 'DND check', emoji: true } },
  'a context': {
    type: 'context',
    elements: [
      { type: 'mrkdwn', text: 'Checked just now', verbatim: true },
      plain('by Ada'),
      { type: 'image', slack_file: { id: 'F0QR' }, alt_text: 'A QR code' },
    ],
  },
  'an image by address': {
    type: 'image',
    image_url: 'https://example.com/a.png',
    alt_text: 'A QR code',
    title: plain('QR'),
  },
  'an image that lies in Slack': {
    type: 'image',
    slack_file: { url: 'https://files.example.com/F0QR' },
    alt_text: 'A QR code',
  },
  'a row of buttons': actions(
    button({ action_id: 'send' }),
    button({ action_id: 'edit', url: 'https://example.com' }),
  ),
  'rich text': {
    type: 'rich_text',
    elements: [
      {
        type: 'rich_text_section',
        elements: [
          { type: 'text', text: 'Sent by ', style: { bold: true } },
          { type: 'user', user_id: 'U0ADA' },
          { type: 'emoji', name: 'tada' },
          { type: 'link', url: 'https://example.com', text: 'here' },
          { type: 'channel', channel_id: 'C0HELP' },
          { type: 'usergroup', usergroup_id: 'S0AGENTS' },
          { type: 'team', team_id: 'T0TEAM' },
          { type: 'broadcast', range: 'here' },
          { type: 'color', value: '#439FE0' },
          { type: 'date', timestamp: 1_800_000_000, format: '{date_short}', fallback: 'then' },
        ],
      },
      {
        type: 'rich_text_list',
        style: 'bullet',
        indent: 1,
        elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'one' }] }],
      },
      { type: 'rich_text_quote', elements: [{ type: 'text', text: 'quoted' }] },
      { type: 'rich_text_preformatted', border: 1, elements: [{ type: 'text', text: '{"a":1}' }] },
    ],
  },
};

const table: JsonObject = {
  type: 'table',
  rows: [
    [
      { type: 'raw_text', text: 'Network' },
      { type: 'raw_text', text: 'Numbers' },
    ],
    [
      {
        type: 'rich_text',
        elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'MTN' }] }],
      },
      { type: 'raw_number', value: 12, text: '12' },
    ],
  ],
  column_settings: [{ is_wrapped: true }, { align: 'right' }],
};

const dataTable: JsonObject = {
  type: 'data_table',
  caption: 'Numbers by network',
  rows: table.rows ?? [],
  page_size: 1,
  row_header_column_index: 0,
};

const chart: JsonObject = {
  type: 'data_visualization',
  title: 'Numbers by network',
  chart: { type: 'pie', segments: [{ label: 'MTN', value: 12 }] },
};

suite('Slack takes', () => {
  for (const [name, element] of Object.entries(askable)) {
    test(`${name} in a modal, in Home and in a message`, () => {
      const block = input(element, { hint: plain('One a line'), optional: true, dispatch_action: true });
      assert.deepEqual(validateView(modal([block])), []);
      assert.deepEqual(validateView(home([block])), []);
      assert.equal(checkMessage({ blocks: [block] }), undefined);
    });
  }

  for (const [name, block] of Object.entries(shown)) {
    test(`${name} on every surface`, () => {
      assert.deepEqual(validateView(modal([block])), []);
      assert.deepEqual(validateView(home([block])), []);
      assert.equal(checkMessage({ blocks: [block] }), undefined);
    });
  }

  test('an alert and a file field in a modal', () => {
    const files = input({ type: 'file_input', action_id: 'file', filetypes: ['csv'], max_files: 1 });
    const alert = { type: 'alert', text: mrkdwn('Quiet hours end at *08:00*.'), level: 'warning' };
    assert.deepEqual(validateView(modal([files, alert])), []);
  });

  test('a select of a modal with response_url_enabled', () => {
    for (const type of ['conversations_select', 'channels_select']) {
      assert.deepEqual(validateView(modal([input({ type, response_url_enabled: true })])), []);
    }
  });

  test('a data table in a message and in Home', () => {
    assert.equal(checkMessage({ blocks: [dataTable, chart, chart] }), undefined);
    assert.deepEqual(validateView(home([dataTable])), []);
  });

  test('a table and markdown in a message', () => {
    assert.equal(checkMessage({ blocks: [table, { type: 'markdown', text: '**Done**' }] }), undefined);
  });

  test('a modal with every property', () => {
    const more = {
      close: plain('Cancel'),
      private_metadata: '{}',
      callback_id: 'send',
      external_id: 'send-17',
      clear_on_close: true,
      notify_on_close: false,
    };
    assert.deepEqual(validateView(modal([section()], more)), []);
  });

  test('a modal without submit and without inputs', () => {
    assert.deepEqual(validateView({ type: 'modal', title: plain('Loading'), blocks: [section()] }), []);
  });

  test('the same action_id in two blocks', () => {
    const block = actions(button({ action_id: 'send' }));
    assert.equal(checkMessage({ blocks: [block, block] }), undefined);
  });

  test('an undefined property, which JSON does not carry', () => {
    assert.deepEqual(validateView({ ...modal([section()]), close: undefined, colour: undefined }), []);
  });

  test('a message of text, of blocks, or of attachments alone', () => {
    assert.equal(checkMessage({ text: 'Sent.' }), undefined);
    assert.equal(checkMessage({ text: '', blocks: [section()] }), undefined);
    assert.equal(checkMessage({ attachments: [{ color: '#439FE0', blocks: [section()] }] }), undefined);
  });

  test('options, options in groups, and no options at all, for a searched menu', () => {
    assert.deepEqual(checkOptionsAnswer({ options: [option(1)] }), []);
    assert.deepEqual(checkOptionsAnswer({ option_groups: groups }), []);
    assert.deepEqual(checkOptionsAnswer({ options: [] }), []);
  });
});
