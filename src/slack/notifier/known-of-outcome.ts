import { routeSchema } from '../../domain/messages/routes.ts';
import type { Charges } from '../../services/costs/estimate.ts';
import { countRecipients } from '../../services/operations/operations.ts';
import type { Operation } from '../../store/operations/operation.ts';
import { describeCharges } from '../block-kit/descriptions/charges.ts';
import { describeRecipient } from '../block-kit/descriptions/deliveries.ts';
import { formatMoney } from '../block-kit/plural.ts';
import { type Markup, mrkdwn } from '../block-kit/text.ts';
import type { ShownOutcome } from './outcome.ts';

/** What the messages of an outcome cost, in one amount, once the provider has named it. */
export function costOf({ operation, charges }: Pick<ShownOutcome, 'operation' | 'charges'>): Markup[] {
  return operation.state === 'accepted' && charges?.total !== undefined
    ? [mrkdwn`${formatMoney(charges.total)}`]
    : [];
}

/** What showed that the provider has accepted a message whose answer was lost. */
export function resolutionSource({ state, resolvedFrom }: Operation): Markup[] {
  return state === 'accepted' && resolvedFrom !== undefined
    ? [mrkdwn`Known from ${sources[resolvedFrom]}`]
    : [];
}

/** A line for each recipient, the most important first. */
export function describeRecipients(
  numbers: NonNullable<ShownOutcome['sent']>['numbers'],
  deliveryOf: NonNullable<ShownOutcome['deliveryOf']>,
): Markup[] {
  return numbers
    .map((number) => ({ number, ...describeRecipient(deliveryOf(number)) }))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ number, icon, words }) => mrkdwn`${icon} ${number}: ${words}`);
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

const sources: Readonly<Record<NonNullable<Operation['resolvedFrom']>, string>> = {
  report: 'the provider’s delivery report',
  history: 'the provider’s history',
};
