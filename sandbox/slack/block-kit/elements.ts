/**
 * The elements of each block. Limits: Slack's reference of block elements. Elements that are missing here, such as
 * workflow buttons, are "unsupported" in every block.
 */

import type { JsonObject } from '../../lib/json.ts';
import { confirmObject, dispatchActionConfig, overflowOption, slackFile } from './composition.ts';
import {
  actionIdProperty,
  channelMenus,
  choosers,
  datetimepicker,
  focusProperties,
  menus,
  responseUrlProperty,
} from './menus.ts';
import { richText } from './rich-text.ts';
import {
  type BlockKitFault,
  boolean,
  exactlyOne,
  integer,
  list,
  numericString,
  oneOfTypes,
  type Rule,
  type Shape,
  string,
  url,
} from './rules.ts';
import { plainText } from './text.ts';

export type Surface = 'modal' | 'home' | 'message';

const textInputProperties = {
  ...focusProperties,
  placeholder: plainText(150),
  dispatch_action_config: dispatchActionConfig,
};

/** The image in a section or a context. The block of the same name may also have a title. */
export const imageElement = {
  needs: { alt_text: string({ min: 1, max: 2000 }) },
  may: { image_url: url, slack_file: slackFile },
  also: [exactlyOne('image_url', 'slack_file')],
} satisfies Shape;

const buttons = {
  button: {
    needs: { text: plainText(75) },
    may: {
      ...actionIdProperty,
      confirm: confirmObject,
      url,
      value: string({ max: 2000 }),
      style: string({ oneOf: ['primary', 'danger'] }),
      accessibility_label: string({ max: 75 }),
    },
  },
  overflow: {
    needs: { options: list(overflowOption, { min: 1, max: 5 }) },
    may: { ...actionIdProperty, confirm: confirmObject },
  },
} satisfies Record<string, Shape>;

const textFields = {
  plain_text_input: {
    may: {
      ...textInputProperties,
      initial_value: string({ max: 3000 }),
      multiline: boolean,
      min_length: integer({ min: 0, max: 3000 }),
      max_length: integer({ min: 1, max: 3000 }),
    },
    also: [inOrder('min_length', 'max_length')],
  },
  number_input: {
    needs: { is_decimal_allowed: boolean },
    may: {
      ...textInputProperties,
      initial_value: numericString,
      min_value: numericString,
      max_value: numericString,
    },
    also: [inOrder('min_value', 'max_value')],
  },
  email_text_input: { may: { ...textInputProperties, initial_value: string() } },
  url_text_input: { may: { ...textInputProperties, initial_value: string() } },
} satisfies Record<string, Shape>;

const rich_text_input: Shape = {
  may: {
    ...textInputProperties,
    initial_value: oneOfTypes({ rich_text: richText }),
    min_lines: integer({ min: 1, max: 100 }),
    max_lines: integer({ min: 1, max: 100 }),
  },
};

const file_input: Shape = {
  may: {
    ...actionIdProperty,
    filetypes: list(string({ min: 1 }), { min: 1 }),
    max_files: integer({ min: 1, max: 10 }),
  },
};

const { channels_select, conversations_select } = channelMenus;
const menusWithResponseUrl = {
  channels_select: { may: { ...channels_select.may, ...responseUrlProperty } },
  conversations_select: { may: { ...conversations_select.may, ...responseUrlProperty } },
};

const pickers = { ...menus, ...choosers };
const sharedInputs = { ...textFields, ...pickers, datetimepicker, rich_text_input };

export const accessoryElement = oneOfTypes({ image: imageElement, ...buttons, ...pickers });

export const actionsElement = oneOfTypes({ ...buttons, ...pickers, datetimepicker, rich_text_input });

export const inputElement: Record<Surface, Rule> = {
  modal: oneOfTypes({ ...sharedInputs, ...menusWithResponseUrl, file_input }),
  home: oneOfTypes(sharedInputs),
  message: oneOfTypes(sharedInputs),
};

/** The message is the sandbox's own: Slack's is not known. */
function inOrder(low: string, high: string) {
  return (element: JsonObject, pointer: string): BlockKitFault[] =>
    Number(element[low]) > Number(element[high])
      ? [{ message: `\`${low}\` must not be greater than \`${high}\``, pointer }]
      : [];
}
