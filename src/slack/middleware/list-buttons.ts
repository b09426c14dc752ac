import type { z } from 'zod';
import { idempotencyKey } from '../../domain/access/request-keys.ts';
import type { Permission } from '../../domain/access/roles.ts';
import { createAsyncCache } from '../../lib/async-cache.ts';
import type { AuditRecord } from '../../services/audit/audit-service.ts';
import type { Once } from '../../services/workspaces/once.ts';
import { loadingView, notice, section } from '../block-kit/build.ts';
import type { PagingActions } from '../block-kit/paging.ts';
import { mrkdwn } from '../block-kit/text.ts';
import type { SharedFile } from '../client/posting.ts';
import type { AppContext } from './app-context.ts';
import type { ActionRequest } from './requests.ts';
import type { Router } from './router/router.ts';

/** Registers *Newest*, *Previous* and *Next* of a list. `show` gets the position that the button leads to. */
export function onPaging<Position>(
  router: Router,
  actionIds: PagingActions,
  needed: Permission,
  positions: z.ZodType<Position>,
  show: (call: ActionRequest, position: Position) => Promise<void>,
): void {
  for (const actionId of Object.values<string>({ ...actionIds })) {
    router.action(actionId, needed, (call) => show(call, positions.parse(JSON.parse(call.value))));
  }
}

/**
 * Calls `work` once for a double click. Its second request has new ids and may reach another instance, even later. Both have
 * the same user, button, value, modal and metadata, and Slack dates them within two seconds. The modal's hash can differ,
 * because the first click may change the modal.
 */
export type OncePerDoubleClick = (
  call: ActionRequest,
  actionId: string,
  work: () => Promise<void>,
) => Promise<void>;

export function createOncePerDoubleClick(once: Pick<Once, 'forClick'>): OncePerDoubleClick {
  return ({ user: { workspaceId, userId }, view, value, clickedAt }, actionId, work) => {
    const metadata = JSON.stringify(view?.metadata ?? null);
    const name = idempotencyKey(workspaceId, userId, actionId, value, view?.id ?? '', metadata);
    return once.forClick(workspaceId, { name: `click.${name}`, at: clickedAt }, work);
  };
}

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
  { services, files }: AppContext,
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
  const { audit } = services;
  const written = createAsyncCache<number>({ max: maxMemoizedExports });
  const oncePerDoubleClick = createOncePerDoubleClick(services.once);

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
    const rows = await written.get(idempotencyKey(workspaceId, call.requestId), () =>
      audit.recordExport({ workspaceId, ...sent.entry }, () => share(call.user, sent)),
    );
    const done = mrkdwn`:incoming_envelope: *The file is in your messages with Switchboard*: ${count(rows)}.`;
    await replace(notice(title, section(done)));
  }

  router.action(actionId, 'administer', (call) => oncePerDoubleClick(call, actionId, () => write(call)));
}
