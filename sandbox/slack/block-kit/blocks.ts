/** The blocks and their surfaces. Limits: Slack's reference of blocks. */

import type { JsonObject } from '../../lib/json.ts';
import { isJsonObject } from '../../lib/json.ts';
import { accessoryElement, actionsElement, imageElement, inputElement, type Surface } from './elements.ts';
import { richText } from './rich-text.ts';
import {
  type BlockKitFault,
  boolean,
  integer,
  list,
  object,
  oneOfTypes,
  type Rule,
  type Shape,
  string,
} from './rules.ts';
import { plainText, textKinds, textObject } from './text.ts';
import { textLength } from './walk.ts';

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
