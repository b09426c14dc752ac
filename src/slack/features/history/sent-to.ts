import type { KnownBlock } from '@slack/types';
import type { PhoneNumber } from '../../../domain/phone/phone-number.ts';
import type { HistoryEntry } from '../../../services/history/history.ts';
import { context, quotation, section } from '../../block-kit/build.ts';
import { clampText } from '../../block-kit/limits.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import type { Viewer } from '../../navigation/navigation.ts';
import { historyLine } from '../../notifier/history-line.ts';
import { besidesOwn, insteadOfOwn } from './parts.ts';
import { historyReader } from './query.ts';

/** Messages on a number’s card: the rest is in its history. */
const maxShown = 3;
/** Of a text on a card, in characters. */
const maxTextLength = 200;

/** The last messages to a number and how each ended, for its card: the viewer’s own, or for an admin everyone’s. */
export function createSentTo({
  services: { history },
  outcomeRenderers,
}: Pick<AppContext, 'services' | 'outcomeRenderers'>) {
  return async (viewer: Viewer, number: PhoneNumber): Promise<KnownBlock[]> => {
    const reader = historyReader(viewer);
    const withActor = reader.scope === 'everyone';
    const { entries, more, byColleagues } = await history.search(reader, number, maxShown);
    if (entries.length === 0) {
      return [
        context(
          withActor
            ? mrkdwn`Nothing was sent to it lately.`
            : mrkdwn`You sent nothing to it lately.${insteadOfOwn(byColleagues)}`,
        ),
      ];
    }
    return [
      section(
        mrkdwn`*${more ? `The last ${maxShown} sent to it` : 'Sent to it'}*${besidesOwn(byColleagues)}`,
      ),
      ...entries.flatMap((entry) => [
        section(historyLine(entry, outcomeRenderers, { withActor })),
        ...textOf(entry),
      ]),
    ];
  };
}

function textOf({ content }: HistoryEntry): KnownBlock[] {
  return content?.text ? [quotation(clampText(content.text, maxTextLength))] : [];
}
