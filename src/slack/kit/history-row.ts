import type { KnownBlock } from '@slack/types';
import { type ConversationLine, writeEntryId } from '../../services/history/history.ts';
import { button, section } from '../block-kit/build.ts';
import { mrkdwn } from '../block-kit/text.ts';
import { openActions } from '../navigation/open-actions.ts';
import { describeEntry, historyLine } from '../notifier/history-line.ts';
import type { OutcomeRenderers } from '../notifier/outcome.ts';

/** A line of the history in a list, with the button that opens it where there is more to see. */
export function historyRow(
  line: ConversationLine,
  outcomeRenderers: OutcomeRenderers,
  options: { withActor: boolean },
): KnownBlock {
  const text = historyLine(line, outcomeRenderers, options);
  if (line.kind === 'reply' || line.isColleagues === true) {
    return section(text);
  }
  const label = mrkdwn`Open ${describeEntry(line, outcomeRenderers).subject}`;
  return section(text, button(openActions.historyEntry, 'Open', { value: writeEntryId(line), label }));
}
