import type { KnownBlock } from '@slack/types';
import { canBeAskedAbout } from '../../services/history/provider-history.ts';
import type { MessageDelivery } from '../../store/deliveries/deliveries.ts';
import type { Operation } from '../../store/operations/operation.ts';
import type { Markup } from '../block-kit/text.ts';
import { withAskProviderButton } from '../navigation/open-actions.ts';
import { costOf, resolutionSource } from '../notifier/known-of-outcome.ts';
import type { OutcomeRenderer } from '../notifier/outcome.ts';

/**
 * Creates the renderer of a kind of operation from its parts.
 *
 * @param parts.text the outcome in a sentence or two
 * @param parts.details small print below it
 * @param parts.nextSteps buttons, for the user alone
 */
export function createOutcomeRenderer(parts: {
  text(operation: Operation, deliveries: readonly MessageDelivery[]): Markup;
  details?: ((operation: Operation) => Markup[]) | undefined;
  nextSteps?: ((operation: Operation) => KnownBlock[]) | undefined;
  line: OutcomeRenderer['line'];
}): OutcomeRenderer {
  const { text, details = () => [], nextSteps = () => [], line } = parts;
  return {
    describe(outcome) {
      const { operation, deliveries, canAsk } = outcome;
      const steps = nextSteps(operation);
      return {
        headline: text(operation, deliveries),
        details: [...details(operation), ...resolutionSource(operation), ...costOf(outcome)],
        steps: canAsk && canBeAskedAbout(operation) ? withAskProviderButton(steps, operation) : steps,
      };
    },
    line,
  };
}
