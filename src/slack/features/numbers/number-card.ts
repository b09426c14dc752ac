import { countryOf } from '../../../domain/phone/phone-number.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import type { Navigation } from '../../navigation/navigation.ts';
import { numberCardView } from './card-view.ts';
import { createLookups } from './look-up.ts';

/** The card of a number as other features open it. */
export function createNumberCard(
  context: Pick<AppContext, 'services' | 'notifier' | 'forgetting' | 'clock'>,
): Navigation['numberCard'] {
  const { lookUp } = createLookups(context);
  return async (viewer, number, requestId) => {
    const { country } = await context.services.workspaces.defaults(viewer.workspaceId);
    const { card } = await lookUp(viewer, { number, country: countryOf(number) ?? country }, requestId);
    return numberCardView(card);
  };
}
