import type { RouteAdvice } from '../../../../domain/messages/route-advice.ts';
import type { CheckedNumber } from '../../../../services/numbers/dnd-check.ts';
import type { SuppressedNumber } from '../../../../services/suppression-list/suppression-list.ts';
import { describeRouteAdvice } from '../../../block-kit/descriptions/route-advice.ts';
import { type Markup, mrkdwn } from '../../../block-kit/text.ts';

/** A number with all that its report says of it. */
export interface ReportedNumber extends CheckedNumber {
  advice: RouteAdvice;
  /** Its entry in the suppression list, if it has one. */
  listed?: SuppressedNumber | undefined;
}

const states = { active: 'DND on', inactive: 'DND off', unknown: 'DND unknown' } as const;

/** `DND off · Generic or DND`, `DND on · use DND`. */
export function describeReported({ dnd, advice }: ReportedNumber): Markup {
  switch (advice.kind) {
    case 'not_nigerian':
      return mrkdwn`DND does not apply`;
    case 'any_route':
      return mrkdwn`${states[dnd]} · ${describeRouteAdvice(advice)}`;
    case 'dnd_unknown':
      return mrkdwn`${states[dnd]} · use DND`;
    case 'on_dnd':
    case 'quiet_hours':
      return mrkdwn`${states[dnd]} · use ${describeRouteAdvice(advice)}`;
  }
}
