import { countryOf } from '../../../domain/phone/phone-number.ts';
import type { Navigation } from '../../navigation/navigation.ts';
import { numberCardView } from './card-view.ts';
import { createLookups, type LookupContext } from './look-up.ts';

/** The card of a number as other features open it. */
export function createNumberCard(context: LookupContext): Navigation['numberCard'] {
  const { lookUp } = createLookups(context);
  return async (viewer, number, requestId) => {
    const { country } = await context.services.workspaces.defaults(viewer.workspaceId);
    const { card } = await lookUp(viewer, { number, country: countryOf(number) ?? country }, requestId);
    return numberCardView(card);
  };
}
