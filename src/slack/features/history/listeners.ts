import { historyReader, readEntryId } from '../../../services/history/history.ts';
import { orGone } from '../../../services/refusal.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import type { ActionRequest } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { readOutcome } from '../../notifier/outcome.ts';
import { registerAskProvider } from './ask-provider.ts';
import { entryView } from './entry-view.ts';
import { registerHistoryExport } from './export.ts';
import { createHistoryList, ownFilter } from './history-list.ts';

/** In milliseconds: what ended unconfirmed is on Home for as long. */
const dayMs = 24 * 60 * 60_000;

/** The history: page by page, filtered, by phone number, entry by entry, and as a file for admins. */
export function registerHistory(router: Router, context: AppContext): void {
  const { services, time } = context;
  const list = createHistoryList(context);
  list.register(router);

  router.action(openActions.history, 'use', ({ user, open }) => list.show(open, user, {}, undefined));
  router.action(openActions.unconfirmed, 'use', ({ user, open }) => {
    const filter = ownFilter(user, 'unconfirmed', new Date(time.now().getTime() - dayMs));
    return list.showState(open, user, { ...list.start({}, undefined), filter });
  });
  router.action(openActions.notDelivered, 'use', async ({ user, open }) => {
    const at = time.now();
    const filter = ownFilter(user, 'not_delivered');
    await list.showState(open, user, { ...list.start({}, undefined), filter });
    await services.home.sawNotDelivered(user.workspaceId, user.userId, at);
  });

  router.action(openActions.historyEntry, 'use', async (call) => {
    await call.push(await entryOf(context, call));
  });

  registerAskProvider(router, context);
  registerHistoryExport(router, context, list);
}

async function entryOf(app: AppContext, { user, value }: ActionRequest) {
  const { outcomeRenderers, services } = app;
  const { history, costs, providerHistory } = services;
  const entry = orGone(await history.entry(historyReader(user), readEntryId(value)), 'entry');
  const charges = await (entry.kind === 'campaign'
    ? costs.ofCampaign(entry.campaign)
    : costs.ofOperation(entry.operation, entry.deliveries ?? []));
  const outcome = entry.kind === 'operation' ? await readOutcome(app, entry.operation, 'user') : undefined;
  return entryView(entry, outcomeRenderers, { canAsk: providerHistory.isOn, viewer: user, charges, outcome });
}
