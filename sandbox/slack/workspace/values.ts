import type { JsonObject } from '../../lib/json.ts';
import { inputsOf } from '../block-kit/state.ts';
import type { ViewValues } from '../protocol.ts';

/** Returns the initial state of the inputs of a view or message. `channel` is where the view was opened from. */
export function initialValues(surface: JsonObject, channel: string | undefined): ViewValues {
  return keptValues(surface, {}, channel);
}

/**
 * Returns the state of the inputs after an update. An input with the same block_id, action_id and type keeps its value,
 * whatever its new initial value.
 */
export function keptValues(surface: JsonObject, before: ViewValues, channel: string | undefined): ViewValues {
  const values: ViewValues = {};
  for (const { blockId, actionId, type, element, initial } of inputsOf(surface)) {
    const filled = before[blockId]?.[actionId];
    const current = channel !== undefined && startsWithCurrent(element);
    const fresh = current ? withConversation(channel, initial) : initial;
    values[blockId] = { ...values[blockId], [actionId]: filled?.type === type ? filled : fresh };
  }
  return values;
}

/** An initial conversation takes precedence over the current one. */
function startsWithCurrent(element: JsonObject): boolean {
  const { default_to_current_conversation: current, initial_conversation, initial_conversations } = element;
  return current === true && initial_conversation === undefined && initial_conversations === undefined;
}

/** The state of a conversations select that starts with the conversation its view was opened from. */
function withConversation(channel: string, initial: JsonObject): JsonObject {
  if ('selected_conversations' in initial) {
    return { ...initial, selected_conversations: [channel] };
  }
  return { ...initial, selected_conversation: channel };
}
