import type { Permission } from '../../domain/access/roles.ts';
import type { RejectedRow } from '../../domain/csv/rejected-row.ts';
import type { Log } from '../../lib/log.ts';
import type { Once } from '../../services/workspaces/once.ts';
import { rejectedRowsFile, rejectedRowsFileName } from '../block-kit/descriptions/rejected-rows.ts';
import { mrkdwn } from '../block-kit/text.ts';
import type { Files } from '../client/files.ts';

/**
 * Sends a user the rejected rows of their file, if they are too many for a view: once for its key, whichever instances are
 * asked to.
 *
 * @returns whether Slack accepted the file; the caller goes on if it did not
 */
export type SendRejectedRows = (file: {
  workspaceId: string;
  userId: string;
  needed: Permission;
  /** Made of ids. */
  key: string;
  fileName: string;
  rejected: readonly RejectedRow[];
}) => Promise<boolean>;

export function createRejectedRowsSender({
  files,
  log,
  services: { once },
}: {
  files: Files;
  log: Log;
  services: { once: Pick<Once, 'perform'> };
}): SendRejectedRows {
  return async ({ workspaceId, userId, needed, key, fileName, rejected }) => {
    const content = rejectedRowsFile(rejected);
    if (content === undefined) {
      return true;
    }
    const comment = mrkdwn`Skipped rows of *${fileName}*`.source;
    const file = { name: rejectedRowsFileName, content, comment };
    try {
      await once.perform(workspaceId, `rejected.${key}`, () =>
        files.share(workspaceId, { userId, needed }, file),
      );
      return true;
    } catch (error) {
      log.warn({ err: error }, 'a file of rejected rows could not be sent');
      return false;
    }
  };
}
