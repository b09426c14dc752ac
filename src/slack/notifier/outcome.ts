import type { Button, KnownBlock } from '@slack/types';
import type { PhoneNumber } from '../../domain/phone/phone-number.ts';
import type { Charges } from '../../services/costs/estimate.ts';
import type { SentMessage } from '../../services/messages/message-service.ts';
import type { Services } from '../../services/services.ts';
import type { MessageDelivery } from '../../store/deliveries/deliveries.ts';
import { messageIdOf, type Operation } from '../../store/operations/operation.ts';
import { context, menu, present, quotation, section } from '../block-kit/build.ts';
import { message, type SlackMessage } from '../block-kit/message.ts';
import { type Markup, mrkdwn, userMention } from '../block-kit/text.ts';
import type { SlackContext } from '../client/slack-context.ts';

/** An operation, what is known of it, and who reads that. */
export interface ShownOutcome {
  operation: Operation;
  /** The user who asked for it, or everyone in a channel: numbers are masked there, and there are no costs and no buttons. */
  reader: 'user' | 'channel';
  /** What was sent and to whom, for a user while it is kept, for a channel where they chose to show it. */
  sent?: SentMessage | undefined;
  /** Whether `sent` is missing because it was deleted: after the retention time, or with a person who was erased. */
  isDeleted?: boolean;
  deliveries: readonly MessageDelivery[];
  /** The delivery of a message to one of several numbers. */
  deliveryOf?: ((number: PhoneNumber) => MessageDelivery | undefined) | undefined;
  charges?: Charges | undefined;
  /** Whether the provider can be asked what became of messages. */
  canAsk?: boolean;
}

/** What became of an operation, in lines. Each surface shows those that fit it. */
export interface Description {
  /** The outcome, and to whom. For a failure also why, and what to do next. */
  headline: Markup;
  /** The first of the recipients, each with what became of the message to them, where that differs. */
  recipients?: Markup[];
  /** The beginning of the text. */
  text?: string | undefined;
  /** Small print: first sender, route, pages, cost and time. */
  details?: Markup[];
  /** What the user does next: at most one block of buttons. */
  steps?: KnownBlock[];
  /** What the user can do besides, in the menu beside the headline. */
  more?: Button[];
  /** Who did it, for a channel. */
  by?: Markup;
}

/** Describes the outcome of operations of one kind. */
export interface OutcomeRenderer {
  describe(outcome: ShownOutcome): Description;
  /**
   * The operation as part of a line: for the history.
   *
   * @param numbers in full, for the user who sent it
   */
  line(operation: Operation, numbers?: readonly PhoneNumber[]): Markup;
}

/** The renderer for each kind of operation. */
export type OutcomeRenderers = Readonly<Record<string, OutcomeRenderer>>;

/** A test stands in for the services. */
export interface OutcomeContext extends Pick<SlackContext, 'store'> {
  services: {
    messages: Pick<Services['messages'], 'sent'>;
    costs: Pick<Services['costs'], 'ofOperation'>;
    providerHistory: Pick<Services['providerHistory'], 'isOn'>;
  };
}

/** Reads what is known of an operation, for who reads it. */
export async function readOutcome(
  { store, services }: OutcomeContext,
  operation: Operation,
  reader: ShownOutcome['reader'],
): Promise<ShownOutcome> {
  const { workspaceId } = operation;
  const messageIds = [messageIdOf(operation) ?? []].flat();
  const sent = await services.messages.sent(operation);
  const deliveries = await store.deliveries.of(workspaceId, messageIds);
  const find = await store.deliveries.ofRecipients(workspaceId, deliveries.length === 0 ? [] : messageIds);
  return {
    operation,
    reader,
    sent: sent.kind === 'kept' && (reader === 'user' || sent.isForChannel) ? sent : undefined,
    isDeleted: sent.kind === 'deleted',
    deliveries,
    deliveryOf: (number) => find(messageIds[0] ?? '', number),
    // What was reported changes the message; what is not reported is no news. A channel sees no costs.
    charges:
      reader === 'channel' || deliveries.length === 0
        ? undefined
        : await services.costs.ofOperation(operation, deliveries),
    canAsk: services.providerHistory.isOn,
  };
}

/** All of it, for the user. */
export function describedBlocks(description: Description): KnownBlock[] {
  const { headline, recipients = [], text, details = [], steps = [], more = [] } = description;
  return present<KnownBlock>(
    section(headline, more.length === 0 ? undefined : menu('outcome_more', ...more)),
    recipients.length > 0 && section(mrkdwn`${recipients}`),
    text !== undefined && quotation(text),
    ...details.map((line) => context(line)),
    ...steps,
  );
}

export function messageFor({ operation, reader }: ShownOutcome, description: Description): SlackMessage {
  const { headline, by = mrkdwn`By ${userMention(operation.userId)} with Switchboard` } = description;
  if (reader === 'user') {
    return message(headline, describedBlocks(description));
  }
  const blocks = describedBlocks({ ...description, steps: [], more: [] });
  return message(headline, [...blocks, context(by)]);
}
