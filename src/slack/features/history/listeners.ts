import type { KnownBlock, ModalView } from '@slack/types';
import type { PhoneNumber } from '../../../domain/phone/phone-number.ts';
import { readNumber } from '../../../domain/phone/read-number.ts';
import { type HistoryEntryId, historyReader, readEntryId } from '../../../services/history/history.ts';
import { context, present, section } from '../../block-kit/build.ts';
import type { SlackMessage } from '../../block-kit/message.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import { isContentRejected } from '../../client/slack-errors.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { onPaging } from '../../middleware/list-buttons.ts';
import type { ActionRequest } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import type { Viewer } from '../../navigation/navigation.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { historyLine } from '../../notifier/history-line.ts';
import { readOutcome } from '../../notifier/outcome.ts';
import { registerAskProvider } from './ask-provider.ts';
import { entryView, noEntryView } from './entry-view.ts';
import { registerHistoryExport } from './export.ts';
import {
  filters,
  firstPageOf,
  type HistoryQuery,
  historyQuerySchema,
  shownFilterSchema,
  toHistoryFilter,
} from './query.ts';
import {
  besidesOwn,
  entriesPerPage,
  entriesPerTable,
  type HistoryContent,
  historyCallback,
  historyMessage,
  historyPagingActions,
  historyView,
  insteadOfOwn,
  maxFound,
  openEntryOption,
  quotedText,
  searchHistoryAction,
} from './views.ts';

/** The history: page by page, filtered, by phone number, entry by entry, and as a file for admins. */
export function registerHistory(router: Router, context: AppContext): void {
  const { home } = context.services;
  /** Shows a page where the user acted: in the modal or in the message. */
  async function show({ user, view, replaceMessage }: ActionRequest, query: HistoryQuery): Promise<void> {
    if (view === undefined) {
      await sendHistoryTable(context, user, replaceMessage, query);
    } else {
      await view.replace(await historyOf(context, user, { query }));
    }
  }
  const search = (user: Viewer, metadata: unknown, typed: string | undefined) =>
    historyOf(context, user, { query: firstPageOf(shownFilterSchema.parse(metadata).filter), typed });

  router.action(openActions.history, 'use', async ({ user, open }) => {
    await open(await historyOf(context, user));
  });
  router.action(openActions.unconfirmed, 'use', async ({ user, open }) => {
    const { unconfirmed } = await home.attention(user.workspaceId, user.userId);
    await open(await historyOf(context, user, { ids: unconfirmed }));
  });
  router.action(openActions.notDelivered, 'use', async ({ user, open }) => {
    const person = historyReader(user).scope === 'everyone' ? user.userId : undefined;
    const query = firstPageOf(filters.read({ state: 'not_delivered', person }));
    const at = context.time.now();
    await open(await historyOf(context, user, { query }));
    await home.sawNotDelivered(user.workspaceId, user.userId, at);
  });

  onPaging(router, historyPagingActions, 'use', historyQuerySchema, show);
  for (const name of filters.names) {
    router.action(filters.actionOf(name), 'use', (call) =>
      show(call, firstPageOf(filters.changed(filters.ofBlock(call.blockId), name, call.value))),
    );
  }
  router.action(filters.clearAction, 'use', (call) => show(call, firstPageOf({})));

  router.action(openActions.historyEntry, 'use', async (call) => {
    await call.push(await entryOf(context, call));
  });
  router.action(openEntryOption, 'use', async (call) => {
    await call.open(await entryOf(context, call));
  });

  router.action(searchHistoryAction, 'use', async ({ user, value, view }) => {
    await view?.replace(await search(user, view.metadata, value));
  });
  router.submission(historyCallback, 'use', async ({ user, values, metadata }) => ({
    view: await search(user, metadata, values.number?.text),
  }));

  registerAskProvider(router, context);
  registerHistoryExport(router, context);
}

async function entryOf(app: AppContext, { user, value }: ActionRequest) {
  const { outcomeRenderers, services } = app;
  const { history, costs, providerHistory } = services;
  const entry = await history.entry(historyReader(user), readEntryId(value));
  if (entry === undefined) {
    return noEntryView();
  }
  const charges = await (entry.kind === 'campaign'
    ? costs.ofCampaign(entry.campaign)
    : costs.ofOperation(entry.operation, entry.deliveries ?? []));
  const outcome = entry.kind === 'operation' ? await readOutcome(app, entry.operation, 'user') : undefined;
  return entryView(entry, outcomeRenderers, { canAsk: providerHistory.isOn, viewer: user, charges, outcome });
}

type HistoryContext = Pick<AppContext, 'services' | 'outcomeRenderers'>;

/** The history as it is now: a page of it, what is found of a number that was typed, or unconfirmed outcomes by their ids. */
export async function historyOf(
  context: HistoryContext,
  viewer: Viewer,
  {
    query = firstPageOf({}),
    typed = '',
    ids,
  }: { query?: HistoryQuery; typed?: string | undefined; ids?: readonly HistoryEntryId[] } = {},
): Promise<ModalView> {
  const content = await readContent(context, viewer, { query, typed: typed.trim(), ids });
  return historyView(content, optionsOf(context, viewer, query), typed);
}

async function readContent(
  { services: { history, workspaces } }: HistoryContext,
  viewer: Viewer,
  { query, typed, ids }: { query: HistoryQuery; typed: string; ids: readonly HistoryEntryId[] | undefined },
): Promise<HistoryContent> {
  const reader = historyReader(viewer);
  if (ids !== undefined) {
    const entries = await Promise.all(ids.map((id) => history.entry(reader, id)));
    return { kind: 'unconfirmed', entries: present(...entries) };
  }
  if (typed === '') {
    return { kind: 'page', page: await history.page(reader, pageOf(query, viewer, entriesPerPage)) };
  }
  const { country } = await workspaces.defaults(viewer.workspaceId);
  const parsed = readNumber(typed, country);
  return parsed.ok
    ? { kind: 'found', number: parsed.number, found: await history.search(reader, parsed.number, maxFound) }
    : { kind: 'no_number', fault: `“${typed}” ${parsed.reason}.` };
}

/** Sends the history as a message with a table, or with a list where Slack does not take the table. */
export async function sendHistoryTable(
  context: HistoryContext,
  viewer: Viewer,
  send: (message: SlackMessage) => Promise<void>,
  query: HistoryQuery = firstPageOf({}),
): Promise<void> {
  const { zone } = viewer;
  const page = await context.services.history.page(
    historyReader(viewer),
    pageOf(query, viewer, entriesPerTable),
  );
  const options = { ...optionsOf(context, viewer, query), zone };
  try {
    await send(historyMessage(page, { ...options, asTable: true }));
  } catch (error) {
    if (!isContentRejected(error)) {
      throw error;
    }
    await send(historyMessage(page, { ...options, asTable: false }));
  }
}

function pageOf({ filter, after }: HistoryQuery, { zone }: Viewer, limit: number) {
  return { filter: toHistoryFilter(filter, zone), after: after || undefined, limit };
}

function optionsOf(
  { services, outcomeRenderers }: HistoryContext,
  { permissions }: Viewer,
  query: HistoryQuery,
) {
  const { reports, providerHistory } = services;
  return {
    query,
    outcomeRenderers,
    isAdmin: permissions.has('administer'),
    areTracked: reports.isOn || providerHistory.isOn,
  };
}

/** Messages on a number’s card: the rest is in its history. */
const maxShown = 3;
/** Of a text on a card, in characters. */
const maxTextLength = 200;

/** The last messages to a number and how each ended, for its card: the viewer’s own, or for an admin everyone’s. */
export async function lastSentTo(
  { services: { history }, outcomeRenderers }: HistoryContext,
  viewer: Viewer,
  number: PhoneNumber,
): Promise<KnownBlock[]> {
  const reader = historyReader(viewer);
  const withActor = reader.scope === 'everyone';
  const { entries, more, byColleagues } = await history.search(reader, number, maxShown);
  if (entries.length === 0) {
    const nothing = withActor
      ? mrkdwn`No recent messages.`
      : mrkdwn`No recent messages from you.${insteadOfOwn(byColleagues)}`;
    return [context(nothing)];
  }
  const title = more ? `Last ${maxShown} messages` : 'Messages';
  return [
    section(mrkdwn`*${title}*${besidesOwn(byColleagues)}`),
    ...entries.flatMap((entry) => [
      section(historyLine(entry, outcomeRenderers, { withActor })),
      ...quotedText(entry, maxTextLength),
    ]),
  ];
}
