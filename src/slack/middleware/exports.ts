import { createAsyncCache } from '../../lib/async-cache.ts';
import type { AuditRecord } from '../../services/audit/audit-service.ts';
import { notice, section } from '../block-kit/build.ts';
import { loadingView } from '../block-kit/loading-view.ts';
import { mrkdwn } from '../block-kit/text.ts';
import type { SharedFile } from '../client/files.ts';
import type { AppContext } from './app-context.ts';
import { createOncePerDoubleClick } from './double-clicks.ts';
import { idempotencyKey } from './idempotency-key.ts';
import type { ActionRequest } from './requests.ts';
import type { Router } from './router/router.ts';

/** A file of an export, and how many rows it has. */
export type ExportedFile = Pick<SharedFile, 'name' | 'content'> & { rows: number };

/** One export: its entry in the audit, its files, each made when it is requested, and their comment. */
interface Export {
  entry: Omit<AuditRecord, 'workspaceId' | 'outcome'>;
  files: AsyncIterable<ExportedFile>;
  comment: string;
}

const maxMemoizedExports = 100;

/**
 * Registers a button that sends an admin files as direct messages: once for a request and for a double click, and recorded
 * in the audit.
 *
 * @param count what follows *The file is in your messages*, without the full stop: *3 rows*
 */
export function onExport(
  router: Router,
  { services: { audit, claims }, files }: AppContext,
  actionId: string,
  {
    title,
    exportOf,
    count,
  }: {
    title: string;
    exportOf: (call: ActionRequest) => Export;
    count: (rows: number) => string;
  },
): void {
  const { get: once } = createAsyncCache<number>({ max: maxMemoizedExports });
  const oncePerDoubleClick = createOncePerDoubleClick(claims);

  async function share({ workspaceId, userId }: ActionRequest['user'], sent: Export): Promise<number> {
    let total = 0;
    for await (const { rows, ...file } of sent.files) {
      const { comment } = sent;
      await files.share(workspaceId, { userId, needed: 'administer' }, { ...file, comment });
      total += rows;
    }
    return total;
  }

  async function write(call: ActionRequest): Promise<void> {
    const { workspaceId } = call.user;
    const sent = exportOf(call);
    const replace = await call.push(loadingView(title, 'Writing the file…'));
    const rows = await once(idempotencyKey(workspaceId, call.requestId), () =>
      audit.recordExport({ workspaceId, ...sent.entry }, () => share(call.user, sent)),
    );
    const done = mrkdwn`:incoming_envelope: *The file is in your messages with Switchboard*: ${count(rows)}.`;
    await replace(notice(title, section(done)));
  }

  router.action(actionId, 'administer', (call) => oncePerDoubleClick(call, actionId, () => write(call)));
}
