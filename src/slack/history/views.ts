import type { KnownBlock, ModalView } from '@slack/types';
import type { HistoryPage } from '../../services/history.ts';
import { actions, button, context, divider, lines, modal, section } from '../blocks/build.ts';
import { mrkdwn } from '../blocks/text.ts';
import type { Wordings } from '../telling.ts';
import { historyLine } from './line.ts';
import type { Stand } from './stand.ts';

/** Opens the history, from wherever it is offered. */
export const openHistoryAction = 'open_history';
export const whoseAction = 'history_whose';
export const newestAction = 'history_newest';
export const previousAction = 'history_previous';
export const nextAction = 'history_next';
export const exportAction = 'history_export';

export const title = 'History';
/** Of lines on a page. */
export const perPage = 20;

/** A page of what was done; an admin may see everyone's. */
export function historyView(
  page: HistoryPage,
  stand: Stand,
  { wordings, isAdmin }: { wordings: Wordings; isAdmin: boolean },
): ModalView {
  const withActor = stand.whose === 'everyone';
  const listed = page.deeds.map((deed) => historyLine(deed, wordings, { withActor }));
  return modal({
    callbackId: 'history',
    title,
    metadata: stand,
    blocks: [
      ...(isAdmin ? whoseAndExport(stand) : []),
      ...(listed.length === 0 ? [section(mrkdwn`Nothing yet.`)] : lines(listed)),
      ...paging(page, stand),
      context(mrkdwn`“Accepted” is the provider’s word, not yet delivery to the handset.`),
    ],
  });
}

function whoseAndExport({ whose }: Stand): KnownBlock[] {
  const other =
    whose === 'own'
      ? button(whoseAction, 'Show everyone’s', { value: 'everyone' })
      : button(whoseAction, 'Show only mine', { value: 'own' });
  return [actions('history_whose', other, button(exportAction, 'Export as CSV')), divider()];
}

function paging({ next }: HistoryPage, { after, trail }: Stand): KnownBlock[] {
  const begins = after.operation === undefined;
  const turning = [
    ...(trail.length > 1 ? [button(newestAction, 'Newest')] : []),
    ...(begins ? [] : [button(previousAction, 'Previous')]),
    ...(next === undefined ? [] : [button(nextAction, 'Next', { value: JSON.stringify(next) })]),
  ];
  return turning.length === 0 ? [] : [actions('history_paging', ...turning)];
}
