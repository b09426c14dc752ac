import { z } from 'zod';
import { countPages } from '../../domain/messages/pages.ts';
import { type Route, readRoute } from '../../domain/messages/routes.ts';
import { readSenderId } from '../../domain/messages/sender-id.ts';
import { spaceCode } from '../../domain/otp/one-time-code.ts';
import type { CountryCode } from '../../domain/phone/countries.ts';
import { readNumbers } from '../../domain/phone/read-numbers.ts';
import type { DraftContent } from './drafts.ts';

/** A message as it was typed into a form; what its route does not use is passed over. */
export interface MessageForm {
  recipients: string;
  route: string | undefined;
  senderId?: string | undefined;
  /** On the chat route, in place of a sender ID. */
  device?: string | undefined;
  text: string;
  /** On the chat route a file may go in place of a text, never both (API §4.1). */
  asFile?: boolean | undefined;
  address?: string | undefined;
  caption?: string | undefined;
  /** A channel for the outcome. */
  channelId?: string | undefined;
  showNumbers?: boolean | undefined;
}

export type FormField = 'recipients' | 'senderId' | 'device' | 'route' | 'text' | 'address';

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
  const { numbers, invalid, duplicates } = readNumbers(form.recipients, options.country);
  const route = readRoute(form.route);
  const byChat = route === 'chatapp';
  const asFile = byChat && form.asFile === true;
  const sender = senderOf(form, route);
  const address = (form.address ?? '').trim();
  const caption = (form.caption ?? '').trim();

  const faults = present({
    recipients: faultOfRecipients(numbers.length, invalid),
    ...faultsOfSender(sender, route),
    text: asFile ? undefined : faultOfText(form.text, options.unicode),
    address: asFile ? faultOfAddress(address) : undefined,
  });
  if (route === undefined || Object.keys(faults).length > 0) {
    return { ok: false, faults };
  }
  return {
    ok: true,
    duplicates,
    content: {
      recipients: numbers,
      senderId: sender,
      route,
      ...(asFile
        ? { text: '', media: { url: address, ...(caption === '' ? {} : { caption }) } }
        : { text: route === 'voice' ? spaceCode(form.text) : form.text }),
      ...(form.channelId === undefined ? {} : { channelId: form.channelId }),
      ...(form.channelId !== undefined && form.showNumbers ? { showNumbers: true } : {}),
    },
  };
}

/** Without the fields that are right. */
export function present<Field extends string>(
  faults: Partial<Record<Field, string | undefined>>,
): { [Name in Field]?: string };
export function present(faults: Record<string, string | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(faults).filter(([, fault]) => fault !== undefined));
}

/** Who a message is from: on the chat route a device, else a sender ID. */
export function senderOf(form: Pick<MessageForm, 'senderId' | 'device'>, route: Route | undefined): string {
  return ((route === 'chatapp' ? form.device : form.senderId) ?? '').trim();
}

/** What is wrong with the route, and with who a message is from. */
export function faultsOfSender(
  sender: string,
  route: Route | undefined,
): Record<'route' | 'senderId' | 'device', string | undefined> {
  const byChat = route === 'chatapp';
  const read = readSenderId(sender);
  const ofSenderId = sender === '' ? 'Choose a sender ID, or type one.' : read.ok ? undefined : read.reason;
  return {
    route: route === undefined ? 'Choose a route.' : undefined,
    device: byChat && sender === '' ? 'Enter the name of the device that sends.' : undefined,
    senderId: byChat ? undefined : ofSenderId,
  };
}

function faultOfRecipients(
  count: number,
  invalid: readonly { text: string; reason: string }[],
): string | undefined {
  if (invalid.length > 0) {
    return nameInvalid(invalid);
  }
  if (count === 0) {
    return 'Enter at least one phone number.';
  }
  return count > mostRecipients
    ? `${count} numbers are too many: one message goes to at most ${mostRecipients}. To send to more, type “bulk” after the command.`
    : undefined;
}

/** What is wrong with a text; `unicode`: whether the provider's Unicode type is set up. */
export function faultOfText(text: string, unicode: boolean): string | undefined {
  if (text.trim() === '') {
    return 'Write the message.';
  }
  return countPages(text).needsUnicode && !unicode
    ? 'This text has letters or emoji that need the provider’s Unicode type, which is not set up here (PROVIDER_UNICODE_TYPE). Write it with Latin letters.'
    : undefined;
}

const formats = ['jpg', 'jpeg', 'png', 'mp3', 'ogg', 'amr', 'pdf', 'mp4'];

/** API §4.1 lists the formats; an address whose end tells none is left to the provider. */
function faultOfAddress(address: string): string | undefined {
  const url = z.url({ protocol: /^https?$/ }).safeParse(address);
  if (!url.success) {
    return 'Enter the address of the file: it begins with https://';
  }
  const ending = /\.(\w{2,5})$/.exec(new URL(url.data).pathname)?.[1]?.toLowerCase();
  return ending === undefined || formats.includes(ending)
    ? undefined
    : `The chat app does not take .${ending}: it takes ${formats.join(', ')}.`;
}

/** `“0803” is too short for Nigeria.`, the first few of them, and how many more there are. */
export function nameInvalid(invalid: readonly { text: string; reason: string }[]): string {
  const first = invalid.slice(0, named).map(({ text, reason }) => `“${text}” ${reason}.`);
  const more = invalid.length - first.length;
  return [...first, ...(more > 0 ? [`And ${more} more.`] : [])].join(' ');
}
