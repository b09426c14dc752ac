import type { KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import type { HistoryPage } from '../../services/history.ts';
import { actions, button, context, divider, lines, modal, section } from '../blocks/build.ts';
import { mrkdwn } from '../blocks/text.ts';
import { type Trail, trailButtons, trailSchema } from '../blocks/trail.ts';
import type { Wordings } from '../telling.ts';
import { historyLine } from './line.ts';

/** Opens the history, from wherever it is offered. */
export const openHistoryAction = 'open_history';
export const whoseAction = 'history_whose';
export const turnHistory = {
  newest: 'history_newest',
  previous: 'history_previous',
  next: 'history_next',
} as const;
export const exportAction = 'history_export';

export const title = 'History';
/** Of lines on a page. */
export const perPage = 20;

/** Whose history a person sees, and which page of it. */
export const standSchema = trailSchema.extend({ whose: z.enum(['own', 'everyone']) });
export type Stand = z.infer<typeof standSchema>;

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
      ...paging(stand, page.next),
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

function paging(trail: Trail, next: string | undefined): KnownBlock[] {
  const turning = trailButtons(trail, next, turnHistory);
  return turning.length === 0 ? [] : [actions('history_paging', ...turning)];
}
