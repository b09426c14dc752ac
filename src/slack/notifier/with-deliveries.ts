import { routeSchema } from '../../domain/messages/routes.ts';
import type { Charges } from '../../services/costs/estimate.ts';
import { countRecipients } from '../../services/operations/operations.ts';
import type { MessageDelivery } from '../../store/deliveries/deliveries.ts';
import type { Operation } from '../../store/operations/operation.ts';
import { context } from '../block-kit/build.ts';
import { describeCharges } from '../block-kit/descriptions/charges.ts';
import { describeDeliveries, describeFailures } from '../block-kit/descriptions/deliveries.ts';
import { clampMessage, type SlackMessage } from '../block-kit/message.ts';
import { joinInline, type Markup, mrkdwn } from '../block-kit/text.ts';

/** Adds to an outcome what became of messages to several, *3 delivered · 1 on the way*, and what they cost. */
export function withDeliveries(
  { text, blocks }: SlackMessage,
  operation: Operation,
  { deliveries, charges }: { deliveries: readonly MessageDelivery[]; charges: Charges | undefined },
): SlackMessage {
  const buttons = blocks.findIndex(({ type }) => type === 'actions');
  const at = buttons === -1 ? blocks.length : buttons;
  // The headline has what became of a message to one.
  const isOfOne = countRecipients(operation) === 1 && deliveries.length <= 1;
  const line = deliveryLine(operation, isOfOne ? [] : deliveries);
  const failures = failuresLine(operation, deliveries);
  const added = [
    ...(line === undefined ? [] : [line]),
    ...(failures === undefined ? [] : [failures]),
    ...chargeLines(operation, charges),
  ].map((each) => context(each));
  return clampMessage({ text, blocks: [...blocks.slice(0, at), ...added, ...blocks.slice(at)] });
}

/** What an operation's messages cost: nothing where the provider has named no cost. */
export function chargeLines(operation: Operation, charges: Charges | undefined): Markup[] {
  const recipients = countRecipients(operation);
  return operation.state !== 'accepted' || charges?.total === undefined
    ? []
    : describeCharges(charges, {
        // A code has no route, and no estimate.
        route: routeSchema.catch('dnd').parse(operation.summary.route),
        recipients,
        accepted: recipients,
        rejected: 0,
        unconfirmed: 0,
        inFlight: 0,
        isFinal: true,
      });
}

/** Returns undefined where nothing is known beyond the outcome itself. */
export function deliveryLine(
  operation: Operation,
  deliveries: readonly MessageDelivery[],
): Markup | undefined {
  const { state, resolvedFrom } = operation;
  const known = describeDeliveries({ deliveries, recipients: countRecipients(operation) });
  const verb = known.length === 0 ? 'Known' : 'known';
  const parts = [
    ...known,
    ...(resolvedFrom === undefined ? [] : [mrkdwn`${verb} from ${sources[resolvedFrom]}`]),
  ];
  return state !== 'accepted' || parts.length === 0 ? undefined : joinInline(parts);
}

/** Why messages of an operation with several recipients were not delivered; undefined where all were. */
export function failuresLine(
  operation: Operation,
  deliveries: readonly MessageDelivery[],
): Markup | undefined {
  return operation.state === 'accepted'
    ? describeFailures({ deliveries, recipients: countRecipients(operation) })
    : undefined;
}

const sources: Readonly<Record<NonNullable<Operation['resolvedFrom']>, string>> = {
  report: 'the provider’s delivery report',
  history: 'the provider’s history',
};
