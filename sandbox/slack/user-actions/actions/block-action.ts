import type { JsonObject, Person } from '../../protocol.ts';
import type { SlackState } from '../../slack.ts';
import type { PayloadPlace } from '../../transport/payloads.ts';
import { actionDelivery } from '../../transport/requests.ts';
import type { Trigger } from '../../workspace/triggers.ts';
import { chosenState, findElement, inputOf } from '../elements.ts';
import { personNamed, placeOf } from '../lookup.ts';
import type { DeedOf, Prepared } from '../user-action.ts';
import { DeedError } from '../user-action.ts';
import { offersIn } from './options.ts';

/** A person presses a button or picks something that the app is told of at once. */
export function blockAction(slack: SlackState, deed: DeedOf<'action'>): Prepared {
  const { workspace, triggers } = slack;
  const person = personNamed(workspace, deed.person);
  const place = placeOf(slack, person, deed.container);
  const surface = 'view' in place ? place.view.view : { blocks: place.message.blocks };
  const values = 'view' in place ? place.view.values : place.values;
  const element = findElement(surface.blocks, deed.blockId, deed.actionId);
  const input = inputOf(surface, deed);
  if (input && !input.dispatches) {
    throw new DeedError(`${deed.actionId} does not tell the app of a change.`);
  }
  const offered = offersIn(slack, 'view' in place ? place.view.id : place.message.ts, deed);
  const before = values[deed.blockId]?.[deed.actionId];
  const state = deed.state && chosenState(element, deed.state, before, offered);
  if (input && state) {
    values[deed.blockId] = { ...values[deed.blockId], [deed.actionId]: state };
  }
  if ('view' in place) {
    delete place.view.errors[deed.blockId];
  }
  workspace.changed();
  return {
    delivery: actionDelivery({
      person,
      place,
      action: actionPayload(element, deed, state, workspace.timestamp()),
      triggerId: triggers.issue(triggerOf(person, place)),
    }),
    settle: ({ failure }) => {
      if (failure === undefined) {
        return undefined;
      }
      const words =
        failure === 'operation_timeout'
          ? 'Operation timed out. Apps need to respond within 3 seconds.'
          : 'Something went wrong: the app did not answer as expected.';
      workspace.notify(person.id, words);
      return words;
    },
  };
}

function triggerOf(person: Person, place: PayloadPlace): Trigger {
  if (!('view' in place)) {
    return { person: person.id, channel: place.channel.id };
  }
  const { id, channel } = place.view;
  return { person: person.id, viewId: id, ...(channel !== undefined && { channel }) };
}

function actionPayload(
  element: JsonObject,
  deed: DeedOf<'action'>,
  state: JsonObject | undefined,
  timestamp: string,
): JsonObject {
  const { type, text, value, style } = element;
  return {
    type: type ?? '',
    action_id: deed.actionId,
    block_id: deed.blockId,
    ...(type === 'button' && {
      ...(text !== undefined && { text }),
      ...(value !== undefined && { value }),
      ...(style !== undefined && { style }),
    }),
    ...state,
    action_ts: timestamp,
  };
}
