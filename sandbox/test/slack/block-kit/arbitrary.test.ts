import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import type { Json, JsonObject } from '../../../lib/json.ts';
import {
  checkState,
  checkValues,
  checkViewErrors,
  initialState,
  inputsOf,
} from '../../../slack/block-kit/state.ts';
import { checkMessage, checkOptionsAnswer, validateView } from '../../../slack/block-kit/surfaces.ts';

/** JSON that resembles views: most keys and values are those of Block Kit. */
const words = fc.constantFrom(
  ...[
    'type',
    'text',
    'blocks',
    'elements',
    'element',
    'accessory',
    'options',
    'option_groups',
    'initial_option',
  ],
  ...[
    'initial_options',
    'modal',
    'home',
    'section',
    'actions',
    'input',
    'context',
    'table',
    'rich_text',
    'image',
  ],
  ...[
    'plain_text',
    'mrkdwn',
    'button',
    'static_select',
    'plain_text_input',
    'checkboxes',
    'number_input',
    '__proto__',
  ],
);
const { json } = fc.letrec<{ json: Json; list: Json; object: JsonObject }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    words,
    fc.constantFrom<Json>(null, true, 0, -1, 1e300, '', 'x'),
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('json'), { maxLength: 4 }),
  object: fc.dictionary(words, tie('json'), { maxKeys: 5 }),
}));
const object = fc.dictionary(words, json);

suite('Whatever JSON an app sends', () => {
  test('the checks answer and never throw', () => {
    fc.assert(
      fc.property(fc.oneof(json, fc.jsonValue()), (sent) => {
        for (const messages of [validateView(sent), checkOptionsAnswer(sent)]) {
          for (const message of messages) {
            assert.match(message, /^\[ERROR\] .+ \[json-pointer:.*\]$/s);
          }
        }
        const refusal = checkMessage({ blocks: sent, text: sent, attachments: sent });
        if (refusal) {
          assert.match(refusal.error, /^[a-z_]+$/);
        }
      }),
    );
  });

  test('reading the state of its elements never throws', () => {
    fc.assert(
      fc.property(object, fc.array(object, { maxLength: 4 }), object, (view, blocks, errors) => {
        const surface = { ...view, blocks };
        for (const input of inputsOf(surface)) {
          assert.equal(typeof input.blockId, 'string');
          checkState(input, input.initial);
        }
        checkValues(surface, {});
        checkViewErrors(errors, surface);
        initialState(view);
      }),
    );
  });
});
