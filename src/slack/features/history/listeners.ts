import type { AppContext } from '../../middleware/app-context.ts';
import type { ActionRequest } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { registerAskProvider } from './ask-provider-listeners.ts';
import { entryView, noEntryView } from './entry-view.ts';
import { registerHistoryExport } from './export-listeners.ts';
import { changeFilter, clearFilterAction, type FilterField, filterActions } from './filter.ts';
import { createHistoryTable, createHistoryView } from './history.ts';
import { historyPagingActions, readEntryId } from './parts.ts';
import { firstPageOf, type HistoryQuery, historyReader, readQuery } from './query.ts';
import { openEntryOption } from './table-message.ts';
import { historyCallback, historyMetadata, openEntryAction, searchHistoryAction } from './views.ts';

/** The history: page by page, filtered, by phone number, entry by entry, and as a file for admins. */
export function registerHistory(router: Router, context: AppContext): void {
  const view = createHistoryView(context);
  const sendTable = createHistoryTable(context);
  const { services, outcomeRenderers } = context;
  const { providerHistory, costs } = services;

  /** Where the user acted: in the modal or in the message. */
  async function show(call: ActionRequest, query: HistoryQuery): Promise<void> {
    if (call.view === undefined) {
      await sendTable(call.user, call.replaceMessage, query);
    } else {
      await call.view.replace(await view(call.user, { query }));
    }
  }

  router.action(openActions.history, 'use', async ({ user, open }) => {
    await open(await view(user));
  });
  router.action(openActions.unconfirmed, 'use', async ({ user, open }) => {
    const { unconfirmed } = await services.home.attention(user.workspaceId, user.userId);
    await open(await view(user, { ids: unconfirmed }));
  });

  for (const actionId of Object.values(historyPagingActions)) {
    router.action(actionId, 'use', (call) => show(call, readQuery(call.value)));
  }
  for (const field of ['person', 'kind', 'state', 'from', 'to'] satisfies FilterField[]) {
    router.action(filterActions[field], 'use', (call) =>
      show(call, firstPageOf(changeFilter(call.blockId, field, call.value))),
    );
  }
  router.action(clearFilterAction, 'use', (call) => show(call, firstPageOf({})));

  async function entryOf({ user, value }: ActionRequest) {
    const entry = await services.history.entry(historyReader(user), readEntryId(value));
    if (entry === undefined) {
      return noEntryView();
    }
    const charges = await (entry.kind === 'campaign'
      ? costs.ofCampaign(entry.campaign)
      : costs.ofOperation(entry.operation, entry.deliveries ?? []));
    const canSend = user.permissions.has('send');
    return entryView(entry, outcomeRenderers, { canAsk: providerHistory.isOn, canSend, charges });
  }
  router.action(openEntryAction, 'use', async (call) => {
    await call.push(await entryOf(call));
  });
  router.action(openEntryOption, 'use', async (call) => {
    await call.open(await entryOf(call));
  });

  router.action(searchHistoryAction, 'use', async ({ user, value, view: from }) => {
    const { filter } = historyMetadata.parse(from?.metadata);
    await from?.replace(await view(user, { query: firstPageOf(filter), typed: value }));
  });

  router.submission(historyCallback, 'use', async ({ user, values, metadata }) => {
    const { filter } = historyMetadata.parse(metadata);
    return { view: await view(user, { query: firstPageOf(filter), typed: values.number?.text }) };
  });

  registerAskProvider(router, context);
  registerHistoryExport(router, context);
}
