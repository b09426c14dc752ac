import type { PhoneNumber } from '../phone/phone-number.ts';
import { inQuietHours, isQuietOperator, quietHoursEnd } from './quiet-hours.ts';
import type { Route } from './routes.ts';

/** What the provider says of a number's Do-Not-Disturb. */
export type DndState = 'active' | 'inactive' | 'unknown';

/** Which of the routes of SMS reach a number at a moment, and the one reason where not both do. */
export type RouteAdvice =
  /** Generic and DND. */
  | { kind: 'any_route' }
  /** Any: Do-Not-Disturb and quiet hours are Nigerian, and the number is not. */
  | { kind: 'not_nigerian' }
  /** DND only. */
  | { kind: 'on_dnd' }
  /** DND only until then. */
  | { kind: 'quiet_hours'; endsAt: Date }
  /** DND surely, generic perhaps. */
  | { kind: 'dnd_unknown' };

/** Whether Do-Not-Disturb, and so this advice, concerns a number. */
export function isNigerian(number: PhoneNumber): boolean {
  return number.startsWith('+234');
}

/** Returns the advice for one number. Do-Not-Disturb outlasts quiet hours, so it is named where both apply. */
export function adviseRoute({ number, dnd }: { number: PhoneNumber; dnd: DndState }, now: Date): RouteAdvice {
  if (!isNigerian(number)) {
    return { kind: 'not_nigerian' };
  }
  if (dnd === 'active') {
    return { kind: 'on_dnd' };
  }
  if (inQuietHours(now) && isQuietOperator(number)) {
    return { kind: 'quiet_hours', endsAt: quietHoursEnd(now) };
  }
  return { kind: dnd === 'inactive' ? 'any_route' : 'dnd_unknown' };
}

/** Whether the generic route surely reaches the number. */
export function genericReaches({ kind }: RouteAdvice): boolean {
  return kind === 'any_route' || kind === 'not_nigerian';
}

/** Returns the workspace's route where it reaches all of the numbers, and otherwise DND, which does. */
export function routeForAll(
  numbers: readonly { number: PhoneNumber; dnd: DndState }[],
  { workspaceRoute, now }: { workspaceRoute: Route; now: Date },
): Route {
  const reachesAll =
    workspaceRoute !== 'generic' || numbers.every((checked) => genericReaches(adviseRoute(checked, now)));
  return reachesAll ? workspaceRoute : 'dnd';
}
