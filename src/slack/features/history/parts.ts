import type { Button, KnownBlock } from '@slack/types';
import { z } from 'zod';
import type { HistoryEntry, HistoryEntryId, HistoryPage } from '../../../services/history/history.ts';
import { button, context, section } from '../../block-kit/build.ts';
import { formatCount } from '../../block-kit/plural.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import { isFiltered } from './filter.ts';
import { firstPageOf, type HistoryQuery, pageAfter, pageBefore, writeQuery } from './query.ts';

export const historyPagingActions = {
  newest: 'history_newest',
  previous: 'history_previous',
  next: 'history_next',
} as const;
export const exportAction = 'history_export';

export const historyTitle = 'History';

/** Shown where nothing is. */
export function noEntries({ filter }: HistoryQuery): KnownBlock[] {
  return [section(isFiltered(filter) ? mrkdwn`Nothing matches these filters.` : mrkdwn`Nothing yet.`)];
}

/** *Newest*, *Previous* and *Next*, where there is one. The value of each is the page that it shows. */
export function historyPageButtons(query: HistoryQuery, { next }: HistoryPage): Button[] {
  const { newest, previous, next: following } = historyPagingActions;
  return [
    ...(query.by.length > 1
      ? [button(newest, 'Newest', { value: writeQuery(firstPageOf(query.filter)) })]
      : []),
    ...(query.after === '' ? [] : [button(previous, 'Previous', { value: writeQuery(pageBefore(query)) })]),
    ...(next === undefined ? [] : [button(following, 'Next', { value: writeQuery(pageAfter(query, next)) })]),
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
export function exportButton({ filter }: HistoryQuery): Button {
  return button(exportAction, 'Export as CSV', { value: writeQuery(firstPageOf(filter)) });
}

/** `areTracked`: whether the provider says what becomes of messages. */
export function acceptedRemark(areTracked: boolean): KnownBlock {
  return context(
    areTracked
      ? mrkdwn`*Accepted* is the provider’s answer. *Delivered* follows once it says so.`
      : mrkdwn`*Accepted* is the provider’s answer. Delivery isn’t tracked.`,
  );
}

/** An entry as the value of a button or an option. */
export function writeEntryId(entry: HistoryEntry): string {
  return entry.kind === 'operation' ? `operation:${entry.operation.id}` : `campaign:${entry.campaign.id}`;
}

export function readEntryId(value: string): HistoryEntryId {
  const separator = value.indexOf(':');
  return {
    kind: value.slice(0, separator) === 'campaign' ? 'campaign' : 'operation',
    id: value.slice(separator + 1),
  };
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
