import type { Route } from '../../domain/messages/routes.ts';
import type { ProviderAccount } from '../../provider/client.ts';
import type { Outcome } from '../../provider/errors.ts';
import type { SendResult } from '../../provider/response/send-result.ts';
import type { Ending } from '../../store/operations/operation.ts';
import { toEnding } from './outcomes.ts';

/** One request to the provider: a text or a file, for up to 100 recipients. */
export interface OutgoingMessage {
  /** Digits in international format, without `+`. */
  to: readonly string[];
  senderId: string;
  route: Route;
  text: string;
  /** Whether the text needs the provider's Unicode type. */
  unicode: boolean;
  /** Sent instead of the text. */
  media?: { url: string; caption?: string | undefined } | undefined;
}

/** API §4.3: a number that serves as sender ID may be longer, but not in a bulk message. */
const maxBulkSender = 11;

/** Sends a message: several recipients on an SMS route by the bulk operation (API §4.3), all else by API §4.1. */
export function sendMessage(
  account: ProviderAccount,
  message: OutgoingMessage,
): Promise<Outcome<SendResult>> {
  const { to, route, text, unicode, media, senderId: from } = message;
  const [only] = to;
  const recipients = only !== undefined && to.length === 1 ? only : to;
  if (media !== undefined) {
    const { url, caption } = media;
    const file = { url, ...(caption === undefined ? {} : { caption }) };
    return account.messages.send({ to: recipients, from, route, media: file });
  }
  const type = unicode ? { type: 'unicode' as const } : {};
  return to.length > 1 && (route === 'dnd' || route === 'generic') && from.length <= maxBulkSender
    ? account.messages.sendBulk({ to, from, route, text, ...type })
    : account.messages.send({ to: recipients, from, route, text, ...type });
}

/** Sends a message, and returns what the ledger stores of it. `pages`: of all its recipients together. */
export async function sendForLedger(
  account: ProviderAccount,
  message: OutgoingMessage,
  pages: number,
): Promise<Ending> {
  const outcome = await sendMessage(account, message);
  return toEnding(outcome, ({ messageId, balance }) => ({ providerId: messageId, pages, balance }));
}
