import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { checkOptionsAnswer, checkView } from '../../../../src/sandbox/slack/block-kit/surfaces.ts';
import type { JsonObject } from '../../../../src/sandbox/slack/protocol.ts';
import { inInput, inMessage, inModal } from './asked.ts';
import {
  actions,
  button,
  home,
  input,
  letters,
  modal,
  mrkdwn,
  option,
  plain,
  section,
  select,
  textField,
} from './examples.ts';

/** Puts a text of a size where it has its limit. */
type Place = [limit: number, pointer: string, put: (text: string) => string[]];

const linked = (address: string) => `https://example.com/${address}`.slice(0, address.length);

const texts: Record<string, Place> = {
  'title of a modal': [24, '/view/title/text', (text) => checkView(modal([], { title: plain(text) }))],
  'submit of a modal': [24, '/view/submit/text', (text) => checkView(modal([], { submit: plain(text) }))],
  'close of a modal': [24, '/view/close/text', (text) => checkView(modal([], { close: plain(text) }))],
  'private_metadata of a modal': [
    3000,
    '/view/private_metadata',
    (text) => checkView(modal([], { private_metadata: text })),
  ],
  'private_metadata of Home': [
    3000,
    '/view/private_metadata',
    (text) => checkView(home([], { private_metadata: text })),
  ],
  callback_id: [255, '/view/callback_id', (text) => checkView(modal([], { callback_id: text }))],
  external_id: [255, '/view/external_id', (text) => checkView(modal([], { external_id: text }))],
  block_id: [255, '/view/blocks/0/block_id', (text) => inModal(section({ block_id: text }))],
  action_id: [255, '/view/blocks/0/element/action_id', (text) => inInput(textField({ action_id: text }))],

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

  'text of a button': [
    75,
    '/blocks/0/elements/0/text/text',
    (text) => inMessage(actions(button({ text: plain(text) }))),
  ],
  'value of a button': [
    2000,
    '/blocks/0/elements/0/value',
    (text) => inMessage(actions(button({ value: text }))),
  ],
  'address of a button': [
    3000,
    '/blocks/0/elements/0/url',
    (text) => inMessage(actions(button({ url: linked(text) }))),
  ],
  'label of a button for screen readers': [
    75,
    '/blocks/0/elements/0/accessibility_label',
    (text) => inMessage(actions(button({ accessibility_label: text }))),
  ],
  placeholder: [
    150,
    '/view/blocks/0/element/placeholder/text',
    (text) => inInput(textField({ placeholder: plain(text) })),
  ],
  'initial_value of a text field': [
    3000,
    '/view/blocks/0/element/initial_value',
    (text) => inInput(textField({ initial_value: text })),
  ],
  'text of an option': [
    75,
    '/view/blocks/0/element/options/0/text/text',
    (text) => inInput(select({ options: [{ ...option(1), text: plain(text) }] })),
  ],
  'value of an option': [
    150,
    '/view/blocks/0/element/options/0/value',
    (text) => inInput(select({ options: [{ ...option(1), value: text }] })),
  ],
  'description of an option': [
    75,
    '/view/blocks/0/element/options/0/description/text',
    (text) => inInput(select({ options: [{ ...option(1), description: plain(text) }] })),
  ],
  'label of a group of options': [
    75,
    '/view/blocks/0/element/option_groups/0/label/text',
    (text) =>
      inInput({ type: 'static_select', option_groups: [{ label: plain(text), options: [option(1)] }] }),
  ],
  'title of a confirmation': [
    100,
    '/blocks/0/elements/0/confirm/title/text',
    (text) => inMessage(confirming({ title: plain(text) })),
  ],
  'text of a confirmation': [
    300,
    '/blocks/0/elements/0/confirm/text/text',
    (text) => inMessage(confirming({ text: mrkdwn(text) })),
  ],
  'yes of a confirmation': [
    30,
    '/blocks/0/elements/0/confirm/confirm/text',
    (text) => inMessage(confirming({ confirm: plain(text) })),
  ],
  'no of a confirmation': [
    30,
    '/blocks/0/elements/0/confirm/deny/text',
    (text) => inMessage(confirming({ deny: plain(text) })),
  ],
  'text of an option that an app answers with': [
    75,
    '/options/0/text/text',
    (text) => checkOptionsAnswer({ options: [{ ...option(1), text: plain(text) }] }),
  ],
};

const mayBeEmpty = new Set([
  'private_metadata of a modal',
  'private_metadata of Home',
  'callback_id',
  'external_id',
  'block_id',
  'action_id',
  'value of a button',
  'label of a button for screen readers',
  'initial_value of a text field',
]);

suite('A text is refused when it is too long', () => {
  for (const [name, [limit, pointer, put]] of Object.entries(texts)) {
    test(`${name}: up to ${limit} characters`, () => {
      assert.deepEqual(put(letters(limit)), []);
      assert.deepEqual(put(letters(limit + 1)), [
        `[ERROR] must be less than ${limit + 1} characters [json-pointer:${pointer}]`,
      ]);
    });
  }

  test('whatever its characters: an emoji counts as one', () => {
    const few = Object.values(texts).filter(([limit, pointer]) => limit <= 300 && !/url|_id/.test(pointer));
    const place = fc.constantFrom(...few);
    const exactly = (count: number) => fc.string({ unit: 'binary', minLength: count, maxLength: count });
    fc.assert(
      fc.property(
        place.chain((each) => fc.tuple(fc.constant(each), exactly(each[0]), exactly(1))),
        ([[, , put], text, one]) => {
          assert.deepEqual(put(text), []);
          assert.equal(put(text + one).length, 1);
        },
      ),
    );
  });
});

suite('A text is refused when it is empty', () => {
  for (const [name, [, pointer, put]] of Object.entries(texts)) {
    if (mayBeEmpty.has(name)) {
      test(`${name}: not so`, () => assert.deepEqual(put(''), []));
    } else {
      test(name, () =>
        assert.deepEqual(put(''), [`[ERROR] must be more than 0 characters [json-pointer:${pointer}]`]),
      );
    }
  }
});

function confirming(more: JsonObject): JsonObject {
  return actions(button({ confirm: { text: plain('Sure?'), ...more } }));
}
