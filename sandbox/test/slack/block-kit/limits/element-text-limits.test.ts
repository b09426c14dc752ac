import type { JsonObject } from '../../../../lib/json.ts';
import { checkOptionsAnswer } from '../../../../slack/block-kit/surfaces.ts';
import { actions, button, linked, mrkdwn, option, plain, select, textField } from '../examples.ts';
import { inInput, inMessage, inModal } from '../place-checks.ts';
import { testTextLimits } from './limits.ts';

testTextLimits('of elements', {
  'text of a button': [
    75,
    '/blocks/0/elements/0/text/text',
    (text) => inMessage(actions(button({ text: plain(text) }))),
  ],
  'value of a button': [
    2000,
    '/blocks/0/elements/0/value',
    (text) => inMessage(actions(button({ value: text }))),
    'may be empty',
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
    'may be empty',
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
    'may be empty',
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
  'label of a group that an app answers with': [
    75,
    '/option_groups/0/label/text',
    (text) => checkOptionsAnswer({ option_groups: [{ label: plain(text), options: [option(1)] }] }),
  ],
  'placeholder of a menu': [
    150,
    '/view/blocks/0/element/placeholder/text',
    (text) => inInput(select({ placeholder: plain(text) })),
  ],
  'text of an overflow option': [
    75,
    '/view/blocks/0/elements/0/options/0/text/text',
    (text) => inModal(overflowing({ text: plain(text) })),
  ],
  'description of an overflow option': [
    75,
    '/view/blocks/0/elements/0/options/0/description/text',
    (text) => inModal(overflowing({ description: plain(text) })),
  ],
  'text of a checkbox': [
    75,
    '/view/blocks/0/element/options/0/text/text',
    (text) => inInput(choosing({ text: mrkdwn(text) })),
  ],
  'description of a checkbox': [
    75,
    '/view/blocks/0/element/options/0/description/text',
    (text) => inInput(choosing({ description: mrkdwn(text) })),
  ],
  'time zone': [
    undefined,
    '/view/blocks/0/element/timezone',
    (text) => inInput({ type: 'timepicker', timezone: text }),
  ],
  'kind of file': [
    undefined,
    '/view/blocks/0/element/filetypes/0',
    (text) => inInput({ type: 'file_input', filetypes: [text] }),
  ],
  'person picked at first': [
    undefined,
    '/view/blocks/0/element/initial_user',
    (text) => inInput({ type: 'users_select', initial_user: text }),
  ],
});

function confirming(more: JsonObject): JsonObject {
  return actions(button({ confirm: { text: plain('Sure?'), ...more } }));
}

function overflowing(more: JsonObject): JsonObject {
  return actions({ type: 'overflow', options: [{ ...option(1), ...more }] });
}

function choosing(more: JsonObject): JsonObject {
  return { type: 'checkboxes', options: [{ ...option(1), ...more }] };
}
