import type { JsonObject } from '../../lib/json.ts';
import { inputsOf } from '../block-kit/state.ts';
import type { ViewValues } from '../protocol.ts';

/** What a view or message holds when it appears. `channel` is where it was opened from. */
export function initialValues(surface: JsonObject, channel: string | undefined): ViewValues {
  return keptValues(surface, {}, channel);
}

/**
 * What a view or message holds once it shows something else: what was filled in stays where block_id, action_id
 * and the element's type stay, whatever the new initial value says.
 */
export function keptValues(surface: JsonObject, before: ViewValues, channel: string | undefined): ViewValues {
  const values: ViewValues = {};
  for (const { blockId, actionId, type, element, initial } of inputsOf(surface)) {
    const filled = before[blockId]?.[actionId];
    const here = channel !== undefined && startsHere(element);
    const fresh = here ? startingIn(channel, initial) : initial;
    values[blockId] = { ...values[blockId], [actionId]: filled?.type === type ? filled : fresh };
  }
  return values;
}

/** An initial conversation goes before the current one. */
function startsHere(element: JsonObject): boolean {
  const { default_to_current_conversation: current, initial_conversation, initial_conversations } = element;
  return current === true && initial_conversation === undefined && initial_conversations === undefined;
}

/** A conversations select that starts with the conversation its view was opened from. */
function startingIn(channel: string, initial: JsonObject): JsonObject {
  if ('selected_conversations' in initial) {
    return { ...initial, selected_conversations: [channel] };
  }
  return { ...initial, selected_conversation: channel };
}
