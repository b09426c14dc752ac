import type { Button, KnownBlock } from '@slack/types';
import type { PhoneNumber } from '../../domain/phone/phone-number.ts';
import type { Charges } from '../../services/costs/estimate.ts';
import type { SentMessage } from '../../services/messages/message-service.ts';
import type { Services } from '../../services/services.ts';
import type { MessageDelivery } from '../../store/deliveries/deliveries.ts';
import { messageIdOf, type Operation } from '../../store/operations/operation.ts';
import { context, menu, present, quotation, section } from '../block-kit/build.ts';
import type { OutcomeSummary } from '../block-kit/descriptions/deliveries.ts';
import { message, type SlackMessage } from '../block-kit/message.ts';
import { type Markup, mrkdwn, userMention } from '../block-kit/text.ts';
import type { SlackContext } from '../client/slack-context.ts';

/** An operation, the known facts about it, and its reader. */
export interface ShownOutcome {
  operation: Operation;
  /** The user who asked for it, or everyone in a channel, who see no costs and no buttons. */
  reader: 'user' | 'channel';
  /** What was sent and to whom, for a user while it is kept, for a channel where they chose to show it. */
  sent?: SentMessage | undefined;
  /** Whether `sent` is missing because it was deleted: after the retention time, or with a person who was erased. */
  isDeleted?: boolean;
  /** Undefined where no report is kept. */
  deliveries?: readonly MessageDelivery[] | undefined;
  /** How many recipients the deliveries can concern: by default, all of the operation. */
  recipients?: number;
  /** The delivery of a message to one of several numbers. */
  deliveryOf?: ((number: PhoneNumber) => MessageDelivery | undefined) | undefined;
  charges?: Charges | undefined;
  /** Whether the provider can be asked what became of messages. */
  canAsk?: boolean;
  /** Whether the place can’t be updated later, as below a typed command. */
  isFixed?: boolean;
}

/** What became of an operation, in lines. Each surface shows those that fit it. */
export interface Description {
  /** What was asked for, in a list: *SMS to +234 803 123 4567 · from PalmMarket*. */
  subject: Markup;
  /** What became of it, in a list. */
  outcome: OutcomeSummary;
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

/** Describes operations of one kind. */
export type Describe = (shown: ShownOutcome) => Description;

/** By the kind of operation. */
export type OutcomeRenderers = Readonly<Record<string, Describe>>;

/** Replaced in tests. */
export interface OutcomeContext extends Pick<SlackContext, 'store'> {
  services: {
    messages: Pick<Services['messages'], 'sent'>;
    costs: Pick<Services['costs'], 'ofOperation'>;
    providerHistory: Pick<Services['providerHistory'], 'isOn'>;
  };
}

/** Reads the known facts about an operation, for one reader. */
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
    deliveries: deliveries.length === 0 ? undefined : deliveries,
    deliveryOf: (number) => find(messageIds[0] ?? '', number),
    // Only reports change the message. A channel sees no costs.
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

export function messageFor(
  { operation, reader, sent }: ShownOutcome,
  description: Description,
): SlackMessage {
  const { headline, by = mrkdwn`By ${userMention(operation.userId)} with Switchboard` } = description;
  if (reader === 'user') {
    return message(headline, describedBlocks(description));
  }
  const blocks = describedBlocks({ ...description, steps: [], more: [] });
  return { ...message(headline, [...blocks, context(by)]), showsNumbers: sent !== undefined };
}
