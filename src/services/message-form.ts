import type { CountryCode } from '../rules/countries.ts';
import { countPages } from '../rules/pages.ts';
import { readNumbers } from '../rules/read-numbers.ts';
import { readRoute } from '../rules/routes.ts';
import { readSenderId } from '../rules/sender-id.ts';
import type { DraftContent } from './drafts.ts';

/** A message as it was typed into a form. */
export interface MessageForm {
  recipients: string;
  senderId?: string | undefined;
  route: string | undefined;
  text: string;
  place?: string | undefined;
}

export type FormField = 'recipients' | 'senderId' | 'route' | 'text';

export type ReadForm =
  | { ok: true; content: DraftContent; duplicates: number }
  | { ok: false; faults: Partial<Record<FormField, string>> };

/** API §4.1: an array of recipients takes at most 100. */
export const mostRecipients = 100;
const named = 5;

/** Reads a form whole, and names every fault beside its field. `country` is how a local number is read. */
export function readMessageForm(
  form: MessageForm,
  options: { country: CountryCode; unicode: boolean },
): ReadForm {
  const faults: Partial<Record<FormField, string>> = {};
  const { numbers, invalid, duplicates } = readNumbers(form.recipients, options.country);
  const route = readRoute(form.route);
  const sender = route === undefined ? undefined : readSender(form.senderId ?? '', route);

  if (invalid.length > 0) {
    faults.recipients = nameInvalid(invalid);
  } else if (numbers.length === 0) {
    faults.recipients = 'Enter at least one phone number.';
  } else if (numbers.length > mostRecipients) {
    faults.recipients = `${numbers.length} numbers are too many: one message goes to at most ${mostRecipients}.`;
  }
  if (route === undefined) {
    faults.route = 'Choose a route.';
  }
  if (sender?.ok === false) {
    faults.senderId = sender.reason;
  }
  if (form.text.trim() === '') {
    faults.text = 'Write the message.';
  } else if (countPages(form.text).needsUnicode && !options.unicode) {
    faults.text =
      'This text has letters or emoji that need the provider’s Unicode type, which is not set up here (PROVIDER_UNICODE_TYPE). Write it with Latin letters.';
  }
  if (route === undefined || sender === undefined || !sender.ok || Object.keys(faults).length > 0) {
    return { ok: false, faults };
  }
  return {
    ok: true,
    duplicates,
    content: {
      recipients: numbers,
      senderId: sender.senderId,
      route,
      text: form.text,
      ...(form.place === undefined ? {} : { place: form.place }),
    },
  };
}

/** On the chat route the sender is a device, whose name has no rule but to be there (API §4.1). */
function readSender(text: string, route: string): ReturnType<typeof readSenderId> {
  const name = text.trim();
  if (name === '') {
    return { ok: false, reason: 'Choose a sender ID, or type one.' };
  }
  return route === 'chatapp' ? { ok: true, senderId: name } : readSenderId(name);
}

/** `“0803” is too short for Nigeria.`, the first few of them, and how many more there are. */
export function nameInvalid(invalid: readonly { text: string; reason: string }[]): string {
  const first = invalid.slice(0, named).map(({ text, reason }) => `“${text}” ${reason}.`);
  const more = invalid.length - first.length;
  return [...first, ...(more > 0 ? [`And ${more} more.`] : [])].join(' ');
}
