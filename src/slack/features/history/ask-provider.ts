import type { KnownBlock, ModalView } from '@slack/types';
import { type Readers, showNumber } from '../../../domain/access/private-values.ts';
import { phoneNumberSchema } from '../../../domain/phone/phone-number.ts';
import type { MessageHistory } from '../../../provider/messages.ts';
import { historyReader } from '../../../services/history/history.ts';
import type { AskedAboutCampaign, AskedProvider } from '../../../services/history/provider-history.ts';
import { unreadableNote } from '../../../services/workspaces/account-list-cache.ts';
import { actions, button, context, loadingView, notice, present, section } from '../../block-kit/build.ts';
import { clampText } from '../../block-kit/limits.ts';
import { formatCount, pluralize } from '../../block-kit/plural.ts';
import { joinInline, mrkdwn, timeFor } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { addToRefusal } from '../../middleware/explain-refusal.ts';
import type { Router } from '../../middleware/router/router.ts';
import { campaignQuestion, openActions, readCampaignQuestion } from '../../navigation/open-actions.ts';
import { showProgress } from '../../notifier/progress.ts';

/** Progress is shown after this many messages more. */
const progressStep = 25;

/** *Check delivery status*, on an outcome, on an entry and on a campaign: what became of a message, or of many. */
export function registerAskProvider(
  router: Router,
  { services: { providerHistory }, time, stopping }: AppContext,
): void {
  router.action(openActions.askProvider, 'look_up', async (call) => {
    const replace = await call.push(askingView());
    const asking = providerHistory.ask(historyReader(call.user), call.value);
    const asked = await asking.catch(addToRefusal(nothingAsked));
    await replace(answerView(asked, time.now()));
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
    const asked = await asking.finally(shown.settled).catch(addToRefusal(nothingAsked));
    await replace(campaignAnswerView(id, asked, time.now()));
  });
}

const nothingAsked = 'The provider wasn’t asked.';
const title = 'Provider’s answer';
const maxRecords = 20;
/** In characters. */
const maxStatus = 200;

/** @param progress of a question about many messages */
function askingView(progress?: { done: number; total: number }): ModalView {
  const counted = progress && `: ${formatCount(progress.done)} of ${formatCount(progress.total)} messages`;
  return loadingView(title, `Asking the provider${counted ?? ''}…`);
}

/** What the provider says of a message, in its own words, and when it was asked. Who sent it sees its numbers in full. */
export function answerView(asked: AskedProvider, at: Date): ModalView {
  switch (asked.kind) {
    case 'answered':
      return notice(title, ...recordsBlocks(asked, asked.isOwn ? 'person' : 'record'), askedAt(at));
    // What it says of these is not shown: it may be of another message.
    case 'asked_about_reports':
      return notice(
        title,
        section(
          mrkdwn`We asked about ${pluralize(asked.messages, 'reported message')} with an unknown sender. If one turns out to be yours, its outcome becomes *Sent* and you’ll be notified.`,
        ),
        ...unreadableBlocks(asked.unreadable),
        askedAt(at),
      );
    case 'no_message':
      return notice(
        title,
        section(
          mrkdwn`The provider can’t be asked: it never confirmed this message’s ID. Ask the recipient, then mark the message as received or not received.`,
        ),
      );
  }
}

const askedAt = (at: Date) => context(mrkdwn`Asked ${timeFor(at)}`);

/** What came of questions about a campaign. What the provider said is counted there. */
export function campaignAnswerView(
  id: string,
  { asked, known, unreadable, error, next }: AskedAboutCampaign,
  at: Date,
): ModalView {
  const more = button(openActions.askAboutCampaign, 'Ask about more', { value: campaignQuestion(id, next) });
  return notice(
    title,
    section(
      asked === 0
        ? mrkdwn`*Nothing to check.* Each outcome is known, or the provider never confirmed the message’s ID.`
        : mrkdwn`We asked about ${pluralize(asked, 'message')}. The provider knows ${asked === 1 ? (known === 1 ? 'it' : 'nothing about it') : known === asked ? 'all of them' : formatCount(known)}. The counts will update in a moment.`,
    ),
    ...unreadableBlocks(unreadable),
    ...present<KnownBlock>(
      error && section(mrkdwn`We didn’t ask about the others. ${error.message}`),
      next !== undefined && actions('ask_provider', more),
    ),
    askedAt(at),
  );
}

function recordsBlocks({ records, unreadable }: MessageHistory, readers: Readers): KnownBlock[] {
  if (records.length === 0 && unreadable === 0) {
    return [
      section(
        mrkdwn`*The provider doesn’t know this message.* That doesn’t mean that nothing was sent: its history may be late, or may not go back that far.`,
      ),
    ];
  }
  const more = records.length - maxRecords;
  return [
    ...records.slice(0, maxRecords).flatMap(({ status, receiver, createdAt }) => {
      const { data: to } = phoneNumberSchema.safeParse(`+${receiver?.replace(/^\+/, '') ?? ''}`);
      const details = present(
        to && mrkdwn`to ${showNumber(to, readers)}`,
        createdAt && mrkdwn`sent ${timeFor(createdAt)}`,
      );
      return [
        section(mrkdwn`The provider says: *${clampText(status, maxStatus)}*`),
        ...present(details.length > 0 && context(joinInline(details))),
      ];
    }),
    ...present(more > 0 && context(mrkdwn`And ${pluralize(more, 'more number')}.`)),
    ...unreadableBlocks(unreadable),
  ];
}

/** How many entries in an answer couldn't be read. */
function unreadableBlocks(unreadable: number): KnownBlock[] {
  const leftOut = unreadableNote(unreadable);
  return leftOut === undefined ? [] : [context(mrkdwn`${leftOut}.`)];
}
