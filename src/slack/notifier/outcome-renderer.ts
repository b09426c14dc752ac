import type { KnownBlock } from '@slack/types';
import type { MessageDelivery } from '../../store/deliveries/deliveries.ts';
import type { Operation } from '../../store/operations/operation.ts';
import { context, section } from '../block-kit/build.ts';
import { message } from '../block-kit/message.ts';
import { type Markup, mrkdwn, userMention } from '../block-kit/text.ts';
import type { OutcomeRenderer } from './outcome-notifier.ts';

/**
 * Creates the renderer of a kind of operation from its parts.
 *
 * @param parts.text the outcome in a sentence or two
 * @param parts.details blocks below it
 * @param parts.nextSteps buttons, for the user alone
 */
export function createOutcomeRenderer(parts: {
  text(operation: Operation, deliveries: readonly MessageDelivery[]): Markup;
  details?: ((operation: Operation) => KnownBlock[]) | undefined;
  nextSteps?: ((operation: Operation) => KnownBlock[]) | undefined;
  line: OutcomeRenderer['line'];
}): OutcomeRenderer {
  const { text, details = () => [], nextSteps = () => [], line } = parts;
  const outcome = (operation: Operation, said: Markup) => [section(said), ...details(operation)];
  return {
    forUser(operation, _numbers, deliveries = []) {
      const said = text(operation, deliveries);
      return message(said, [...outcome(operation, said), ...nextSteps(operation)]);
    },
    forChannel(operation, _numbers, deliveries = []) {
      const said = text(operation, deliveries);
      return message(said, [
        ...outcome(operation, said),
        context(mrkdwn`By ${userMention(operation.userId)} with Switchboard`),
      ]);
    },
    line,
  };
}
