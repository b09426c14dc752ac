import { z } from 'zod';
import { looksLikeOneTimeCode } from '../otp/one-time-code.ts';
import { type PhoneNumber, toE164 } from '../phone/phone-number.ts';
import { countPages } from './pages.ts';
import { inQuietHours, isQuietOperator, quietHoursEnd } from './quiet-hours.ts';

/** How a message is sent. The provider calls it a channel (API §1). */
export const routeSchema = z.enum(['generic', 'dnd', 'chatapp', 'voice']);
export type Route = z.infer<typeof routeSchema>;

/** The names of the routes wherever one is shown. */
export const routeTitles = {
  generic: 'Promotional (generic)',
  dnd: 'Transactional (DND)',
  chatapp: 'Chat app',
  voice: 'Voice',
} as const satisfies Record<Route, string>;

/** Returns the route with a name, if there is one. */
export function readRoute(name: string | undefined): Route | undefined {
  return routeSchema.safeParse(name).data;
}

/** Whether a message is paid for by its pages, as SMS are. */
export function isBilledByPage(route: Route): boolean {
  return route === 'generic' || route === 'dnd';
}

/** What a user should know before a send. A warning never prevents it: the user decides. */
export type Warning =
  | { kind: 'do_not_contact'; recipients: PhoneNumber[] }
  | { kind: 'quiet_hours'; recipients: PhoneNumber[] }
  | { kind: 'dnd_on_generic'; recipients: PhoneNumber[] }
  | { kind: 'dnd_unknown'; recipients: PhoneNumber[] }
  | { kind: 'code_on_generic' }
  /** Columns that stay in a single message as they are written. */
  | { kind: 'columns'; columns: string[] }
  /** Characters that shorten a page, where that makes more pages. */
  | { kind: 'special_characters'; characters: string[]; pages: number; pagesWithout: number };

/** Whether somebody would not get the message, or it costs more: what the user confirms with *Send anyway*. */
export function needsConfirmation({ kind }: Warning): boolean {
  return kind !== 'dnd_unknown';
}

/** A message to send, and the known facts about its recipients. */
export interface MessageToSend {
  route: Route;
  text: string;
  recipients: PhoneNumber[];
  /** Recipients on the workspace's suppression list. */
  doNotContact: PhoneNumber[];
  /** Recipients known to be on Do-Not-Disturb. */
  dndActive: PhoneNumber[];
  /** Recipients whose check failed or was not made. */
  dndUnknown: PhoneNumber[];
  now: Date;
}

/** Returns the warnings for a draft, those about delivery first. */
export function warningsFor(draft: MessageToSend): Warning[] {
  const listed = draft.recipients.filter((number) => draft.doNotContact.includes(number));
  return [
    ...(listed.length === 0 ? [] : [{ kind: 'do_not_contact' as const, recipients: listed }]),
    ...(draft.route === 'generic' ? genericWarnings(draft) : []),
    ...(draft.route === 'generic' || draft.route === 'dnd' ? textWarnings(draft.text) : []),
  ];
}

function genericWarnings({ text, recipients, dndActive, dndUnknown, now }: MessageToSend): Warning[] {
  const active = new Set(dndActive);
  const unknown = new Set(dndUnknown);
  const stateOf = (number: PhoneNumber) =>
    active.has(number) ? 'active' : unknown.has(number) ? 'unknown' : 'inactive';
  const advised = recipients.map((number) => ({
    number,
    advice: adviseRoute({ number, dnd: stateOf(number) }, now),
  }));
  const adviceOf = (kind: RouteAdvice['kind']) =>
    advised.filter(({ advice }) => advice.kind === kind).map(({ number }) => number);
  const quiet = adviceOf('quiet_hours');
  const onDnd = adviceOf('on_dnd');
  const notKnown = adviceOf('dnd_unknown');
  return [
    ...(quiet.length === 0 ? [] : [{ kind: 'quiet_hours' as const, recipients: quiet }]),
    ...(onDnd.length === 0 ? [] : [{ kind: 'dnd_on_generic' as const, recipients: onDnd }]),
    ...(notKnown.length === 0 ? [] : [{ kind: 'dnd_unknown' as const, recipients: notKnown }]),
    ...(looksLikeOneTimeCode(text) ? [{ kind: 'code_on_generic' as const }] : []),
  ];
}

function textWarnings(text: string): Warning[] {
  const { characters, pages, special, unicode } = countPages(text);
  const pagesWithout = Math.ceil(characters / 160);
  return pages > pagesWithout
    ? [{ kind: 'special_characters', characters: [...special, ...unicode], pages, pagesWithout }]
    : [];
}

/** What the provider says of a number's Do-Not-Disturb. */
export type DndState = 'active' | 'inactive' | 'unknown';

/** Which of the routes of SMS reach a number at a moment, and the one reason where not both do. */
export type RouteAdvice =
  /** Promotional and transactional. */
  | { kind: 'any_route' }
  /** Any: Do-Not-Disturb and quiet hours are Nigerian, and the number is not. */
  | { kind: 'not_nigerian' }
  /** Transactional only. */
  | { kind: 'on_dnd' }
  /** Transactional only until then. */
  | { kind: 'quiet_hours'; endsAt: Date }
  /** Transactional surely, promotional perhaps. */
  | { kind: 'dnd_unknown' };

/** Whether Do-Not-Disturb, and so this advice, concerns a number. */
export function isNigerian(number: PhoneNumber): boolean {
  return toE164(number).startsWith('+234');
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

/** Returns the workspace's route where it reaches all of the numbers, and otherwise the transactional one, which does. */
export function routeForAll(
  numbers: readonly { number: PhoneNumber; dnd: DndState }[],
  { workspaceRoute, now }: { workspaceRoute: Route; now: Date },
): Route {
  const reachesAll =
    workspaceRoute !== 'generic' || numbers.every((checked) => genericReaches(adviseRoute(checked, now)));
  return reachesAll ? workspaceRoute : 'dnd';
}
