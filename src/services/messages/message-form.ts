import { senderOf } from '../../domain/messages/message-checks.ts';
import { readRoute } from '../../domain/messages/routes.ts';
import { spaceCode } from '../../domain/otp/one-time-code.ts';
import type { CountryCode } from '../../domain/phone/countries.ts';
import { readNumbers } from '../../domain/phone/read-numbers.ts';
import { findFaults, type MessageFaults } from './draft-faults.ts';
import type { DraftContent } from './drafts.ts';

/** A message as typed into a form. Fields that its route does not use are ignored. */
export interface MessageForm {
  recipients: string;
  route: string | undefined;
  senderId?: string | undefined;
  /** The sender on the chat route. */
  device?: string | undefined;
  text: string;
  /** On the chat route a file can be sent instead of a text, never both (API §4.1). */
  asFile?: boolean | undefined;
  address?: string | undefined;
  caption?: string | undefined;
  /** A channel for the outcome. */
  channelId?: string | undefined;
  showNumbers?: boolean | undefined;
}

export type ReadMessageForm =
  | { ok: true; content: DraftContent; duplicates: number }
  /** `content`: all that was typed, to be corrected; undefined without a route. */
  | { ok: false; faults: MessageFaults; content?: DraftContent | undefined };

/**
 * Reads the whole form. Each fault is a sentence to show beside its field. `country`: of numbers written without one.
 */
export function readMessageForm(
  form: MessageForm,
  options: { country: CountryCode; unicode: boolean },
): ReadMessageForm {
  const { numbers, invalid, duplicates } = readNumbers(form.recipients, options.country);
  const route = readRoute(form.route);
  const byChat = route === 'chatapp';
  const asFile = byChat && form.asFile === true;
  const sender = senderOf(form, route);
  const address = (form.address ?? '').trim();
  const caption = (form.caption ?? '').trim();

  const written = {
    recipients: numbers,
    leftOut: invalid.length === 0 ? undefined : invalid.map(({ text, reason }) => ({ text, reason })),
    senderId: sender === '' ? undefined : sender,
    ...(asFile
      ? { text: '', media: { url: address, caption: caption || undefined } }
      : { text: route === 'voice' ? spaceCode(form.text) : form.text }),
    channelId: form.channelId,
    showNumbers: form.channelId !== undefined && form.showNumbers ? true : undefined,
  };
  const faults = findFaults({ ...written, route }, options.unicode);
  const content: DraftContent | undefined = route && { ...written, route };
  return content === undefined || Object.keys(faults).length > 0
    ? { ok: false, faults, content }
    : { ok: true, content, duplicates };
}
