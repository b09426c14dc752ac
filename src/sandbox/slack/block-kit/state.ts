import type { JsonObject, ViewValues } from '../protocol.ts';

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

/** The elements of a view or message that hold a state, in their order. */
export function inputsOf(_surface: JsonObject): Input[] {
  return [];
}

/** What `view.state.values` holds when the surface appears. */
export function initialValues(surface: JsonObject): ViewValues {
  const values: ViewValues = {};
  for (const input of inputsOf(surface)) values[input.blockId] = { [input.actionId]: input.initial };
  return values;
}

/** The state of an element that nothing was entered in. */
export function emptyState(element: JsonObject): JsonObject {
  return { type: element.type ?? '' };
}

/** What Slack's client says beside a field before it submits; undefined when it would submit it. */
export function checkState(_input: Input, _state: JsonObject | undefined): string | undefined {
  return undefined;
}

/** `checkState` for all inputs of a view, by block id; empty when the client would submit. */
export function checkValues(view: JsonObject, values: ViewValues): Record<string, string> {
  const refused: Record<string, string> = {};
  for (const input of inputsOf(view)) {
    const words = checkState(input, values[input.blockId]?.[input.actionId]);
    if (words !== undefined) refused[input.blockId] = words;
  }
  return refused;
}

/** The checks of `response_action: errors`: its keys are block ids of input blocks, its values words to show. */
export function checkViewErrors(_errors: unknown, _view: JsonObject): string[] {
  return [];
}
