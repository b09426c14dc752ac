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
/** Of lines on a page. */
export const entriesPerPage = 20;
/** Of what was found of a number. */
export const maxFound = 40;

/** Whose history a person sees, and which page of it. */
export const historyPositionSchema = cursorPositionSchema.extend({ whose: z.enum(['own', 'everyone']) });
export type HistoryPosition = z.infer<typeof historyPositionSchema>;

/** What a view knows again: besides, whether it shows what was found of the number in its field. */
export const historyMetadata = historyPositionSchema.extend({ searched: z.boolean() });

/** What a person sees of the history: a page of it, or what was found of a number. */
export type HistoryContent =
  | { kind: 'page'; page: HistoryPage }
  | { kind: 'found'; number: PhoneNumber; found: HistorySearchResult }
  | { kind: 'no_number'; fault: string };

/** What was done, for one person alone; an admin may see everyone's. `typed` is what the search begins with. */
export function historyView(
  shown: HistoryContent,
  stand: HistoryPosition,
  {
    outcomeRenderers,
    isAdmin,
    typed = '',
  }: { outcomeRenderers: OutcomeRenderers; isAdmin: boolean; typed?: string | undefined },
): ModalView {
  const withActor = stand.whose === 'everyone';
  const list = (entries: readonly HistoryEntry[]) =>
    lines(entries.map((entry) => historyLine(entry, outcomeRenderers, { withActor })));
  return modal({
    callbackId: historyCallback,
    title: historyTitle,
    submit: 'Search',
    metadata: { ...stand, searched: shown.kind !== 'page' },
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
      ...(isAdmin ? [whoseAndExport(stand)] : []),
      divider(),
      ...(shown.kind === 'page'
        ? [...nothingYet(shown.page), ...list(shown.page.entries), ...paging(stand, shown.page.next)]
        : searched(shown, stand, list)),
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

function paging(trail: CursorPosition, next: string | undefined): KnownBlock[] {
  const turning = cursorButtons(trail, next, historyPagingActions);
  return turning.length === 0 ? [] : [actions('history_paging', ...turning)];
}

function searched(
  shown: Exclude<HistoryContent, { kind: 'page' }>,
  { whose }: HistoryPosition,
  list: (entries: readonly HistoryEntry[]) => KnownBlock[],
): KnownBlock[] {
  if (shown.kind === 'no_number') {
    return [section(mrkdwn`:x: ${shown.fault}`)];
  }
  const { entries, more } = shown.found;
  const number = nonBreaking(formatNumber(shown.number));
  if (entries.length === 0) {
    const who = whose === 'own' ? 'Nothing of yours' : 'Nothing';
    return [
      section(mrkdwn`*${who} went to ${number}*, as far back as it can be found by its number.`),
      allOfIt,
    ];
  }
  const count = entries.length === 1 ? 'What' : `The ${more ? 'last ' : ''}${entries.length} things that`;
  return [section(mrkdwn`*${count} went to ${number}*`), ...list(entries), allOfIt];
}

const allOfIt = actions('history_all', button(historyPagingActions.newest, 'Show the whole history'));
