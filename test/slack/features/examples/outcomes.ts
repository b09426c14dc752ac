import { mrkdwn } from '../../../../src/slack/block-kit/text.ts';
import { outcomeRenderers } from '../../../../src/slack/features/register-features.ts';
import { errorMessage, errorView } from '../../../../src/slack/middleware/errors.ts';
import { messageFor } from '../../../../src/slack/notifier/outcome.ts';
import { type Examples, operationsOf } from '../../../support/slack/example-words.ts';

/** The outcome of every kind of operation, as its user and a channel are told. */
export const outcomes: Examples = (words) =>
  Object.fromEntries(
    Object.entries(outcomeRenderers).flatMap(([kind, describe]) => {
      const operations = operationsOf(words, kind);
      return [
        ...(['user', 'channel'] as const).map((reader) => [
          `${kind}, to the ${reader}`,
          operations.map((operation) => {
            const outcome = { operation, reader, deliveries: [], canAsk: true };
            return messageFor(outcome, describe(outcome));
          }),
        ]),
      ];
    }),
  );

export const errors: Examples = ({ any }) => {
  const said = any.map((text) => mrkdwn`*Nothing was sent.* ${text.repeat(10)}`);
  return { errorView: said.map(errorView), errorMessage: said.map(errorMessage) };
};
