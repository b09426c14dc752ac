import type { RouteAdvice } from '../../../domain/messages/routes.ts';
import type { SuppressedNumber } from '../../../services/suppression-list/suppression-list.ts';
import { brief } from '../limits.ts';
import { dayFor, type Markup, mrkdwn, timeFor, userMention } from '../text.ts';

type Description = Pick<SuppressedNumber, 'createdAt' | 'createdBy' | 'source'>;

/** `On the do-not-contact list since Nov 14, added by @ada from optouts.csv`. */
export function describeSuppressed(listed: Description): Markup {
  return mrkdwn`On the do-not-contact list ${describeAddition(listed)}`;
}

/** `since Nov 14, added by @ada from optouts.csv`; `since Nov 14, by the opt-out link of March sale` */
export function describeAddition({ createdAt, createdBy, source }: Description): Markup {
  const how = source?.kind === 'typed' ? '' : describeSource(source);
  if (createdBy === undefined) {
    return mrkdwn`since ${dayFor(createdAt)}${how === '' ? '' : `, ${how}`}`;
  }
  return mrkdwn`since ${dayFor(createdAt)}, added by ${userMention(createdBy)}${how === '' ? '' : ` ${how}`}`;
}

/** How a number came onto the list: `by hand`, `from optouts.csv`; empty where that is not known. */
export function describeSource(source: SuppressedNumber['source']): string {
  switch (source?.kind) {
    case undefined:
      return '';
    case 'typed':
      return 'manually';
    case 'file':
      return `from ${brief(source.name)}`;
    case 'message':
      return 'from a message';
    case 'lookup':
      return 'from a number lookup';
    case 'reply':
      return 'by a reply';
    case 'opt_out_link':
      return `by the opt-out link of ${brief(source.campaign)}`;
  }
}

/** The route to use for a number: `Promotional (generic) or Transactional (DND)`, `Transactional (DND) (quiet hours until 8:00 AM)`. */
export function describeRouteAdvice(advice: RouteAdvice): Markup {
  switch (advice.kind) {
    case 'any_route':
      return mrkdwn`Promotional (generic) or Transactional (DND)`;
    case 'not_nigerian':
      return mrkdwn`Any route`;
    case 'on_dnd':
      return mrkdwn`Transactional (DND)`;
    case 'quiet_hours':
      return mrkdwn`Transactional (DND) (quiet hours until ${timeFor(advice.endsAt)})`;
    case 'dnd_unknown':
      return mrkdwn`Transactional (DND), which reaches every number`;
  }
}
