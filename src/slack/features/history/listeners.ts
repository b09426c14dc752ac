import { firstCursor, nextCursor, previousCursor } from '../../block-kit/paging/cursor-position.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import type { Router } from '../../middleware/router/router.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { registerHistoryExport } from './export-listeners.ts';
import { createHistoryView, firstPage } from './history.ts';
import {
  type HistoryPosition,
  historyCallback,
  historyMetadata,
  historyPagingActions,
  historyPositionSchema,
  searchHistoryAction,
  whoseAction,
} from './views.ts';

/** The history: page by page, by phone number, and as a file for admins. */
export function registerHistory(router: Router, context: AppContext): void {
  const view = createHistoryView(context);

  router.action(openActions.history, async ({ user, open }) => {
    await open(await view(user));
  });

  const steps: Record<string, (position: HistoryPosition, value: string) => HistoryPosition> = {
    [historyPagingActions.newest]: ({ whose }) => ({ whose, ...firstCursor }),
    [historyPagingActions.previous]: (position) => ({ ...position, ...previousCursor(position) }),
    [historyPagingActions.next]: (position, value) => ({ ...position, ...nextCursor(position, value) }),
  };
  for (const [actionId, step] of Object.entries(steps)) {
    router.action(actionId, async (call) => {
      const position = step(historyPositionSchema.parse(call.view?.metadata), call.value);
      await call.view?.replace(await view(call.user, { position }));
    });
  }

  router.action(whoseAction, async ({ user, value, view: from }) => {
    const position = { ...firstPage, whose: value === 'own' ? 'own' : 'everyone' } as const;
    const { searched } = historyMetadata.parse(from?.metadata);
    await from?.replace(await view(user, { position, typed: searched ? from.values.number?.text : '' }));
  });

  router.action(searchHistoryAction, async ({ user, value, view: from }) => {
    const { whose } = historyPositionSchema.parse(from?.metadata);
    await from?.replace(await view(user, { position: { ...firstPage, whose }, typed: value }));
  });

  router.submission(historyCallback, async ({ user, values, metadata }) => {
    const { whose } = historyPositionSchema.parse(metadata);
    return { view: await view(user, { position: { ...firstPage, whose }, typed: values.number?.text }) };
  });

  registerHistoryExport(router, context);
}
