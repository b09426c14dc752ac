import { type RouteAdvice, routeTitles } from '../../../domain/messages/routes.ts';
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
  const how = source?.kind === 'typed' ? undefined : describeSource(source);
  if (createdBy === undefined) {
    return mrkdwn`since ${dayFor(createdAt)}${how && mrkdwn`, ${how}`}`;
  }
  return mrkdwn`since ${dayFor(createdAt)}, added by ${userMention(createdBy)}${how && mrkdwn` ${how}`}`;
}

/** How a number came onto the list: `manually`, `from optouts.csv`; undefined where that isn’t known. */
export function describeSource(source: SuppressedNumber['source']): Markup | undefined {
  switch (source?.kind) {
    case undefined:
      return undefined;
    case 'typed':
      return mrkdwn`manually`;
    case 'file':
      return mrkdwn`from ${brief(source.name)}`;
    case 'reply':
      return mrkdwn`by a reply`;
    case 'opt_out_link':
      return mrkdwn`by the opt-out link of ${brief(source.campaign)}`;
  }
}

/** The route to use for a number, such as `Transactional (DND) · quiet hours until 8:00 AM`. */
export function describeRouteAdvice(advice: RouteAdvice): Markup {
  switch (advice.kind) {
    case 'any_route':
      return mrkdwn`${routeTitles.generic} or ${routeTitles.dnd}`;
    case 'not_nigerian':
      return mrkdwn`Any route`;
    case 'on_dnd':
      return mrkdwn`${routeTitles.dnd}`;
    case 'quiet_hours':
      return mrkdwn`${routeTitles.dnd} · quiet hours until ${timeFor(advice.endsAt)}`;
    case 'dnd_unknown':
      return mrkdwn`${routeTitles.dnd}, which reaches every number`;
  }
}
