import { createAsyncCache } from '../../../lib/async-cache.ts';
import { notice, section } from '../../block-kit/build.ts';
import { loadingView } from '../../block-kit/loading-view.ts';
import { pluralize } from '../../block-kit/plural.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { createOncePerDoubleClick } from '../../middleware/double-clicks.ts';
import { idempotencyKey } from '../../middleware/idempotency-key.ts';
import type { ActionRequest, User } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { historyFiles } from './export.ts';
import { isFiltered, type ShownFilter, toHistoryFilter } from './filter.ts';
import { exportAction, historyTitle } from './parts.ts';
import { historyReader, readQuery } from './query.ts';

const maxMemoizedExports = 100;

/** *Export as CSV*: everyone's history as it is filtered, for admins. */
export function registerHistoryExport(
  router: Router,
  { services: { history, audit, claims }, outcomeRenderers, files, userName }: AppContext,
): void {
  const { get: once } = createAsyncCache<number>({ max: maxMemoizedExports });

  async function share(user: User, filter: ShownFilter): Promise<number> {
    const { workspaceId, userId, zone } = user;
    const entries = history.all(historyReader(user), toHistoryFilter(filter, zone));
    const comment = describeFile(filter).source;
    let rows = 0;
    for await (const file of historyFiles(entries, { outcomeRenderers, userName, user })) {
      await files.share(workspaceId, { userId, needed: 'administer' }, { ...file, comment });
      rows += file.rows;
    }
    return rows;
  }

  async function write({ user, value, requestId, push }: ActionRequest): Promise<void> {
    const { filter } = readQuery(value);
    const replace = await push(loadingView(historyTitle, 'Writing the file…'));
    const rows = await once(idempotencyKey(user.workspaceId, requestId), () =>
      audit.recordExport(
        {
          workspaceId: user.workspaceId,
          action: 'history.export',
          details: { filtered: isFiltered(filter) },
        },
        () => share(user, filter),
      ),
    );
    await replace(
      notice(
        historyTitle,
        section(
          mrkdwn`:incoming_envelope: *The file is in your messages with Switchboard*: ${pluralize(rows, 'row')}, phone numbers masked.`,
        ),
      ),
    );
  }

  const oncePerDoubleClick = createOncePerDoubleClick(claims);
  router.action(exportAction, 'administer', (call) =>
    oncePerDoubleClick(call, exportAction, () => write(call)),
  );
}

function describeFile(filter: ShownFilter): Markup {
  return isFiltered(filter)
    ? mrkdwn`The history of this workspace by your filters, newest first`
    : mrkdwn`The history of this workspace, newest first`;
}
