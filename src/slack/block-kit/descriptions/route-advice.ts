import type { RouteAdvice } from '../../../domain/messages/routes.ts';
import { type Markup, mrkdwn, timeFor } from '../text.ts';

/** The route to use for a number: `Generic or DND`, `DND (quiet hours until 8:00 AM)`. */
export function describeRouteAdvice(advice: RouteAdvice): Markup {
  switch (advice.kind) {
    case 'any_route':
      return mrkdwn`Generic or DND`;
    case 'not_nigerian':
      return mrkdwn`Any route`;
    case 'on_dnd':
      return mrkdwn`DND`;
    case 'quiet_hours':
      return mrkdwn`DND (quiet hours until ${timeFor(advice.endsAt)})`;
    case 'dnd_unknown':
      return mrkdwn`DND, which reaches every number`;
  }
}
