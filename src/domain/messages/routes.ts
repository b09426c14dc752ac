import { z } from 'zod';
import { looksLikeOneTimeCode } from '../otp/one-time-code.ts';
import type { PhoneNumber } from '../phone/phone-number.ts';
import { countPages } from './pages.ts';
import { inQuietHours, isQuietOperator, quietHoursEnd } from './quiet-hours.ts';

/** How a message is sent. The provider calls it a channel (API §1). */
export const routeSchema = z.enum(['generic', 'dnd', 'chatapp', 'voice']);
export type Route = z.infer<typeof routeSchema>;

/** For display. `meaning` fits under an option of a menu (Slack: at most 75 characters). */
export const routes: Record<Route, { name: Route; title: string; meaning: string }> = {
  generic: {
    name: 'generic',
    title: 'Generic',
    meaning: 'Promotions. Not to numbers on Do-Not-Disturb, not for one-time codes.',
  },
  dnd: {
    name: 'dnd',
    title: 'DND',
    meaning: 'What people wait for, one-time codes. Reaches every number at any hour.',
  },
  chatapp: {
    name: 'chatapp',
    title: 'Chat app',
    meaning: 'A message in the chat app. Its sender is the name of your device.',
  },
  voice: { name: 'voice', title: 'Voice', meaning: 'A phone call that reads the text aloud.' },
};

/** Returns the route with a name, if there is one. */
export function readRoute(name: string | undefined): Route | undefined {
  return routeSchema.safeParse(name).data;
}

/** What a user should know before a send. A warning never prevents it: the user decides. */
export type Warning =
  | { kind: 'do_not_contact'; recipients: PhoneNumber[] }
  | { kind: 'quiet_hours'; recipients: PhoneNumber[]; endsAt: Date }
  | { kind: 'dnd_on_generic'; recipients: PhoneNumber[] }
  | { kind: 'dnd_unknown'; recipients: PhoneNumber[] }
  | { kind: 'code_on_generic' }
  | { kind: 'special_characters'; characters: string[]; pages: number; pagesWithout: number }
  | { kind: 'needs_unicode'; characters: string[]; pages: number };

/** A message to be sent, and what is known about its recipients. */
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
  return [...listWarnings(draft), ...routeWarnings(draft)];
}

function listWarnings({ recipients, doNotContact }: MessageToSend): Warning[] {
  const listed = recipients.filter((number) => doNotContact.includes(number));
  return listed.length === 0 ? [] : [{ kind: 'do_not_contact', recipients: listed }];
}

function routeWarnings(draft: MessageToSend): Warning[] {
  switch (draft.route) {
    case 'generic':
      return [...genericWarnings(draft), ...textWarnings(draft.text)];
    case 'dnd':
      return textWarnings(draft.text);
    case 'voice':
    case 'chatapp':
      return [];
  }
}

function genericWarnings({ text, recipients, dndActive, dndUnknown, now }: MessageToSend): Warning[] {
  const warnings: Warning[] = [];
  const quiet = inQuietHours(now) ? recipients.filter(isQuietOperator) : [];
  const onDnd = recipients.filter((number) => dndActive.includes(number));
  const unknown = recipients.filter((number) => dndUnknown.includes(number));
  if (quiet.length > 0) {
    warnings.push({ kind: 'quiet_hours', recipients: quiet, endsAt: quietHoursEnd(now) });
  }
  if (onDnd.length > 0) {
    warnings.push({ kind: 'dnd_on_generic', recipients: onDnd });
  }
  if (unknown.length > 0) {
    warnings.push({ kind: 'dnd_unknown', recipients: unknown });
  }
  if (looksLikeOneTimeCode(text)) {
    warnings.push({ kind: 'code_on_generic' });
  }
  return warnings;
}

/** Only one warning about length: if a text needs Unicode, removing special characters saves nothing. */
function textWarnings(text: string): Warning[] {
  const { characters, pages, special, needsUnicode, unicode } = countPages(text);
  if (needsUnicode) {
    return [{ kind: 'needs_unicode', characters: unicode, pages }];
  }
  if (special.length === 0) {
    return [];
  }
  return [
    { kind: 'special_characters', characters: special, pages, pagesWithout: Math.ceil(characters / 160) },
  ];
}
