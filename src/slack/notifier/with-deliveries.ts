import type { MessageDelivery } from '../../store/deliveries/deliveries.ts';
import type { Operation } from '../../store/operations/ledger.ts';
import { context } from '../block-kit/build.ts';
import { describeDeliveries } from '../block-kit/descriptions/deliveries.ts';
import { clampMessage, type SlackMessage } from '../block-kit/message.ts';
import { joinInline, type Markup, mrkdwn, timeFor } from '../block-kit/text.ts';

/** Adds to an outcome what became of its messages: *accepted 14:02 · delivered 14:02*. */
export function withDeliveries(
  { text, blocks }: SlackMessage,
  operation: Operation,
  deliveries: readonly MessageDelivery[],
): SlackMessage {
  const line = deliveryLine(operation, deliveries);
  if (line === undefined) {
    return { text, blocks };
  }
  const buttons = blocks.findIndex(({ type }) => type === 'actions');
  const at = buttons === -1 ? blocks.length : buttons;
  return clampMessage({ text, blocks: [...blocks.slice(0, at), context(line), ...blocks.slice(at)] });
}

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
