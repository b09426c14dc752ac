import type { ModalView } from '@slack/types';
import { readNumber } from '../../../domain/phone/read-number.ts';
import { onceEach } from '../../../lib/memoize-async.ts';
import type { HistoryReader } from '../../../services/history/history.ts';
import { notice, section } from '../../block-kit/build.ts';
import { firstCursor, nextCursor, previousCursor } from '../../block-kit/paging/cursor-position.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { UserError } from '../../middleware/errors.ts';
import { idempotencyKey } from '../../middleware/idempotency-key.ts';
import type { Router, User } from '../../middleware/requests.ts';
import type { Viewer } from '../../navigation/navigation.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { historyFiles } from './export.ts';
import {
  entriesPerPage,
  exportAction,
  type HistoryContent,
  type HistoryPosition,
  historyCallback,
  historyMetadata,
  historyPagingActions,
  historyPositionSchema,
  historyTitle,
  historyView,
  maxFound,
  searchHistoryAction,
  whoseAction,
} from './views.ts';

const rememberedExports = 100;

/** Admins see everyone's unless they want their own; others see their own, whatever a view says. */
function readerOf({ workspaceId, userId, role }: Viewer, whose: HistoryPosition['whose']): HistoryReader {
  return { workspaceId, userId, scope: role === 'admin' ? whose : 'own' };
}

/** The history as it is now: where the person stands in it, or what was found of the number they typed. */
export function createHistoryView({
  services,
  outcomeRenderers,
}: Pick<AppContext, 'services' | 'outcomeRenderers'>) {
  const { history, workspaces } = services;

  async function look(reader: HistoryReader, stand: HistoryPosition, typed: string): Promise<HistoryContent> {
    const text = typed.trim();
    if (text === '') {
      const page = await history.page(reader, { after: stand.after || undefined, limit: entriesPerPage });
      return { kind: 'page', page };
    }
    const { country } = await workspaces.defaults(reader.workspaceId);
    const read = readNumber(text, country);
    return read.ok
      ? { kind: 'found', number: read.number, found: await history.search(reader, read.number, maxFound) }
      : { kind: 'no_number', fault: `“${text}” ${read.reason}.` };
  }

  return async (
    viewer: Viewer,
    { stand = newest, typed = '' }: { stand?: HistoryPosition; typed?: string | undefined } = {},
  ): Promise<ModalView> => {
    const reader = readerOf(viewer, stand.whose);
    return historyView(
      await look(reader, stand, typed),
      { ...stand, whose: reader.scope },
      { outcomeRenderers, isAdmin: viewer.role === 'admin', typed },
    );
  };
}

const newest: HistoryPosition = { whose: 'everyone', ...firstCursor };

/** What was done: page by page, by number, and as a file for admins. */
export function registerHistory(router: Router, context: AppContext): void {
  const { services, outcomeRenderers, files } = context;
  const once = onceEach<number>(rememberedExports);
  const view = createHistoryView(context);

  router.action(openActions.history, async ({ user, open }) => {
    await open(await view(user));
  });

  const steps: Record<string, (stand: HistoryPosition, value: string) => HistoryPosition> = {
    [historyPagingActions.newest]: ({ whose }) => ({ whose, ...firstCursor }),
    [historyPagingActions.previous]: (stand) => ({ ...stand, ...previousCursor(stand) }),
    [historyPagingActions.next]: (stand, value) => ({ ...stand, ...nextCursor(stand, value) }),
  };
  for (const [actionId, step] of Object.entries(steps)) {
    router.action(actionId, async (call) => {
      const stand = step(historyPositionSchema.parse(call.view?.metadata), call.value);
      await call.view?.replace(await view(call.user, { stand }));
    });
  }

  router.action(whoseAction, async ({ user, value, view: from }) => {
    const stand = { ...newest, whose: value === 'own' ? 'own' : 'everyone' } as const;
    const { searched } = historyMetadata.parse(from?.metadata);
    await from?.replace(await view(user, { stand, typed: searched ? from.values.number?.text : '' }));
  });

  router.action(searchHistoryAction, async ({ user, value, view: from }) => {
    const { whose } = historyPositionSchema.parse(from?.metadata);
    await from?.replace(await view(user, { stand: { ...newest, whose }, typed: value }));
  });

  router.submission(historyCallback, async ({ user, values, metadata }) => {
    const { whose } = historyPositionSchema.parse(metadata);
    return { view: await view(user, { stand: { ...newest, whose }, typed: values.number?.text }) };
  });

  async function share(user: User): Promise<number> {
    let rows = 0;
    for await (const file of historyFiles(
      services.history.all(readerOf(user, 'everyone')),
      outcomeRenderers,
    )) {
      await files.share(
        { userId: user.userId },
        { ...file, comment: mrkdwn`What was done in this workspace, everyone’s, the newest first`.source },
      );
      rows += file.rows;
    }
    return rows;
  }

  router.action(exportAction, async ({ user, requestId, push }) => {
    if (user.role !== 'admin') {
      throw new UserError(mrkdwn`Only admins of this workspace can have everyone’s history as a file.`);
    }
    const replace = await push(
      notice(historyTitle, section(mrkdwn`:hourglass_flowing_sand: Writing the file…`)),
    );
    const rows = await once(idempotencyKey(user.workspaceId, requestId), () => share(user));
    const count = rows === 1 ? '1 row' : `${rows.toLocaleString('en')} rows`;
    await replace(
      notice(
        historyTitle,
        section(
          mrkdwn`:incoming_envelope: *The history is in your messages with Switchboard*: ${count}, phone numbers masked.`,
        ),
      ),
    );
  });
}
