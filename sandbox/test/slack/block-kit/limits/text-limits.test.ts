import type { Json, JsonObject } from '../../../../lib/json.ts';
import { validateView } from '../../../../slack/block-kit/surfaces.ts';
import { home, input, linked, modal, mrkdwn, plain, section, textField } from '../examples.ts';
import { inInput, inMessage, inModal } from '../place-checks.ts';
import { testTextLimits } from './limits.ts';

testTextLimits('of views and blocks', {
  'title of a modal': [24, '/view/title/text', (text) => validateView(modal([], { title: plain(text) }))],
  'submit of a modal': [24, '/view/submit/text', (text) => validateView(modal([], { submit: plain(text) }))],
  'close of a modal': [24, '/view/close/text', (text) => validateView(modal([], { close: plain(text) }))],
  'private_metadata of a modal': [
    3000,
    '/view/private_metadata',
    (text) => validateView(modal([], { private_metadata: text })),
    'may be empty',
  ],
  'private_metadata of Home': [
    3000,
    '/view/private_metadata',
    (text) => validateView(home([], { private_metadata: text })),
    'may be empty',
  ],
  callback_id: [
    255,
    '/view/callback_id',
    (text) => validateView(modal([], { callback_id: text })),
    'may be empty',
  ],
  external_id: [
    255,
    '/view/external_id',
    (text) => validateView(modal([], { external_id: text })),
    'may be empty',
  ],
  block_id: [255, '/view/blocks/0/block_id', (text) => inModal(section({ block_id: text })), 'may be empty'],
  action_id: [
    255,
    '/view/blocks/0/element/action_id',
    (text) => inInput(textField({ action_id: text })),
    'may be empty',
  ],

  'text of a section': [
    3000,
    '/blocks/0/text/text',
    (text) => inMessage({ type: 'section', text: mrkdwn(text) }),
  ],
  'field of a section': [
    2000,
    '/blocks/0/fields/0/text',
    (text) => inMessage({ type: 'section', fields: [plain(text)] }),
  ],
  header: [150, '/blocks/0/text/text', (text) => inMessage({ type: 'header', text: plain(text) })],
  context: [
    3000,
    '/blocks/0/elements/0/text',
    (text) => inMessage({ type: 'context', elements: [mrkdwn(text)] }),
  ],
  alert: [200, '/view/blocks/0/text/text', (text) => inModal({ type: 'alert', text: mrkdwn(text) })],
  markdown: [12_000, '/blocks/0/text', (text) => inMessage({ type: 'markdown', text })],
  'alt_text of an image': [
    2000,
    '/blocks/0/alt_text',
    (text) => inMessage({ type: 'image', image_url: 'https://example.com', alt_text: text }),
  ],
  'title of an image': [
    2000,
    '/blocks/0/title/text',
    (text) =>
      inMessage({ type: 'image', image_url: 'https://example.com', alt_text: 'QR', title: plain(text) }),
  ],
  'address of an image': [
    3000,
    '/blocks/0/image_url',
    (text) => inMessage({ type: 'image', image_url: linked(text), alt_text: 'QR' }),
  ],
  'label of an input': [
    2000,
    '/view/blocks/0/label/text',
    (text) => inModal(input(textField(), { label: plain(text) })),
  ],
  'hint of an input': [
    2000,
    '/view/blocks/0/hint/text',
    (text) => inModal(input(textField(), { hint: plain(text) })),
  ],
  'cell of a table': [
    undefined,
    '/blocks/0/rows/0/0/text',
    (text) => inMessage(tableOf({ type: 'raw_text', text })),
  ],
  'number in a table': [
    undefined,
    '/blocks/0/rows/0/0/text',
    (text) => inMessage(tableOf({ type: 'raw_number', value: 1, text })),
  ],
  'rich text': [
    undefined,
    '/view/blocks/0/elements/0/elements/0/text',
    (text) => inModal(richText({ type: 'text', text })),
  ],
  'name of an emoji': [
    undefined,
    '/view/blocks/0/elements/0/elements/0/name',
    (text) => inModal(richText({ type: 'emoji', name: text })),
  ],
  'person in rich text': [
    undefined,
    '/view/blocks/0/elements/0/elements/0/user_id',
    (text) => inModal(richText({ type: 'user', user_id: text })),
  ],
  'form of a date': [
    undefined,
    '/view/blocks/0/elements/0/elements/0/format',
    (text) => inModal(richText({ type: 'date', timestamp: 1_800_000_000, format: text })),
  ],
  'id of a file in Slack': [
    undefined,
    '/view/blocks/0/slack_file/id',
    (text) => inModal({ type: 'image', slack_file: { id: text }, alt_text: 'QR' }),
  ],
});

function tableOf(cell: Json): JsonObject {
  return { type: 'table', rows: [[cell]] };
}

function richText(...elements: Json[]): JsonObject {
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] };
}
