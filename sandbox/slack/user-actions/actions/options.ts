import { isJsonObject, objectsIn } from '../../../lib/json.ts';
import { checkOptionsAnswer } from '../../block-kit/surfaces.ts';
import type { JsonObject } from '../../protocol.ts';
import type { SlackState } from '../../slack.ts';
import { suggestionDelivery } from '../../transport/requests.ts';
import { findElement } from '../elements.ts';
import { personNamed, placeOf } from '../lookup.ts';
import type { DeedOf, Prepared } from '../user-action.ts';
import { DeedError, notTold } from '../user-action.ts';

/** Slack's own, where the app does not say how much must be typed before it is asked. */
const MIN_QUERY_LENGTH = 3;

/** A person types in a searched select. */
export function options(slack: SlackState, deed: DeedOf<'options'>): Prepared {
  const { workspace } = slack;
  const person = personNamed(workspace, deed.person);
  const place = placeOf(slack, person, deed.container);
  const within = 'view' in place ? place.view.view.blocks : place.message.blocks;
  const element = findElement(within, deed.blockId, deed.actionId);
  if (element.type !== 'external_select' && element.type !== 'multi_external_select') {
    throw new DeedError(`A ${element.type} does not ask the app for options.`);
  }
  const enough = Number(element.min_query_length ?? MIN_QUERY_LENGTH);
  if (deed.query.length < enough) {
    return { ...notTold(), answer: { options: [] } };
  }
  const { blockId, actionId, query } = deed;
  return {
    delivery: suggestionDelivery({ person, place, blockId, actionId, query }),
    settle: ({ failure, body }) => {
      if (failure) {
        return failure;
      }
      const refused = checkOptionsAnswer(body);
      if (refused.length > 0 || !isJsonObject(body)) {
        return refused.join(' ');
      }
      const surface = 'view' in place ? place.view.id : place.message.ts;
      slack.offers.set(offerKey(surface, deed), [
        ...objectsIn(body.options),
        ...objectsIn(body.option_groups).flatMap((group) => objectsIn(group.options)),
      ]);
      return undefined;
    },
  };
}

/** What a searched select of a view (by its id) or a message (by its ts) offered last. */
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
