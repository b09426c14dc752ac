import type { Json, JsonObject } from '../../lib/json.ts';
import { isJsonObject, objectsIn, stringAt } from '../../lib/json.ts';
import type { Input } from '../block-kit/state.ts';
import { inputsOf } from '../block-kit/state.ts';
import { UserActionError } from './user-action.ts';

/** Finds an interactive element. Throws when there is none with these ids. */
export function findElement(blocks: Json | undefined, blockId: string, actionId: string): JsonObject {
  const block = objectsIn(blocks).find((candidate) => candidate.block_id === blockId);
  const elements = [block?.element, block?.accessory, ...objectsIn(block?.elements)].filter(isJsonObject);
  const element = elements.find((candidate) => candidate.action_id === actionId);
  if (!element) {
    throw new UserActionError(`There is no ${actionId} in a block ${blockId}.`);
  }
  return element;
}

/** Finds an element with a state. */
export function inputOf(surface: JsonObject, ids: { blockId: string; actionId: string }): Input | undefined {
  return inputsOf(surface).find((input) => input.blockId === ids.blockId && input.actionId === ids.actionId);
}

/**
 * Returns the state after a person's choice, with the whole option objects for the chosen values. `before` is the state
 * so far, `offered` the options that a search found. Throws for a state of another type and for an option that is not
 * offered.
 */
export function chosenState(
  element: JsonObject,
  state: JsonObject,
  before: JsonObject | undefined,
  offered: JsonObject[],
): JsonObject {
  if (state.type !== element.type) {
    throw new UserActionError(`A ${element.type} cannot take the state of a ${state.type}.`);
  }
  const options = [...optionsOf(element), ...selectedIn(before), ...offered];
  const whole = (chosen: JsonObject): JsonObject => {
    const value = stringAt(chosen, 'value');
    const option = options.find((candidate) => candidate.value === value);
    if (!option) {
      throw new UserActionError(`The option ${value} is not offered.`);
    }
    return option;
  };
  return {
    ...state,
    ...(isJsonObject(state.selected_option) && { selected_option: whole(state.selected_option) }),
    ...(Array.isArray(state.selected_options) && {
      selected_options: objectsIn(state.selected_options).map(whole),
    }),
  };
}

function selectedIn(state: JsonObject | undefined): JsonObject[] {
  const one = state?.selected_option;
  return [...objectsIn(state?.selected_options), ...(isJsonObject(one) ? [one] : [])];
}

function optionsOf(element: JsonObject): JsonObject[] {
  return [
    ...objectsIn(element.options),
    ...objectsIn(element.option_groups).flatMap((group) => objectsIn(group.options)),
    ...objectsIn(element.initial_options),
    ...(isJsonObject(element.initial_option) ? [element.initial_option] : []),
  ];
}
