import type { JsonObject } from '../../../lib/json.ts';
import { isJsonObject, objectsIn } from '../../../lib/json.ts';
import { checkOptionsAnswer } from '../../block-kit/surfaces.ts';
import type { SlackState } from '../../slack.ts';
import { blockSuggestionRequest } from '../../transport/requests.ts';
import { findElement } from '../elements.ts';
import { requirePerson, sourceOf } from '../lookup.ts';
import type { ActionOf, PreparedAction } from '../user-action.ts';
import { notDelivered, UserActionError } from '../user-action.ts';

/** Slack's default for `min_query_length`. */
const MIN_QUERY_LENGTH = 3;

/** A person types in an external select. */
export function prepareOptions(slack: SlackState, action: ActionOf<'options'>): PreparedAction {
  const { workspace } = slack;
  const person = requirePerson(workspace, action.person);
  const source = sourceOf(slack, person, action.container);
  const within = 'view' in source ? source.view.view.blocks : source.message.blocks;
  const element = findElement(within, action.blockId, action.actionId);
  if (element.type !== 'external_select' && element.type !== 'multi_external_select') {
    throw new UserActionError(`A ${element.type} does not ask the app for options.`);
  }
  const enough = Number(element.min_query_length ?? MIN_QUERY_LENGTH);
  if (action.query.length < enough) {
    return { ...notDelivered(), answer: { options: [] } };
  }
  const { blockId, actionId, query } = action;
  return {
    request: blockSuggestionRequest({ workspace, person, source, blockId, actionId, query }),
    settle: ({ failure, body }) => {
      if (failure) {
        return failure;
      }
      const refused = checkOptionsAnswer(body);
      if (refused.length > 0 || !isJsonObject(body)) {
        return refused.join(' ');
      }
      const surface = 'view' in source ? source.view.id : source.message.ts;
      slack.offers.set(offerKey(surface, action), [
        ...objectsIn(body.options),
        ...objectsIn(body.option_groups).flatMap((group) => objectsIn(group.options)),
      ]);
      return undefined;
    },
  };
}

/** Returns the options that an external select offered last, by the id of its view or the ts of its message. */
export function offersIn(
  slack: SlackState,
  surface: string,
  element: { blockId: string; actionId: string },
): JsonObject[] {
  return slack.offers.get(offerKey(surface, element)) ?? [];
}

function offerKey(surface: string, element: { blockId: string; actionId: string }): string {
  return `${surface}/${element.blockId}/${element.actionId}`;
}
