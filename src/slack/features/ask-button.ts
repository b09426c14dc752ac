import { canBeAskedAbout } from '../../services/history/provider-history.ts';
import { withAskProviderButton } from '../navigation/ask-provider-button.ts';
import type { OutcomeRenderer, OutcomeRenderers } from '../notifier/outcome-notifier.ts';

/** Adds *Ask the provider* to the outcomes of messages that the provider has or may have, for the user who sent them. */
export function withAskButton(renderers: OutcomeRenderers): OutcomeRenderers {
  return Object.fromEntries(
    Object.entries(renderers).map(([kind, renderer]): [string, OutcomeRenderer] => [
      kind,
      {
        ...renderer,
        forUser(operation, ...details) {
          const content = renderer.forUser(operation, ...details);
          return canBeAskedAbout(operation)
            ? { ...content, blocks: withAskProviderButton(content.blocks, operation) }
            : content;
        },
      },
    ]),
  );
}
