import type { JsonObject } from '../../../lib/json.ts';
import type { OpenView, SandboxMessage, Snapshot } from '../../../slack/protocol.ts';

/** A workspace with every kind of block and element that the page draws. */

const plain = (text: string): JsonObject => ({ type: 'plain_text', text, emoji: true });
const mrkdwn = (text: string): JsonObject => ({ type: 'mrkdwn', text });
const option = (value: string, text: string, description?: string): JsonObject => ({
  text: plain(text),
  value,
  ...(description ? { description: plain(description) } : {}),
});
const button = (actionId: string, text: string, more: JsonObject = {}): JsonObject => ({
  type: 'button',
  action_id: actionId,
  text: plain(text),
  value: actionId,
  ...more,
});

/** A Monday morning in Lagos. */
export const now = Date.UTC(2026, 2, 2, 9, 30) / 1000;
const at = (minutesAgo: number, more = 0): string =>
  `${now - minutesAgo * 60}.${String(more).padStart(6, '0')}`;

const routes = [
  option('generic', 'Generic', 'Promotions; not to numbers on DND'),
  option('dnd', 'DND', 'Transactions; reaches numbers on DND'),
  option('chatapp', 'Chat app'),
  option('voice', 'Voice'),
];

const richText: JsonObject = {
  type: 'rich_text',
  block_id: 'rich',
  elements: [
    {
      type: 'rich_text_section',
      elements: [
        { type: 'text', text: 'Rich text with ' },
        { type: 'text', text: 'bold', style: { bold: true } },
        { type: 'text', text: ', ' },
        { type: 'text', text: 'code', style: { code: true } },
        { type: 'text', text: ', ' },
        { type: 'user', user_id: 'U0ADMIN' },
        { type: 'text', text: ' and ' },
        { type: 'channel', channel_id: 'C0SUPPORT' },
        { type: 'text', text: ' ' },
        { type: 'emoji', name: 'large_green_circle' },
      ],
    },
    {
      type: 'rich_text_list',
      style: 'bullet',
      elements: ['One', 'Two'].map((text) => ({
        type: 'rich_text_section',
        elements: [{ type: 'text', text }],
      })),
    },
    {
      type: 'rich_text_list',
      style: 'ordered',
      indent: 1,
      elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'Deeper' }] }],
    },
    { type: 'rich_text_quote', elements: [{ type: 'text', text: 'A quotation' }] },
    { type: 'rich_text_preformatted', elements: [{ type: 'text', text: 'LPA:1$smdp.example$ABC-123' }] },
  ],
};

const everyBlock: JsonObject[] = [
  { type: 'header', block_id: 'head', text: plain('Message to 3 numbers :incoming_envelope:') },
  {
    type: 'section',
    block_id: 'words',
    text: mrkdwn(
      '*Accepted* by the provider, _not yet delivered_. See <https://example.com/a?b=1&amp;c=2|the report>, ask <@U0ADMIN> in <#C0SUPPORT>.\n> Quoted: 3 &lt; 4 &amp; so on\n```{"code": "ok"}```',
    ),
    accessory: button('again', 'Details'),
  },
  {
    type: 'section',
    block_id: 'facts',
    fields: [
      mrkdwn('*Route*\nDND'),
      mrkdwn('*Sender ID*\n`PalmMarket`'),
      mrkdwn('*Pages*\n2 a number'),
      mrkdwn(`*Sent*\n<!date^${now - 300}^{date_short_pretty} at {time}|then>`),
    ],
  },
  { type: 'divider', block_id: 'line' },
  richText,
  {
    type: 'context',
    block_id: 'context',
    elements: [mrkdwn(':hourglass: Balance ₦24,990.00 · :large_yellow_circle: id `2031`')],
  },
  {
    type: 'actions',
    block_id: 'buttons',
    elements: [
      button('send', 'Send', { style: 'primary' }),
      button('edit', 'Edit'),
      button('cancel', 'Cancel', {
        style: 'danger',
        confirm: {
          title: plain('Cancel this?'),
          text: mrkdwn('Nothing was sent *yet*.'),
          confirm: plain('Yes, cancel'),
          deny: plain('Keep it'),
          style: 'danger',
        },
      }),
      {
        type: 'static_select',
        action_id: 'route',
        placeholder: plain('Choose a route'),
        options: routes,
      },
      { type: 'datepicker', action_id: 'day', initial_date: '2026-03-02' },
    ],
  },
];

const input = (blockId: string, label: string, element: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'input',
  block_id: blockId,
  label: plain(label),
  element: { action_id: 'value', ...element },
  ...more,
});

/** A modal with every input that the page draws. */
export const everyInput: JsonObject = {
  type: 'modal',
  title: plain('Every input'),
  submit: plain('Send'),
  close: plain('Cancel'),
  blocks: [
    input(
      'recipients',
      'Recipients',
      { type: 'plain_text_input', multiline: true, placeholder: plain('+234…, one or many') },
      { hint: plain('Up to 100 numbers, in any separators.') },
    ),
    input('name', 'Name', { type: 'plain_text_input', max_length: 20, initial_value: 'Seventeen letters' }),
    input('sender', 'Sender ID', {
      type: 'external_select',
      min_query_length: 0,
      placeholder: plain('Search, or type one'),
    }),
    input('route', 'Route', { type: 'static_select', options: routes, initial_option: routes[1] ?? null }),
    input('people', 'People', { type: 'multi_users_select', initial_users: ['U0ADMIN'] }),
    input('teams', 'User groups', {
      type: 'multi_external_select',
      min_query_length: 0,
      max_selected_items: 2,
    }),
    input('rooms', 'Channels', { type: 'multi_conversations_select' }),
    input('groups', 'Plan', {
      type: 'static_select',
      option_groups: [
        { label: plain('Africa'), options: [option('ng1', 'Nigeria 1 GB'), option('gh1', 'Ghana 1 GB')] },
        { label: plain('Europe'), options: [option('fr1', 'France 1 GB')] },
      ],
    }),
    input(
      'place',
      'Post the result in',
      {
        type: 'conversations_select',
        default_to_current_conversation: true,
        filter: { include: ['public', 'im'] },
      },
      { optional: true },
    ),
    input('kind', 'Kind', {
      type: 'radio_buttons',
      options: [option('text', 'Text'), option('media', 'Media', 'A picture or a document, with a caption')],
    }),
    input(
      'extras',
      'Extras',
      { type: 'checkboxes', options: [option('numbers', 'Show *numbers*'), option('confirm', 'Ask first')] },
      { optional: true },
    ),
    input('day', 'Day', { type: 'datepicker' }, { optional: true }),
    input('hour', 'Hour', { type: 'timepicker', initial_time: '21:05' }, { optional: true }),
    input(
      'file',
      'Numbers from a file',
      { type: 'file_input', filetypes: ['csv'], max_files: 1 },
      { optional: true },
    ),
    input(
      'live',
      'Message',
      {
        type: 'plain_text_input',
        multiline: true,
        dispatch_action_config: { trigger_actions_on: ['on_character_entered'] },
      },
      { dispatch_action: true },
    ),
  ],
};

const message = (
  minutesAgo: number,
  from: string,
  text: string,
  more: Partial<SandboxMessage> = {},
): SandboxMessage => ({
  ts: at(minutesAgo),
  channel: 'C0SUPPORT',
  from,
  text,
  blocks: [],
  ...more,
});

export function modal(view: JsonObject, more: Partial<OpenView> = {}): OpenView {
  return { id: 'V1', rootId: 'V1', type: 'modal', hash: '1', view, values: {}, errors: {}, ...more };
}

const person = (
  id: string,
  name: string,
  realName: string,
  role: Snapshot['me']['role'],
  timeZone: string,
) => ({
  id,
  name,
  realName,
  role,
  teamId: role === 'stranger' ? 'T0ELSE' : 'T0SWITCH',
  timeZone,
});

/** Returns a fresh copy, which a test may change. */
export function gallery(): Snapshot {
  const ada = person('U0AGENT', 'ada', 'Ada Obi', 'member', 'Africa/Lagos');
  const people = [
    ada,
    person('U0ADMIN', 'grace', 'Grace Bello', 'admin', 'Europe/London'),
    person('U0GUEST', 'guy', 'Guy Martin', 'guest', 'Europe/Paris'),
    person('U0STRANGER', 'sam', 'Sam Field', 'stranger', 'America/New_York'),
  ];
  const members = people.map(({ id }) => id);
  const start = at(2000);
  return structuredClone({
    team: { id: 'T0SWITCH', name: 'Sandbox' },
    me: ada,
    people,
    channels: [
      { id: 'C0SUPPORT', name: 'support', kind: 'public', archived: false, members, botIsMember: true },
      { id: 'C0CAMPAIGNS', name: 'campaigns', kind: 'private', archived: false, members, botIsMember: false },
      { id: 'C0OLD', name: 'old-news', kind: 'public', archived: true, members, botIsMember: true },
      { id: 'D0AGENT', name: '', kind: 'dm', archived: false, members: ['U0AGENT'], botIsMember: true },
    ],
    otherChannels: [{ id: 'C0NEWS', name: 'news' }],
    messages: [
      message(2000, 'U0ADMIN', 'Does anybody know whether +234 803 123 4567 is on DND?', { ts: start }),
      message(1999, 'U0AGENT', 'I will look :eyes:', { threadTs: start }),
      message(60, 'U0AGENT', '*Hello* <!here>, a customer waits :warning:\n• first\n• `second`'),
      message(59, 'U0AGENT', 'And again, <script>alert(1)</script> &amp; ok'),
      message(20, 'app', 'Every kind of block', { blocks: everyBlock }),
      message(5, 'app', 'Only you', {
        onlyFor: 'U0AGENT',
        blocks: [{ type: 'section', block_id: 'x', text: mrkdwn(':white_check_mark: Sent to *3 numbers*.') }],
        editedAt: at(4),
      }),
      message(3, 'app', 'Hello', { channel: 'D0AGENT' }),
    ],
    modals: [],
    home: modal(
      { type: 'home', blocks: [{ type: 'header', text: plain('Good morning') }, ...everyBlock.slice(1, 3)] },
      { id: 'VHOME', type: 'home' },
    ),
    commands: [
      { command: '/sms', description: 'Send an SMS to one or many', usageHint: '[numbers message] | help' },
      { command: '/dnd-check', description: 'See who is on Do-Not-Disturb', usageHint: '[numbers]' },
      { command: '/switchboard', description: 'Connect the provider', usageHint: 'connect | help' },
    ],
    shortcuts: [
      { callbackId: 'check', name: 'Check numbers', type: 'message' },
      { callbackId: 'new', name: 'New message', type: 'global' },
    ],
    notices: [
      {
        id: 'n1',
        text: '/sms failed with the error "dispatch_failed"',
        at: new Date(now * 1000).toISOString(),
      },
    ],
    installation: { id: 'T0SWITCH', name: 'Sandbox' },
    workspaces: [],
  } satisfies Snapshot);
}
