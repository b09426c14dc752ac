import type { Button, KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { formatNumber, type PhoneNumber } from '../../../domain/phone/phone-number.ts';
import { sortableTime } from '../../../domain/time/start-time.ts';
import {
  type HistoryEntry,
  type HistoryPage,
  type HistorySearchResult,
  writeEntryId,
} from '../../../services/history/history.ts';
import {
  actions,
  button,
  context,
  dataTable,
  divider,
  lines,
  modal,
  option,
  present,
  quotation,
  section,
  textCell,
  userCell,
} from '../../block-kit/build.ts';
import { deliveryWords } from '../../block-kit/descriptions/deliveries.ts';
import { select, textInput } from '../../block-kit/inputs/fields.ts';
import { clampText } from '../../block-kit/limits.ts';
import { message, type SlackMessage } from '../../block-kit/message.ts';
import { cursorPages, pagingButtons } from '../../block-kit/paging.ts';
import { formatCount } from '../../block-kit/plural.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { mrkdwn, nonBreaking, plain, stripMarkup } from '../../block-kit/text.ts';
import { openActions } from '../../navigation/open-actions.ts';
import {
  actorOf,
  describeEntry,
  historyLine,
  isAcceptedAsOther,
  knownOf,
  missedAt,
  stateWordOf,
} from '../../notifier/history-line.ts';
import type { OutcomeRenderers } from '../../notifier/outcome-notifier.ts';
import { filterBlocks, filters, firstPageOf, type HistoryQuery } from './query.ts';

export const historyCallback = 'history';
export const searchHistoryAction = 'history_search';
export const openEntryAction = 'history_open';
export const openEntryOption = 'history_open_option';
export const exportAction = 'history_export';
export const historyPagingActions = {
  newest: 'history_newest',
  previous: 'history_previous',
  next: 'history_next',
} as const;

export const historyTitle = 'History';

export const entriesPerPage = 20;
export const entriesPerTable = 25;
/** Entries shown of a phone number. */
export const maxFound = 30;
/** Of a text below its entry, in characters; the entry itself shows all of it. */
const maxTextLength = 400;

export type EntryOf<Kind extends HistoryEntry['kind']> = Extract<HistoryEntry, { kind: Kind }>;

/** What a view shows: a page of the history, unconfirmed outcomes of the user, or what was found of a phone number. */
export type HistoryContent =
  | { kind: 'page'; page: HistoryPage }
  | { kind: 'unconfirmed'; entries: readonly HistoryEntry[] }
  | { kind: 'found'; number: PhoneNumber; found: HistorySearchResult }
  | { kind: 'no_number'; fault: string };

interface HistoryOptions {
  query: HistoryQuery;
  outcomeRenderers: OutcomeRenderers;
  isAdmin: boolean;
  /** Whether the provider says what becomes of messages. */
  areTracked: boolean;
}

/** The history in a modal. `typed` prefills the search. The filter is kept while a number is searched for. */
export function historyView(content: HistoryContent, options: HistoryOptions, typed = ''): ModalView {
  const { filter } = options.query;
  return modal({
    callbackId: historyCallback,
    title: historyTitle,
    submit: 'Search',
    metadata: { filter },
    blocks: [
      textInput('number', 'Search by phone number', typed, {
        actionId: searchHistoryAction,
        maxLength: 40,
        placeholder: '+234 803 123 4567',
        optional: true,
        dispatchOn: 'enter',
      }),
      ...(content.kind === 'page' ? pageBlocks(content.page, options) : selectedBlocks(content, options)),
      acceptedRemark(options),
    ],
  });
}

function pageBlocks({ entries, next }: HistoryPage, options: HistoryOptions): KnownBlock[] {
  const { query, isAdmin } = options;
  const buttons = [
    ...pagingButtons(cursorPages(query, next), historyPagingActions),
    ...present(isAdmin && exportButton(query)),
  ];
  return [
    ...filterBlocks(query.filter, isAdmin),
    divider(),
    ...(entries.length === 0 ? noEntries(query) : entries.map((entry) => entryLine(entry, options))),
    ...present(buttons.length > 0 && actions('history_paging', ...buttons)),
  ];
}

function entryLine(entry: HistoryEntry, { outcomeRenderers, isAdmin }: HistoryOptions): KnownBlock {
  const open = button(openEntryAction, 'Open', { value: writeEntryId(entry) });
  return section(historyLine(entry, outcomeRenderers, { withActor: isAdmin }), open);
}

function selectedBlocks(
  content: Exclude<HistoryContent, { kind: 'page' }>,
  options: HistoryOptions,
): KnownBlock[] {
  if (content.kind === 'no_number') {
    return [divider(), section(mrkdwn`${stateIcons.failed} ${content.fault}`)];
  }
  const value = JSON.stringify(firstPageOf(options.query.filter));
  const showAll = actions(
    'history_all',
    button(historyPagingActions.newest, 'Show the whole history', { value }),
  );
  if (content.kind === 'unconfirmed') {
    const { entries } = content;
    const title =
      entries.length === 0 ? mrkdwn`*Nothing is unconfirmed.*` : mrkdwn`*Your unconfirmed outcomes*`;
    return [divider(), section(title), ...entries.map((entry) => entryLine(entry, options)), showAll];
  }
  const { entries, more, byColleagues } = content.found;
  const number = nonBreaking(formatNumber(content.number));
  if (entries.length === 0) {
    const who = options.isAdmin ? 'Nothing' : 'Nothing of yours';
    const nothing = mrkdwn`*${who} went to ${number}* within the time that numbers are kept.${insteadOfOwn(byColleagues)}`;
    return [divider(), section(nothing), showAll];
  }
  const title = more ? `Last ${entries.length} sent to ${number}` : `Sent to ${number}`;
  return [
    divider(),
    section(mrkdwn`*${title}*${besidesOwn(byColleagues)}`),
    ...entries.flatMap((entry) => [entryLine(entry, options), ...quotedText(entry, maxTextLength)]),
    showAll,
  ];
}

/** What was said to a number. */
export function quotedText({ content }: HistoryEntry, maxLength: number): KnownBlock[] {
  return content?.text ? [quotation(clampText(content.text, maxLength))] : [];
}

interface TableOptions extends HistoryOptions {
  /** The reader's time zone. */
  zone: string;
  /** False where Slack does not take a table: the entries are lines then. */
  asTable: boolean;
}

/** The history in a message, which a modal cannot be: as a table that the user can sort. */
export function historyMessage({ entries, next }: HistoryPage, options: TableOptions): SlackMessage {
  const { query, isAdmin, outcomeRenderers, zone } = options;
  // Table rows can't have buttons, so the entries are in a menu below.
  const choices = entries.map((entry) => {
    const what = stripMarkup(describeEntry(entry, outcomeRenderers));
    return option(`${sortableTime(entry.at, zone).slice(5)} ${what}`, writeEntryId(entry));
  });
  const menu = { ...select(openEntryOption, choices, undefined), placeholder: plain('Open an entry') };
  return message(mrkdwn`${historyTitle}`, [
    ...filterBlocks(query.filter, isAdmin),
    ...(entries.length === 0 ? noEntries(query) : entryRows(entries, options)),
    actions(
      'history_message',
      ...present(entries.length > 0 && menu),
      ...pagingButtons(cursorPages(query, next), historyPagingActions),
      button(openActions.history, 'Search by number'),
      ...present(isAdmin && exportButton(query)),
    ),
    acceptedRemark(options),
  ]);
}

function entryRows(entries: readonly HistoryEntry[], options: TableOptions): KnownBlock[] {
  const { outcomeRenderers, isAdmin, asTable, zone } = options;
  if (!asTable) {
    return lines(entries.map((entry) => historyLine(entry, outcomeRenderers, { withActor: isAdmin })));
  }
  const caption = isAdmin ? 'Everyone’s history, newest first' : 'Your history, newest first';
  const titles = present('Time', 'State', 'What', isAdmin && 'Who');
  const rows = entries.map((entry) =>
    present(
      textCell(sortableTime(entry.at, zone)),
      textCell(
        [...present(!isAcceptedAsOther(entry) && stateWordOf(entry)), ...deliveriesOf(entry, zone)].join(
          ' · ',
        ),
      ),
      textCell(stripMarkup(describeEntry(entry, outcomeRenderers))),
      isAdmin && userCell(actorOf(entry)),
    ),
  );
  return [dataTable(caption, titles, rows)];
}

/** What became of its messages: of one with the time, without the day where that is the entry’s. */
function deliveriesOf(entry: HistoryEntry, zone: string): string[] {
  const { deliveries, recipients } = knownOf(entry);
  const missed = missedAt(entry);
  const words = missed === undefined ? deliveryWords({ deliveries, recipients }) : ['not delivered'];
  const at = missed ?? deliveries[0]?.receivedAt;
  if (at === undefined || deliveries.length > 1 || recipients > 1) {
    return words;
  }
  const [day, time] = sortableTime(at, zone).split(' ');
  const isSameDay = sortableTime(entry.at, zone).startsWith(`${day} `);
  return words.map((word) => [word, ...(isSameDay ? [] : [day]), time].join(' '));
}

/** Shown where nothing is. */
function noEntries({ filter }: HistoryQuery): KnownBlock[] {
  return [
    section(filters.isFiltered(filter) ? mrkdwn`Nothing matches these filters.` : mrkdwn`Nothing yet.`),
  ];
}

/** Follows the title of what a user sent to a number, so that they know that others wrote to it too. */
export function besidesOwn(byColleagues: number): string {
  return byColleagues === 0 ? '' : ` by you, and ${formatCount(byColleagues)} by colleagues`;
}

/** Follows the sentence that a user sent nothing to a number. */
export function insteadOfOwn(byColleagues: number): string {
  return byColleagues === 0 ? '' : ` Sent by colleagues: ${formatCount(byColleagues)}.`;
}

/** Its value is the filter that the file follows. */
function exportButton({ filter }: HistoryQuery): Button {
  return button(exportAction, 'Export as CSV', { value: JSON.stringify(filter) });
}

function acceptedRemark({ areTracked }: HistoryOptions): KnownBlock {
  return context(
    areTracked
      ? mrkdwn`*Accepted* is the provider’s answer. *Delivered* follows once it says so.`
      : mrkdwn`*Accepted* is the provider’s answer. Delivery isn’t tracked.`,
  );
}

/** What the summaries of operations that send something have in common. */
const summarySchema = z
  .object({ route: z.string(), senderId: z.string(), recipients: z.number() })
  .partial()
  .catch({});

/** Returns what a summary has of these; nothing of one that is made otherwise. */
export function readSummary(summary: unknown): z.infer<typeof summarySchema> {
  return summarySchema.parse(summary);
}
