/**
 * The elements of each block. Limits: Slack's reference of block elements. Elements that are missing here, such as
 * workflow buttons, are "unsupported" in every block.
 */

import { isJsonObject, type JsonObject } from '../../lib/json.ts';
import {
  actionIdProperty,
  channelMenus,
  choosers,
  confirmObject,
  datetimepicker,
  dispatchActionConfig,
  focusProperties,
  menus,
  overflowOption,
  responseUrlProperty,
  richText,
  slackFile,
} from './composition.ts';
import {
  type BlockKitFault,
  boolean,
  exactlyOne,
  integer,
  list,
  numericString,
  object,
  oneOfTypes,
  plainText,
  type Rule,
  type Shape,
  string,
  textKinds,
  textLength,
  textObject,
  url,
} from './rules.ts';

export type Surface = 'modal' | 'home' | 'message';

const textInputProperties = {
  ...focusProperties,
  placeholder: plainText(150),
  dispatch_action_config: dispatchActionConfig,
};

/** The image in a section or a context. The block of the same name may also have a title. */
const imageElement = {
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

const accessoryElement = oneOfTypes({ image: imageElement, ...buttons, ...pickers });

const actionsElement = oneOfTypes({ ...buttons, ...pickers, datetimepicker, rich_text_input });

const inputElement: Record<Surface, Rule> = {
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

const everywhere: Record<string, Shape> = {
  actions: { needs: { elements: list(actionsElement, { min: 1, max: 25 }) } },
  context: {
    needs: { elements: list(oneOfTypes({ image: imageElement, ...textKinds(3000) }), { min: 1, max: 10 }) },
  },
  divider: {},
  header: { needs: { text: plainText(150) } },
  image: { ...imageElement, may: { ...imageElement.may, title: plainText(2000) } },
  rich_text: richText,
  section: {
    may: {
      text: textObject(3000),
      fields: list(textObject(2000), { min: 1, max: 10 }),
      accessory: accessoryElement,
      expand: boolean,
    },
    also: [textOrFields],
  },
};

const cell = oneOfTypes({
  raw_text: { needs: { text: string({ min: 1 }) } },
  raw_number: { needs: { value: number, text: string({ min: 1 }) } },
  rich_text: richText,
});

const dataTable: Shape = {
  needs: {
    rows: list(list(cell, { min: 1, max: 20 }), { min: 2, max: 101 }),
    caption: string({ min: 1 }),
  },
  may: { page_size: integer({ min: 1, max: 100 }), row_header_column_index: integer({ min: 0, max: 19 }) },
  also: [tableIsShort, tableIsEven],
};

/** Of the four kinds of charts, the one that the app uses. */
const chart: Shape = {
  needs: {
    title: string({ min: 1, max: 50 }),
    chart: oneOfTypes({
      pie: {
        needs: {
          segments: list(object({ needs: { label: string({ min: 1, max: 20 }), value: positive } }), {
            min: 1,
            max: 6,
          }),
        },
      },
    }),
  },
};

const onlyOn: Record<Surface, Record<string, Shape>> = {
  modal: {
    alert: {
      needs: { text: textObject(200) },
      may: { level: string({ oneOf: ['default', 'info', 'warning', 'error', 'success'] }) },
    },
  },
  home: { data_table: dataTable },
  message: {
    data_table: dataTable,
    data_visualization: chart,
    markdown: { needs: { text: string({ min: 1, max: 12_000 }) } },
    table: {
      needs: { rows: list(list(cell, { min: 1, max: 20 }), { min: 1, max: 100 }) },
      may: {
        column_settings: list(
          object({ may: { align: string({ oneOf: ['left', 'center', 'right'] }), is_wrapped: boolean } }),
          { max: 20 },
        ),
      },
      also: [tableIsShort],
    },
  },
};

function input(surface: Surface): Shape {
  return {
    needs: { label: plainText(2000), element: inputElement[surface] },
    may: { hint: plainText(2000), optional: boolean, dispatch_action: boolean },
  };
}

/** The list of blocks of a surface: up to 100 in a view, up to 50 in a message. */
export function blocksOf(surface: Surface): Rule {
  const kinds = { ...everywhere, ...onlyOn[surface], input: input(surface) };
  const block_id = string({ max: 255 });
  const identified = Object.entries(kinds).map(([type, shape]): [string, Shape] => [
    type,
    { ...shape, may: { ...shape.may, block_id } },
  ]);
  return list(oneOfTypes(Object.fromEntries(identified)), { max: surface === 'message' ? 50 : 100 });
}

function textOrFields(section: JsonObject, pointer: string): BlockKitFault[] {
  const valid = section.text !== undefined || section.fields !== undefined;
  return valid ? [] : [{ message: 'must define either `text` or `fields`', pointer }];
}

function tableIsShort(table: JsonObject, pointer: string): BlockKitFault[] {
  const valid = textLength(table.rows) <= 10_000;
  return valid ? [] : [{ message: 'must be less than 10001 characters', pointer: `${pointer}/rows` }];
}

/** Titles are no rich text, and all rows are of one length. The messages are the sandbox's own: Slack's are not known. */
function tableIsEven({ rows }: JsonObject, pointer: string): BlockKitFault[] {
  const [titles = [], ...others] = (Array.isArray(rows) ? rows : []).map((row) =>
    Array.isArray(row) ? row : [],
  );
  return [
    ...titles.flatMap((title, index) =>
      isJsonObject(title) && title.type === 'rich_text'
        ? [{ message: 'unsupported type: rich_text', pointer: `${pointer}/rows/0/${index}/type` }]
        : [],
    ),
    ...others.flatMap((row, index) =>
      row.length === titles.length
        ? []
        : [{ message: 'must have as many cells as the first row', pointer: `${pointer}/rows/${index + 1}` }],
    ),
  ];
}

/** The message is the sandbox's own. */
function positive(value: unknown, pointer: string): BlockKitFault[] {
  return typeof value === 'number' && value > 0 ? [] : [{ message: 'must be greater than 0', pointer }];
}

function number(value: unknown, pointer: string): BlockKitFault[] {
  return typeof value === 'number' ? [] : [{ message: 'must provide a number', pointer }];
}
