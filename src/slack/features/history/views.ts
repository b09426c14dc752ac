import type { KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { formatNumber, type PhoneNumber } from '../../../domain/phone/phone-number.ts';
import type { HistoryEntry, HistoryPage, HistorySearchResult } from '../../../services/history/history.ts';
import { actions, button, divider, input, modal, quotation, section } from '../../block-kit/build.ts';
import { clampText } from '../../block-kit/limits.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { mrkdwn, nonBreaking } from '../../block-kit/text.ts';
import { historyLine } from '../../notifier/history-line.ts';
import type { OutcomeRenderers } from '../../notifier/outcome-notifier.ts';
import { filterBlock, shownFilterSchema } from './filter.ts';
import {
  acceptedRemark,
  besidesOwn,
  exportButton,
  historyPageButtons,
  historyPagingActions,
  historyTitle,
  insteadOfOwn,
  noEntries,
  writeEntryId,
} from './parts.ts';
import { firstPageOf, type HistoryQuery, writeQuery } from './query.ts';

export const historyCallback = 'history';
export const searchHistoryAction = 'history_search';
export const openEntryAction = 'history_open';

export const entriesPerPage = 20;
/** Entries shown of a phone number. */
export const maxFound = 30;
/** Of a text below its entry, in characters; the entry itself shows all of it. */
const maxTextLength = 400;

/** The filter is kept while a number is searched for. */
export const historyMetadata = z.object({ filter: shownFilterSchema });

/** What a view shows: a page of the history, unconfirmed outcomes of the user, or what was found of a phone number. */
export type HistoryContent =
  | { kind: 'page'; page: HistoryPage }
  | { kind: 'unconfirmed'; entries: readonly HistoryEntry[] }
  | { kind: 'found'; number: PhoneNumber; found: HistorySearchResult }
  | { kind: 'no_number'; fault: string };

interface HistoryViewOptions {
  query: HistoryQuery;
  outcomeRenderers: OutcomeRenderers;
  isAdmin: boolean;
  /** Whether the provider says what becomes of messages. */
  areTracked: boolean;
  /** Prefills the search. */
  typed?: string | undefined;
}

/** The history in a modal. */
export function historyView(content: HistoryContent, options: HistoryViewOptions): ModalView {
  const { query, typed = '' } = options;
  return modal({
    callbackId: historyCallback,
    title: historyTitle,
    submit: 'Search',
    metadata: { filter: query.filter },
    blocks: [
      input(
        'number',
        'Search by phone number',
        {
          type: 'plain_text_input',
          action_id: searchHistoryAction,
          max_length: 40,
          placeholder: { type: 'plain_text', text: '+234 803 123 4567' },
          dispatch_action_config: { trigger_actions_on: ['on_enter_pressed'] },
          ...(typed === '' ? {} : { initial_value: typed.slice(0, 40) }),
        },
        { optional: true, dispatch: true },
      ),
      ...(content.kind === 'page' ? page(content.page, options) : selected(content, options)),
      acceptedRemark(options.areTracked),
    ],
  });
}

function page(shown: HistoryPage, options: HistoryViewOptions): KnownBlock[] {
  const { query, isAdmin } = options;
  const buttons = [...historyPageButtons(query, shown), ...(isAdmin ? [exportButton(query)] : [])];
  return [
    filterBlock(query.filter, { isAdmin }),
    divider(),
    ...(shown.entries.length === 0
      ? noEntries(query)
      : shown.entries.map((entry) => entryLine(entry, options))),
    ...(buttons.length === 0 ? [] : [actions('history_paging', ...buttons)]),
  ];
}

function entryLine(
  entry: HistoryEntry,
  { outcomeRenderers, isAdmin }: Pick<HistoryViewOptions, 'outcomeRenderers' | 'isAdmin'>,
): KnownBlock {
  const line = section(historyLine(entry, outcomeRenderers, { withActor: isAdmin }));
  return { ...line, accessory: button(openEntryAction, 'Open', { value: writeEntryId(entry) }) };
}

function selected(
  content: Exclude<HistoryContent, { kind: 'page' }>,
  options: HistoryViewOptions,
): KnownBlock[] {
  if (content.kind === 'no_number') {
    return [divider(), section(mrkdwn`${stateIcons.failed} ${content.fault}`)];
  }
  const whole = writeQuery(firstPageOf(options.query.filter));
  const showAll = actions(
    'history_all',
    button(historyPagingActions.newest, 'Show the whole history', { value: whole }),
  );
  if (content.kind === 'unconfirmed') {
    return [
      divider(),
      section(
        content.entries.length === 0
          ? mrkdwn`*Nothing is unconfirmed.*`
          : mrkdwn`*Your unconfirmed outcomes*`,
      ),
      ...content.entries.map((entry) => entryLine(entry, options)),
      showAll,
    ];
  }
  const { entries, more, byColleagues } = content.found;
  const number = nonBreaking(formatNumber(content.number));
  if (entries.length === 0) {
    const who = options.isAdmin ? 'Nothing' : 'Nothing of yours';
    return [
      divider(),
      section(
        mrkdwn`*${who} went to ${number}* within the time that numbers are kept.${insteadOfOwn(byColleagues)}`,
      ),
      showAll,
    ];
  }
  const title = more ? `The last ${entries.length} sent to ${number}` : `Sent to ${number}`;
  return [
    divider(),
    section(mrkdwn`*${title}*${besidesOwn(byColleagues)}`),
    ...entries.flatMap((entry) => [entryLine(entry, options), ...textOf(entry)]),
    showAll,
  ];
}

/** What was said to the number. */
function textOf({ content }: HistoryEntry): KnownBlock[] {
  return content?.text ? [quotation(clampText(content.text, maxTextLength))] : [];
}
