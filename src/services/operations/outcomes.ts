import { quietHours } from '../../domain/messages/quiet-hours.ts';
import type { Route } from '../../domain/messages/routes.ts';
import { maskPersonal } from '../../lib/redact.ts';
import type { ProviderAccount } from '../../provider/client.ts';
import type { Outcome, Reason } from '../../provider/errors.ts';
import type { RequestOptions } from '../../provider/request/request-sender.ts';
import {
  describeReason,
  detailOf,
  type ReasonText,
  reasons,
} from '../../provider/response/error-messages.ts';
import type { SendResult } from '../../provider/response/send-result.ts';
import type { Ending, OperationError } from '../../store/operations/operation.ts';

/** Maps a provider's outcome to an ending for the ledger. The provider's own words are stored without phone numbers. */
export function toEnding<T>(
  outcome: Outcome<T>,
  accepted: (value: T) => Omit<Ending, 'state' | 'error'>,
): Ending {
  if (outcome.kind === 'accepted') {
    return { state: 'accepted', ...accepted(outcome.value) };
  }
  const { reason, status, providerMessage, retryAfter, receiptId } = outcome.error;
  const detail = detailOf(outcome.error);
  return {
    state: outcome.kind,
    // Leave out missing facts, because the error is stored as JSON.
    error: {
      reason,
      ...(detail === undefined ? {} : { detail: maskPersonal(detail) }),
      ...(status === undefined ? {} : { status }),
      ...(providerMessage === undefined ? {} : { providerMessage: maskPersonal(providerMessage) }),
      ...(retryAfter === undefined ? {} : { retryAfter }),
    },
    ...(receiptId === undefined ? {} : { receiptId }),
  };
}

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
  options: Pick<RequestOptions, 'mayLeave'> = {},
): Promise<Outcome<SendResult>> {
  const { to, route, text, unicode, media, senderId: from } = message;
  const [only] = to;
  const recipients = only !== undefined && to.length === 1 ? only : to;
  if (media !== undefined) {
    const { url, caption } = media;
    const file = { url, ...(caption === undefined ? {} : { caption }) };
    return account.messages.send({ to: recipients, from, route, media: file }, options);
  }
  const type = unicode ? { type: 'unicode' as const } : {};
  return to.length > 1 && (route === 'dnd' || route === 'generic') && from.length <= maxBulkSender
    ? account.messages.sendBulk({ to, from, route, text, ...type }, options)
    : account.messages.send({ to: recipients, from, route, text, ...type }, options);
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

/** Switchboard's own reasons; the others come from the provider client. */
const programReasons: Readonly<Record<string, ReasonText>> = {
  stopped_midway: { happened: 'Switchboard stopped before the provider answered.', next: '' },
  failed_midway: { happened: 'Switchboard failed before the provider answered.', next: '' },
  not_recorded: {
    happened: 'Switchboard’s database couldn’t be reached.',
    next: 'Send it again.',
  },
  code_ended: { happened: 'The earlier code was verified or ended in the meantime.', next: '' },
  unclear_answers: {
    happened: 'The provider gave no clear answer several times in a row.',
    next: 'Check that the provider works, then resume.',
  },
  budget: {
    happened: 'The page budget was used up.',
    next: 'Resume once it frees up, or ask an admin to raise it.',
  },
  country: {
    happened: 'Some recipients are in a country that this workspace doesn’t send to.',
    next: 'Ask an admin to allow it, then resume. Or cancel.',
  },
  not_connected: {
    happened: 'The provider key was removed.',
    next: 'Ask an admin to connect a key, then resume.',
  },
  not_permitted: {
    happened: 'The person who scheduled it can no longer send it. Nothing was sent.',
    next: 'Ask an admin to resume it, or to give that person their role back, then resume.',
  },
  rate: {
    happened: 'A limit on messages was reached. Nothing was sent.',
    next: 'Resume once it frees up, or ask an admin to raise it.',
  },
  limit_reached: {
    happened: 'A limit on messages was reached.',
    next: 'Ask an admin to raise it.',
  },
  quiet_hours: {
    happened: 'Sending would have run into quiet hours, when MTN numbers don’t get it.',
    next: `Resume after ${quietHours.end}, or resume now to send anyway.`,
  },
  sender_inactive: {
    happened: 'The sender ID isn’t active.',
    next: 'Resume once the provider has activated it, or cancel.',
  },
  approval_needed: {
    happened: 'It needs approval now, and didn’t when it was scheduled. Nothing was sent.',
    next: 'Resume to ask for approval, or cancel.',
  },
  not_prepared: {
    happened: 'The next run can’t be prepared: its text can no longer be sent. Nothing was sent.',
    next: 'Cancel it, and start over with another text.',
  },
  shut_out: {
    happened: 'Slack stopped letting Switchboard into this workspace.',
    next: 'Resume if Switchboard should keep sending here.',
  },
  restored: {
    happened:
      'Switchboard’s data was restored or copied, and may be missing some sent messages. Some recipients may ' +
      'have the message already.',
    next: 'Check in the provider’s dashboard before you resume.',
  },
};

/**
 * Describes why something was not accepted: what happened, and what to do where nothing was sent. The one wording of a
 * failure, for outcomes, files and the history.
 */
export function describeFailure(error: OperationError | undefined): ReasonText {
  const { reason, ...facts } = error ?? { reason: 'stopped_midway' };
  if (isProviderReason(reason)) {
    return describeReason({ reason, ...facts });
  }
  return programReasons[reason] ?? { happened: 'The reason is unknown.', next: '' };
}

function isProviderReason(reason: string): reason is Reason {
  return Object.hasOwn(reasons, reason);
}
