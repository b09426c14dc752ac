import { z } from 'zod';
import type { Charges } from '../../services/costs/charges.ts';
import type { MessageDelivery } from '../../store/deliveries/deliveries.ts';
import type { Operation } from '../../store/operations/ledger.ts';
import { context } from '../block-kit/build.ts';
import { describeCharges } from '../block-kit/descriptions/charges.ts';
import { describeDeliveries } from '../block-kit/descriptions/deliveries.ts';
import { clampMessage, type SlackMessage } from '../block-kit/message.ts';
import { joinInline, type Markup, mrkdwn, timeFor } from '../block-kit/text.ts';

/** Adds to an outcome what became of its messages, *accepted 14:02 · delivered 14:02*, and what they cost. */
export function withDeliveries(
  { text, blocks }: SlackMessage,
  operation: Operation,
  { deliveries, charges }: { deliveries: readonly MessageDelivery[]; charges: Charges | undefined },
): SlackMessage {
  const line = deliveryLine(operation, deliveries);
  if (line === undefined) {
    return { text, blocks };
  }
  const buttons = blocks.findIndex(({ type }) => type === 'actions');
  const at = buttons === -1 ? blocks.length : buttons;
  const added = [line, ...chargeLines(operation, charges)].map((each) => context(each));
  return clampMessage({ text, blocks: [...blocks.slice(0, at), ...added, ...blocks.slice(at)] });
}

/** What an operation's messages cost: nothing where the provider has named no cost. */
export function chargeLines({ state, summary }: Operation, charges: Charges | undefined): Markup[] {
  const { recipients } = recipientsSchema.safeParse(summary).data ?? { recipients: 1 };
  return state !== 'accepted' || charges?.total === undefined
    ? []
    : describeCharges(charges, {
        recipients,
        accepted: recipients,
        rejected: 0,
        unconfirmed: 0,
        inFlight: 0,
        isFinal: true,
      });
}

const recipientsSchema = z.object({ recipients: z.number().default(1) });

/** Returns undefined where nothing is known beyond the outcome itself. */
export function deliveryLine(
  { state, endedAt, resolvedFrom }: Operation,
  deliveries: readonly MessageDelivery[],
): Markup | undefined {
  if (state !== 'accepted' || (deliveries.length === 0 && resolvedFrom === undefined)) {
    return undefined;
  }
  const from = resolvedFrom && sources[resolvedFrom];
  return joinInline([
    resolvedFrom === undefined && endedAt !== undefined
      ? mrkdwn`accepted ${timeFor(endedAt)}`
      : mrkdwn`accepted`,
    ...describeDeliveries(deliveries),
    ...(from === undefined ? [] : [mrkdwn`known from ${from}`]),
  ]);
}

const sources: Readonly<Record<NonNullable<Operation['resolvedFrom']>, string>> = {
  report: 'the provider’s delivery report',
  history: 'the provider’s history',
};
