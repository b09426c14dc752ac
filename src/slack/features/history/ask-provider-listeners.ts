import { mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { UserError } from '../../middleware/errors.ts';
import { pushModal } from '../../middleware/open-modal.ts';
import { keyRemovedError, limitedError } from '../../middleware/require-performed.ts';
import type { Router } from '../../middleware/router/router.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { askingView, providerAnswerView } from './ask-provider-view.ts';
import { noEntryView } from './entry-view.ts';
import { historyReader } from './query.ts';

/** *Ask the provider*, on an outcome and on an entry: what became of a message. */
export function registerAskProvider(
  router: Router,
  { services: { providerHistory }, clock }: AppContext,
): void {
  router.action(openActions.askProvider, 'look_up', async (call) => {
    const replace = await pushModal(call)(askingView());
    const asked = await providerHistory.ask(historyReader(call.user), call.value);
    switch (asked.kind) {
      case 'no_entry':
        await replace(noEntryView());
        return;
      case 'not_connected':
        throw keyRemovedError('Nothing was asked.');
      case 'limited':
        throw limitedError(asked.limit, 'Nothing was asked.');
      case 'failed':
        throw new UserError(mrkdwn`${asked.error.message}`);
      case 'answered':
        await replace(providerAnswerView(asked.records, clock()));
    }
  });
}
