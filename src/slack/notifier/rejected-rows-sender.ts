import type { RejectedRow } from '../../domain/csv/number-column.ts';
import type { Log } from '../../lib/log.ts';
import { onceEach } from '../../lib/memoize-async.ts';
import { rejectedRowsFile, rejectedRowsFileName } from '../block-kit/rejected-rows.ts';
import { mrkdwn } from '../block-kit/text.ts';
import type { Files } from '../client/files.ts';

const rememberedFiles = 100;

/**
 * Sends a person the rows of their file that were left out, once for its key, where they are too many to stand in a view.
 *
 * @returns whether Slack took it; what the rows belong to goes on where it did not
 */
export type SendRejectedRows = (file: {
  userId: string;
  key: string;
  fileName: string;
  bad: readonly RejectedRow[];
}) => Promise<boolean>;

export function createRejectedRowsSender({ files, log }: { files: Files; log: Log }): SendRejectedRows {
  const once = onceEach<void>(rememberedFiles);
  return async ({ userId, key, fileName, bad }) => {
    const content = rejectedRowsFile(bad);
    if (content === undefined) {
      return true;
    }
    const comment = mrkdwn`The rows of *${fileName}* that were left out`.source;
    return once(key, () => files.share({ userId }, { name: rejectedRowsFileName, content, comment })).then(
      () => true,
      (error: unknown) => {
        log.warn({ err: error }, 'the rows left out could not be sent');
        return false;
      },
    );
  };
}
