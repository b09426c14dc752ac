import type { KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { formatNumber, type PhoneNumber } from '../../../domain/phone/phone-number.ts';
import type { HistoryEntry, HistoryPage, HistorySearchResult } from '../../../services/history/history.ts';
import { actions, button, context, divider, input, lines, modal, section } from '../../block-kit/build.ts';
import {
  type CursorPosition,
  cursorButtons,
  cursorPositionSchema,
} from '../../block-kit/paging/cursor-position.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { mrkdwn, nonBreaking } from '../../block-kit/text.ts';
import { historyLine } from '../../notifier/history-line.ts';
import type { OutcomeRenderers } from '../../notifier/outcome-notifier.ts';

export const historyCallback = 'history';
export const searchHistoryAction = 'history_search';
export const whoseAction = 'history_whose';
export const historyPagingActions = {
  newest: 'history_newest',
  previous: 'history_previous',
  next: 'history_next',
} as const;
export const exportAction = 'history_export';

export const historyTitle = 'History';
export const entriesPerPage = 20;
/** Entries content of a phone number. */
export const maxFound = 40;

/** Whose history is content, and which page of it. */
export const historyPositionSchema = cursorPositionSchema.extend({ whose: z.enum(['own', 'everyone']) });
export type HistoryPosition = z.infer<typeof historyPositionSchema>;

/** `searched` is whether the view shows what was found of the number in its field. */
export const historyMetadata = historyPositionSchema.extend({ searched: z.boolean() });

/** What a view shows: a page of the history, or what was found of a phone number. */
export type HistoryContent =
  | { kind: 'page'; page: HistoryPage }
  | { kind: 'found'; number: PhoneNumber; found: HistorySearchResult }
  | { kind: 'no_number'; fault: string };

/** The history in a modal. `typed` prefills the search. */
export function historyView(
  content: HistoryContent,
  position: HistoryPosition,
  {
    outcomeRenderers,
    isAdmin,
    typed = '',
  }: { outcomeRenderers: OutcomeRenderers; isAdmin: boolean; typed?: string | undefined },
): ModalView {
  const withActor = position.whose === 'everyone';
  const list = (entries: readonly HistoryEntry[]) =>
    lines(entries.map((entry) => historyLine(entry, outcomeRenderers, { withActor })));
  return modal({
    callbackId: historyCallback,
    title: historyTitle,
    submit: 'Search',
    metadata: { ...position, searched: content.kind !== 'page' },
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
      ...(isAdmin ? [whoseAndExport(position)] : []),
      divider(),
      ...(content.kind === 'page'
        ? [...nothingYet(content.page), ...list(content.page.entries), ...paging(position, content.page.next)]
        : searched(content, position, list)),
      context(mrkdwn`“Accepted” is the provider’s word, not yet delivery to the handset.`),
    ],
  });
}

function whoseAndExport({ whose }: HistoryPosition): KnownBlock {
  const other =
    whose === 'own'
      ? button(whoseAction, 'Show everyone’s', { value: 'everyone' })
      : button(whoseAction, 'Show only mine', { value: 'own' });
  return actions('history_whose', other, button(exportAction, 'Export as CSV'));
}

function nothingYet({ entries }: HistoryPage): KnownBlock[] {
  return entries.length === 0 ? [section(mrkdwn`Nothing yet.`)] : [];
}

function paging(cursor: CursorPosition, next: string | undefined): KnownBlock[] {
  const buttons = cursorButtons(cursor, next, historyPagingActions);
  return buttons.length === 0 ? [] : [actions('history_paging', ...buttons)];
}

function searched(
  content: Exclude<HistoryContent, { kind: 'page' }>,
  { whose }: HistoryPosition,
  list: (entries: readonly HistoryEntry[]) => KnownBlock[],
): KnownBlock[] {
  if (content.kind === 'no_number') {
    return [section(mrkdwn`${stateIcons.failed} ${content.fault}`)];
  }
  const { entries, more } = content.found;
  const number = nonBreaking(formatNumber(content.number));
  if (entries.length === 0) {
    const who = whose === 'own' ? 'Nothing of yours' : 'Nothing';
    return [
      section(mrkdwn`*${who} went to ${number}*, as far back as it can be found by its number.`),
      showAll,
    ];
  }
  const count = entries.length === 1 ? 'What' : `The ${more ? 'last ' : ''}${entries.length} things that`;
  return [section(mrkdwn`*${count} went to ${number}*`), ...list(entries), showAll];
}

const showAll = actions('history_all', button(historyPagingActions.newest, 'Show the whole history'));
