import type { KnownBlock, StaticSelect } from '@slack/types';
import { sortableTime } from '../../../domain/time/start-of-day.ts';
import type { HistoryEntry, HistoryPage } from '../../../services/history/history.ts';
import { actions, button, dataTable, lines, option, textCell, userCell } from '../../block-kit/build.ts';
import { deliveryWords } from '../../block-kit/descriptions/deliveries.ts';
import { message, type SlackMessage } from '../../block-kit/message.ts';
import { mrkdwn, plain, stripMarkup } from '../../block-kit/text.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { actorOf, describeEntry, historyLine, knownOf, stateWordOf } from '../../notifier/history-line.ts';
import type { OutcomeRenderers } from '../../notifier/outcome-notifier.ts';
import { filterBlock } from './filter.ts';
import {
  acceptedRemark,
  exportButton,
  historyPageButtons,
  historyTitle,
  noEntries,
  writeEntryId,
} from './parts.ts';
import type { HistoryQuery } from './query.ts';

export const openEntryOption = 'history_open_option';

export const entriesPerTable = 25;

interface TableOptions {
  query: HistoryQuery;
  outcomeRenderers: OutcomeRenderers;
  isAdmin: boolean;
  /** Whether the provider says what becomes of messages. */
  areTracked: boolean;
  /** The reader's time zone. */
  zone: string;
  /** False where Slack does not take a table: the entries are lines then. */
  asTable: boolean;
}

/** The history in a message, which a modal cannot be: as a table that the user can sort. */
export function historyMessage(page: HistoryPage, options: TableOptions): SlackMessage {
  const { query, isAdmin } = options;
  return message(mrkdwn`${historyTitle}`, [
    filterBlock(query.filter, { isAdmin }),
    ...(page.entries.length === 0 ? noEntries(query) : entries(page, options)),
    actions(
      'history_message',
      ...(page.entries.length === 0 ? [] : [entrySelect(page, options)]),
      ...historyPageButtons(query, page),
      button(openActions.history, 'Search by number'),
      ...(isAdmin ? [exportButton(query)] : []),
    ),
    acceptedRemark(options.areTracked),
  ]);
}

function entries({ entries }: HistoryPage, options: TableOptions): KnownBlock[] {
  const { outcomeRenderers, isAdmin, asTable } = options;
  if (!asTable) {
    return lines(entries.map((entry) => historyLine(entry, outcomeRenderers, { withActor: isAdmin })));
  }
  const caption = isAdmin ? 'Everyone’s history, newest first' : 'Your history, newest first';
  const titles = ['Time', 'State', 'What', ...(isAdmin ? ['Who'] : [])];
  const rows = entries.map((entry) => [
    textCell(sortableTime(entry.at, options.zone)),
    textCell([stateWordOf(entry), ...deliveriesOf(entry, options.zone)].join(' · ')),
    textCell(stripMarkup(describeEntry(entry, outcomeRenderers))),
    ...(isAdmin ? [userCell(actorOf(entry))] : []),
  ]);
  return [dataTable(caption, titles, rows)];
}

/** What became of its messages: of one with the time, without the day where that is the entry’s. */
function deliveriesOf(entry: HistoryEntry, zone: string): string[] {
  const { at } = entry;
  const { deliveries, recipients } = knownOf(entry);
  const words = deliveryWords({ deliveries, recipients });
  const [only, ...others] = deliveries;
  if (only === undefined || others.length > 0 || recipients > 1) {
    return words;
  }
  const [day, time] = sortableTime(only.receivedAt, zone).split(' ');
  const isSameDay = sortableTime(at, zone).startsWith(`${day} `);
  return words.map((word) => [word, ...(isSameDay ? [] : [day]), time].join(' '));
}

/** A row of a table has no button, so the entries are in a menu below it. */
function entrySelect({ entries }: HistoryPage, { outcomeRenderers, zone }: TableOptions): StaticSelect {
  const titleOf = (entry: HistoryEntry) =>
    `${sortableTime(entry.at, zone).slice(5)} ${stripMarkup(describeEntry(entry, outcomeRenderers))}`;
  return {
    type: 'static_select',
    action_id: openEntryOption,
    placeholder: plain('Open an entry'),
    options: entries.map((entry) => option(titleOf(entry), writeEntryId(entry))),
  };
}
