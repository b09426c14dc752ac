import type { ModalView } from '@slack/types';
import { readNumber } from '../../../domain/phone/read-number.ts';
import type { HistoryEntryId } from '../../../services/history/history.ts';
import type { SlackMessage } from '../../block-kit/message.ts';
import { isContentRejected } from '../../client/slack-errors.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import type { Viewer } from '../../navigation/navigation.ts';
import { toHistoryFilter } from './filter.ts';
import { firstPageOf, type HistoryQuery, historyReader } from './query.ts';
import { entriesPerTable, historyMessage } from './table-message.ts';
import { entriesPerPage, type HistoryContent, historyView, maxFound } from './views.ts';

type Parts = Pick<AppContext, 'services' | 'outcomeRenderers'>;

/** The history as it is now: a page of it, what is found of a number that was typed, or unconfirmed outcomes by their ids. */
export function createHistoryView({ services, outcomeRenderers }: Parts) {
  const { history, workspaces } = services;

  async function read(viewer: Viewer, query: HistoryQuery, typed: string): Promise<HistoryContent> {
    const reader = historyReader(viewer);
    const text = typed.trim();
    if (text === '') {
      const filter = toHistoryFilter(query.filter, viewer.zone);
      const page = await history.page(reader, {
        filter,
        after: query.after || undefined,
        limit: entriesPerPage,
      });
      return { kind: 'page', page };
    }
    const { country } = await workspaces.defaults(viewer.workspaceId);
    const parsed = readNumber(text, country);
    return parsed.ok
      ? { kind: 'found', number: parsed.number, found: await history.search(reader, parsed.number, maxFound) }
      : { kind: 'no_number', fault: `“${text}” ${parsed.reason}.` };
  }

  async function readUnconfirmed(viewer: Viewer, ids: readonly HistoryEntryId[]): Promise<HistoryContent> {
    const reader = historyReader(viewer);
    const entries = await Promise.all(ids.map((id) => history.entry(reader, id)));
    return { kind: 'unconfirmed', entries: entries.filter((entry) => entry !== undefined) };
  }

  return async (
    viewer: Viewer,
    {
      query = firstPageOf({}),
      typed = '',
      ids,
    }: { query?: HistoryQuery; typed?: string | undefined; ids?: readonly HistoryEntryId[] } = {},
  ): Promise<ModalView> =>
    historyView(await (ids === undefined ? read(viewer, query, typed) : readUnconfirmed(viewer, ids)), {
      query,
      outcomeRenderers,
      isAdmin: viewer.permissions.has('administer'),
      areTracked: areTracked(services),
      typed,
    });
}

/** Sends the history as a message with a table, or with a list where Slack does not take the table. */
export function createHistoryTable({ services, outcomeRenderers }: Parts) {
  const { history } = services;
  return async (
    viewer: Viewer,
    send: (message: SlackMessage) => Promise<void>,
    query: HistoryQuery = firstPageOf({}),
  ): Promise<void> => {
    const { zone } = viewer;
    const page = await history.page(historyReader(viewer), {
      filter: toHistoryFilter(query.filter, zone),
      after: query.after || undefined,
      limit: entriesPerTable,
    });
    const options = {
      query,
      outcomeRenderers,
      isAdmin: viewer.permissions.has('administer'),
      areTracked: areTracked(services),
      zone,
    };
    try {
      await send(historyMessage(page, { ...options, asTable: true }));
    } catch (error) {
      if (!isContentRejected(error)) {
        throw error;
      }
      await send(historyMessage(page, { ...options, asTable: false }));
    }
  };
}

function areTracked({ reports, providerHistory }: Parts['services']): boolean {
  return reports.isOn || providerHistory.isOn;
}
