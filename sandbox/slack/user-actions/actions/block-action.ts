import type { JsonObject } from '../../../lib/json.ts';
import type { Person } from '../../protocol.ts';
import type { SlackState } from '../../slack.ts';
import type { InteractionSource } from '../../transport/payloads.ts';
import { blockActionsRequest } from '../../transport/requests.ts';
import type { Trigger } from '../../workspace/triggers.ts';
import { chosenState, findElement, inputOf } from '../elements.ts';
import { requirePerson, sourceOf } from '../lookup.ts';
import type { ActionOf, PreparedAction } from '../user-action.ts';
import { UserActionError } from '../user-action.ts';
import { offersIn } from './options.ts';

/** A person presses a button or changes an element that dispatches at once. */
export function prepareBlockAction(slack: SlackState, action: ActionOf<'action'>): PreparedAction {
  const { workspace, triggers } = slack;
  const person = requirePerson(workspace, action.person);
  const source = sourceOf(slack, person, action.container);
  const surface = 'view' in source ? source.view.view : { blocks: source.message.blocks };
  const values = 'view' in source ? source.view.values : source.values;
  const element = findElement(surface.blocks, action.blockId, action.actionId);
  const input = inputOf(surface, action);
  if (input && !input.dispatches) {
    throw new UserActionError(`${action.actionId} does not tell the app of a change.`);
  }
  const offered = offersIn(slack, 'view' in source ? source.view.id : source.message.ts, action);
  const before = values[action.blockId]?.[action.actionId];
  const state = action.state && chosenState(element, action.state, before, offered);
  if (input && state) {
    values[action.blockId] = { ...values[action.blockId], [action.actionId]: state };
  }
  if ('view' in source) {
    delete source.view.errors[action.blockId];
  }
  workspace.changed();
  return {
    request: blockActionsRequest({
      workspace,
      person,
      source,
      action: actionPayload(element, action, state, workspace.timestamp()),
      triggerId: triggers.issue(triggerOf(person, source)),
    }),
    settle: ({ failure }) => {
      if (failure === undefined) {
        return undefined;
      }
      const message =
        failure === 'operation_timeout'
          ? 'Operation timed out. Apps need to respond within 3 seconds.'
          : 'Something went wrong: the app did not answer as expected.';
      workspace.notify(person.id, message);
      return message;
    },
  };
}

function triggerOf(person: Person, source: InteractionSource): Trigger {
  if (!('view' in source)) {
    return { person: person.id, channel: source.channel.id };
  }
  const { id, channel } = source.view;
  return { person: person.id, viewId: id, ...(channel !== undefined && { channel }) };
}

function actionPayload(
  element: JsonObject,
  action: ActionOf<'action'>,
  state: JsonObject | undefined,
  timestamp: string,
): JsonObject {
  const { type, text, value, style } = element;
  return {
    type: type ?? '',
    action_id: action.actionId,
    block_id: action.blockId,
    ...(type === 'button' && {
      ...(text !== undefined && { text }),
      ...(value !== undefined && { value }),
      ...(style !== undefined && { style }),
    }),
    ...state,
    action_ts: timestamp,
  };
}
