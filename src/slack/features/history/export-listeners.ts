import { createAsyncCache } from '../../../lib/async-cache.ts';
import { notice, section } from '../../block-kit/build.ts';
import { loadingView } from '../../block-kit/loading-view.ts';
import { pluralize } from '../../block-kit/plural.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { UserError } from '../../middleware/errors.ts';
import { idempotencyKey } from '../../middleware/idempotency-key.ts';
import type { User } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { historyFiles } from './export.ts';
import { historyReader } from './history.ts';
import { exportAction, historyTitle } from './views.ts';

const maxMemoizedExports = 100;

/** *Export as CSV*: everyone's history, for admins. */
export function registerHistoryExport(
  router: Router,
  { services: { history }, outcomeRenderers, files }: AppContext,
): void {
  const { get: once } = createAsyncCache<number>({ max: maxMemoizedExports });

  async function share(user: User): Promise<number> {
    let rows = 0;
    const entries = history.all(historyReader(user, 'everyone'));
    for await (const file of historyFiles(entries, outcomeRenderers)) {
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
    const replace = await push(loadingView(historyTitle, 'Writing the file…'));
    const rows = await once(idempotencyKey(user.workspaceId, requestId), () => share(user));
    await replace(
      notice(
        historyTitle,
        section(
          mrkdwn`:incoming_envelope: *The history is in your messages with Switchboard*: ${pluralize(rows, 'row')}, phone numbers masked.`,
        ),
      ),
    );
  });
}
