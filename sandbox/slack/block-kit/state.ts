/**
 * The state of the elements of a view or message: initial, empty, and whether Slack's client would submit it. The shapes
 * are those of `view.state.values` in Slack's payloads.
 */

import { isJsonObject, type Json, type JsonObject, objectsIn, stringAt } from '../../lib/json.ts';
import type { ViewValues } from '../protocol.ts';
import { datePattern, optionsIn, sameOption, timePattern } from './composition.ts';
import { characterCount, elementsOf, isEmpty } from './rules.ts';

/** An element of a view or message with a state. */
export interface Input {
  blockId: string;
  actionId: string;
  /** The element's type, such as `plain_text_input`. */
  type: string;
  /** The label of its input block. Empty in an actions or section block. */
  label: string;
  /** False only for a required input block. */
  optional: boolean;
  /** Whether the element is in an input block, which can show errors. */
  inInputBlock: boolean;
  /** Whether a change goes to the app at once. Always true outside an input block. */
  dispatches: boolean;
  /** The element as the app sent it. */
  element: JsonObject;
  /** The initial state, in the shape of Slack's `state.values`. */
  initial: JsonObject;
}

interface StateShape {
  /** The property of the state that has the value. */
  as: string;
  /** The property of the element that has the initial value. */
  from?: string;
  empty: Json;
}

/** The elements with a state. Buttons, overflow menus and images have none. */
const stateShapes: Record<string, StateShape> = {
  plain_text_input: { as: 'value', from: 'initial_value', empty: null },
  number_input: { as: 'value', from: 'initial_value', empty: null },
  email_text_input: { as: 'value', from: 'initial_value', empty: null },
  url_text_input: { as: 'value', from: 'initial_value', empty: null },
  rich_text_input: { as: 'rich_text_value', from: 'initial_value', empty: null },
  file_input: { as: 'files', empty: [] },
  checkboxes: { as: 'selected_options', from: 'initial_options', empty: [] },
  radio_buttons: { as: 'selected_option', from: 'initial_option', empty: null },
  datepicker: { as: 'selected_date', from: 'initial_date', empty: null },
  timepicker: { as: 'selected_time', from: 'initial_time', empty: null },
  datetimepicker: { as: 'selected_date_time', from: 'initial_date_time', empty: null },
  static_select: { as: 'selected_option', from: 'initial_option', empty: null },
  external_select: { as: 'selected_option', from: 'initial_option', empty: null },
  users_select: { as: 'selected_user', from: 'initial_user', empty: null },
  channels_select: { as: 'selected_channel', from: 'initial_channel', empty: null },
  conversations_select: { as: 'selected_conversation', from: 'initial_conversation', empty: null },
  multi_static_select: { as: 'selected_options', from: 'initial_options', empty: [] },
  multi_external_select: { as: 'selected_options', from: 'initial_options', empty: [] },
  multi_users_select: { as: 'selected_users', from: 'initial_users', empty: [] },
  multi_channels_select: { as: 'selected_channels', from: 'initial_channels', empty: [] },
  multi_conversations_select: { as: 'selected_conversations', from: 'initial_conversations', empty: [] },
};

/** Returns the elements with a state, in their order. All ids must be set. */
export function inputsOf(surface: JsonObject): Input[] {
  return objectsIn(surface.blocks).flatMap((block) =>
    elementsOf(block, '').flatMap(({ element }) => {
      const shape = shapeOf(element);
      if (shape === undefined) {
        return [];
      }
      const inInputBlock = block.type === 'input';
      return [
        {
          blockId: stringAt(block, 'block_id') ?? '',
          actionId: stringAt(element, 'action_id') ?? '',
          type: String(element.type),
          label: stringAt(isJsonObject(block.label) ? block.label : undefined, 'text') ?? '',
          optional: !inInputBlock || block.optional === true,
          inInputBlock,
          dispatches: !inInputBlock || block.dispatch_action === true,
          element,
          initial: initialState(element),
        },
      ];
    }),
  );
}

/** Returns the state of an element that nobody has touched. Only the type for an element without a state. */
export function initialState(element: JsonObject): JsonObject {
  const shape = shapeOf(element);
  return shape
    ? stateWith(element, shape, shape.from && element[shape.from])
    : { type: element.type ?? null };
}

/** Returns the error that Slack's client shows for an input, or undefined when it submits the value. */
export function checkState(input: Input, state: JsonObject | undefined): string | undefined {
  const shape = shapeOf(input.element);
  const value = (shape && state?.[shape.as]) ?? null;
  if (!isEmpty(value)) {
    return checkEnteredValue(input.element, value);
  }
  return input.optional ? undefined : 'Please complete this required field.';
}

/** Returns the errors of `checkState` for all input blocks of a view, by block id. */
export function checkValues(view: JsonObject, values: ViewValues): Record<string, string> {
  const refused = inputsOf(view)
    .filter((input) => input.inInputBlock)
    .map((input) => [input.blockId, checkState(input, values[input.blockId]?.[input.actionId])] as const)
    .filter((each): each is [string, string] => each[1] !== undefined);
  return Object.fromEntries(refused);
}

/**
 * Checks `response_action: errors`: the keys must be block ids of input blocks, the values texts. Slack shows only "We
 * had some trouble connecting" for a wrong one, so the messages are the sandbox's own.
 */
export function checkViewErrors(errors: unknown, view: JsonObject): string[] {
  if (!isJsonObject(errors)) {
    return ['errors must be an object of words by block_id'];
  }
  const blockIds = inputsOf(view)
    .filter((input) => input.inInputBlock)
    .map((input) => input.blockId);
  const entries = Object.entries(errors);
  if (entries.length === 0) {
    return ['errors must name at least one input block'];
  }
  return entries.flatMap(([blockId, message]) => [
    ...(blockIds.includes(blockId) ? [] : [`errors: "${blockId}" is not the block_id of an input block`]),
    ...(typeof message === 'string' && message !== ''
      ? []
      : [`errors: "${blockId}" must have words to show`]),
  ]);
}

function shapeOf(element: JsonObject): StateShape | undefined {
  const { type } = element;
  return typeof type === 'string' && Object.hasOwn(stateShapes, type) ? stateShapes[type] : undefined;
}

function stateWith(element: JsonObject, shape: StateShape, value: Json | undefined): JsonObject {
  return { type: element.type ?? null, [shape.as]: value ?? shape.empty };
}

type Check = (value: Json, element: JsonObject) => string | undefined;

const checks: Record<string, Check> = {
  plain_text_input: text,
  number_input: number,
  email_text_input: matches(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'Please enter a valid email address.'),
  url_text_input: (value) => (URL.canParse(String(value)) ? undefined : 'Please enter a valid URL.'),
  datepicker: matches(datePattern, 'Please choose a date.'),
  timepicker: matches(timePattern, 'Please choose a time.'),
  datetimepicker: (value) => (Number.isInteger(value) ? undefined : 'Please choose a date and a time.'),
  file_input: (value, element) => atMost(value, element.max_files ?? 10),
  checkboxes: offered,
  radio_buttons: offered,
  static_select: offered,
  multi_static_select: (value, element) =>
    offered(value, element) ?? atMost(value, element.max_selected_items),
  multi_external_select: (value, element) => atMost(value, element.max_selected_items),
  multi_users_select: (value, element) => atMost(value, element.max_selected_items),
  multi_channels_select: (value, element) => atMost(value, element.max_selected_items),
  multi_conversations_select: (value, element) => atMost(value, element.max_selected_items),
};

/** Returns the error message for the value of an element, or undefined when Slack's client accepts it. */
function checkEnteredValue(element: JsonObject, value: Json): string | undefined {
  return checks[String(element.type)]?.(value, element);
}

function text(value: Json, { min_length, max_length }: JsonObject): string | undefined {
  const length = characterCount(String(value));
  if (length < Number(min_length ?? 0)) {
    return `Please enter at least ${min_length} characters.`;
  }
  // Slack's limit without one of the app.
  const max = Number(max_length ?? 3000);
  return length > max ? `Please enter at most ${max} characters.` : undefined;
}

function number(value: Json, { is_decimal_allowed, min_value, max_value }: JsonObject): string | undefined {
  const entered = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
  if (!Number.isFinite(entered)) {
    return 'Please enter a number.';
  }
  if (is_decimal_allowed !== true && !Number.isInteger(entered)) {
    return 'Please enter a whole number.';
  }
  if (min_value !== undefined && entered < Number(min_value)) {
    return `Please enter at least ${min_value}.`;
  }
  if (max_value !== undefined && entered > Number(max_value)) {
    return `Please enter at most ${max_value}.`;
  }
  return undefined;
}

function matches(pattern: RegExp, message: string): Check {
  return (value) => (pattern.test(String(value)) ? undefined : message);
}

function offered(value: Json, element: JsonObject): string | undefined {
  const chosen = objectsIn(Array.isArray(value) ? value : [value]);
  const valid =
    chosen.length > 0 && chosen.every((each) => optionsIn(element).some((one) => sameOption(each, one)));
  return valid ? undefined : 'Please choose from the options.';
}

function atMost(value: Json, max: Json | undefined): string | undefined {
  const valid = max === undefined || (Array.isArray(value) && value.length <= Number(max));
  return valid ? undefined : `Please choose at most ${max}.`;
}
