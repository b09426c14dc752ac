import type { ModalView } from '@slack/types';
import type { NotAsked } from '../../../services/history/provider-history.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { UserError } from '../../middleware/errors.ts';
import { notConnectedError } from '../../middleware/not-connected.ts';
import { limitedError } from '../../middleware/require-performed.ts';
import type { Router } from '../../middleware/router/router.ts';
import { readCampaignQuestion } from '../../navigation/ask-provider-button.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { showProgress } from '../../notifier/progress.ts';
import {
  askedAboutReportsView,
  askingView,
  campaignAnswerView,
  noMessageView,
  providerAnswerView,
} from './ask-provider-view.ts';
import { noEntryView } from './entry-view.ts';
import { historyReader } from './query.ts';

/** Progress is shown after this many messages more. */
const progressStep = 25;

/** *Ask the provider*, on an outcome, on an entry and on a campaign: what became of a message, or of many. */
export function registerAskProvider(
  router: Router,
  { services: { providerHistory }, time, stopping }: AppContext,
): void {
  router.action(openActions.askProvider, 'look_up', async (call) => {
    const replace = await call.push(askingView());
    const asked = await providerHistory.ask(historyReader(call.user), call.value);
    switch (asked.kind) {
      case 'answered':
        await replace(providerAnswerView(asked.records, time.now()));
        return;
      case 'asked_about_reports':
        await replace(askedAboutReportsView(asked.messages, time.now()));
        return;
      case 'no_message':
        await replace(noMessageView());
        return;
      default:
        await replace(notAskedView(asked));
    }
  });

  router.action(openActions.askAboutCampaign, 'look_up', async (call) => {
    const { id, after } = readCampaignQuestion(call.value);
    const replace = await call.push(askingView());
    let total = 0;
    const shown = showProgress(
      (done) => replace(askingView({ done, total })),
      progressStep,
      Number.POSITIVE_INFINITY,
    );
    const asking = providerHistory.askAboutCampaign(historyReader(call.user), id, {
      after,
      progress(done, of) {
        total = of;
        shown.report(done);
      },
      signal: stopping,
    });
    const asked = await asking.finally(shown.settled);
    await replace(
      asked.kind === 'answered' ? campaignAnswerView(id, asked, time.now()) : notAskedView(asked),
    );
  });
}

/** @throws UserError where the reason is not that there is nothing to ask about */
function notAskedView(asked: NotAsked): ModalView {
  switch (asked.kind) {
    case 'no_entry':
      return noEntryView();
    case 'not_connected':
      throw notConnectedError('Nothing was asked.');
    case 'limited':
      throw limitedError(asked.limit, 'Nothing was asked.');
    case 'failed':
      throw new UserError(mrkdwn`${asked.error.message}`);
  }
}
