/**
 * What the elements of a view or message hold: at first, when nothing was entered, and whether Slack would send
 * it on. The shapes are those of `view.state.values` in Slack's payloads.
 */

import type { Json, JsonObject } from '../../lib/json.ts';
import { isJsonObject, objectsIn, stringAt } from '../../lib/json.ts';
import type { ViewValues } from '../protocol.ts';
import { checkEnteredValue } from './entered-values.ts';
import { elementsOf, isEmpty } from './walk.ts';

/** One element of a view or message that holds a state: something a person fills in or picks. */
export interface Input {
  blockId: string;
  actionId: string;
  /** The element's type, e.g. `plain_text_input`. */
  type: string;
  /** The label of its input block; empty for an element of an actions or section block. */
  label: string;
  /** False only for an element of an input block that must be filled in. */
  optional: boolean;
  /** True for the element of an input block; those in actions and section blocks take no errors. */
  inInputBlock: boolean;
  /** Whether a change is told to the app at once (always so outside an input block). */
  dispatches: boolean;
  /** Exactly as the app sent it, with its limits and options. */
  element: JsonObject;
  /** What the element holds when it appears, in the shape of Slack's `state.values`. */
  initial: JsonObject;
}

interface Holding {
  /** The property of the state that carries the value. */
  as: string;
  /** The property of the element that the value starts with. */
  from?: string;
  empty: Json;
}

/** Elements that hold a state; buttons, overflow menus and images do not. */
const holdings: Record<string, Holding> = {
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

/** The elements of a view or message that hold a state, in their order, once all have their ids. */
export function inputsOf(surface: JsonObject): Input[] {
  return objectsIn(surface.blocks).flatMap((block) =>
    elementsOf(block, '').flatMap(({ element }) => {
      const holding = holdingOf(element);
      if (holding === undefined) {
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
          initial: stateWith(element, holding, holding.from && element[holding.from]),
        },
      ];
    }),
  );
}

/** The state of an element that nothing was entered in; without a value for one that holds no state. */
export function emptyState(element: JsonObject): JsonObject {
  const holding = holdingOf(element);
  return holding ? stateWith(element, holding, undefined) : { type: element.type ?? null };
}

/** What Slack's client says beside a field before it submits; undefined when it would submit it. */
export function checkState(input: Input, state: JsonObject | undefined): string | undefined {
  const holding = holdingOf(input.element);
  const value = (holding && state?.[holding.as]) ?? null;
  if (!isEmpty(value)) {
    return checkEnteredValue(input.element, value);
  }
  return input.optional ? undefined : 'Please complete this required field.';
}

/** `checkState` for all input blocks of a view, by block id; empty when the client would submit. */
export function checkValues(view: JsonObject, values: ViewValues): Record<string, string> {
  const refused = inputsOf(view)
    .filter((input) => input.inInputBlock)
    .map((input) => [input.blockId, checkState(input, values[input.blockId]?.[input.actionId])] as const)
    .filter((each): each is [string, string] => each[1] !== undefined);
  return Object.fromEntries(refused);
}

/**
 * What Slack's client cannot make sense of in `response_action: errors`: the keys must be block ids of input
 * blocks of the view, and the values words to show. It shows the person no more than "We had some trouble
 * connecting", so these words are ours.
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
  return entries.flatMap(([blockId, words]) => [
    ...(blockIds.includes(blockId) ? [] : [`errors: "${blockId}" is not the block_id of an input block`]),
    ...(typeof words === 'string' && words !== '' ? [] : [`errors: "${blockId}" must have words to show`]),
  ]);
}

function holdingOf(element: JsonObject): Holding | undefined {
  const { type } = element;
  return typeof type === 'string' && Object.hasOwn(holdings, type) ? holdings[type] : undefined;
}

function stateWith(element: JsonObject, holding: Holding, value: Json | undefined): JsonObject {
  return { type: element.type ?? null, [holding.as]: value ?? holding.empty };
}
