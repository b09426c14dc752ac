import type { Permission } from '../../domain/access/roles.ts';
import type { RejectedRow } from '../../domain/csv/rejected-row.ts';
import { createAsyncCache } from '../../lib/async-cache.ts';
import type { Log } from '../../lib/log.ts';
import { rejectedRowsFile, rejectedRowsFileName } from '../block-kit/descriptions/rejected-rows.ts';
import { mrkdwn } from '../block-kit/text.ts';
import type { Files } from '../client/files.ts';

const maxFiles = 100;

/**
 * Sends a user the rejected rows of their file, once for its key, if they are too many for a view.
 *
 * @returns whether Slack accepted the file; the caller goes on if it did not
 */
export type SendRejectedRows = (file: {
  workspaceId: string;
  userId: string;
  needed: Permission;
  key: string;
  fileName: string;
  rejected: readonly RejectedRow[];
}) => Promise<boolean>;

export function createRejectedRowsSender({ files, log }: { files: Files; log: Log }): SendRejectedRows {
  const { get: once } = createAsyncCache<void>({ max: maxFiles });
  return async ({ workspaceId, userId, needed, key, fileName, rejected }) => {
    const content = rejectedRowsFile(rejected);
    if (content === undefined) {
      return true;
    }
    const comment = mrkdwn`Skipped rows of *${fileName}*`.source;
    return once(JSON.stringify([workspaceId, key]), () =>
      files.share(workspaceId, { userId, needed }, { name: rejectedRowsFileName, content, comment }),
    ).then(
      () => true,
      (error: unknown) => {
        log.warn({ err: error }, 'a file of rejected rows could not be sent');
        return false;
      },
    );
  };
}
