import type { ModalView } from '@slack/types';
import { createAsyncCache } from '../../../lib/async-cache.ts';
import { type AuditFormat, auditFormats } from '../../../services/audit/audit-rows.ts';
import type { AuditEntryPage } from '../../../store/audit/audit-queries.ts';
import { notice, section } from '../../block-kit/build.ts';
import { loadingView } from '../../block-kit/loading-view.ts';
import { nextCursor, previousCursor } from '../../block-kit/paging/cursor-position.ts';
import { pluralize } from '../../block-kit/plural.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { createOncePerDoubleClick } from '../../middleware/double-clicks.ts';
import { idempotencyKey } from '../../middleware/idempotency-key.ts';
import type { ActionRequest, User } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { openActions } from '../../navigation/open-actions.ts';
import type { GroupHandle } from './about.ts';
import { auditFiles } from './export-files.ts';
import {
  type AuditFilterField,
  changeAuditFilter,
  firstAuditPage,
  readShown,
  type ShownAudit,
  type ShownAuditFilter,
  toAuditQuery,
} from './query.ts';
import { registerAuditVerification } from './verification.ts';
import { auditActionIds, auditEntriesPerPage, auditFilterActions, auditTitle, auditView } from './views.ts';

const maxMemoizedExports = 100;

/** The audit, for admins: page by page, filtered, and as files in their messages. */
export function registerAudit(router: Router, context: AppContext): void {
  const { services, userGroups } = context;
  const { audit } = services;

  /** Slack is asked for the user groups where an entry may name one. */
  async function handlesFor({ entries }: AuditEntryPage, workspaceId: string): Promise<GroupHandle> {
    const listed = entries.some(({ action }) => action.startsWith('role.'))
      ? await userGroups.list(workspaceId)
      : undefined;
    const groups = listed?.kind === 'listed' ? listed.groups : [];
    return (groupId) => groups.find(({ id }) => id === groupId)?.handle;
  }

  async function view(user: User, shown: ShownAudit = firstAuditPage({})): Promise<ModalView> {
    const query = toAuditQuery(shown.filter, user);
    const page = await audit.page({ ...query, after: shown.after || undefined, limit: auditEntriesPerPage });
    return auditView(page, shown, await handlesFor(page, user.workspaceId));
  }

  router.action(openActions.audit, 'administer', async ({ user, view: from, open, push }) => {
    await (from === undefined ? open : push)(await view(user));
  });

  function onShow(actionId: string, next: (shown: ShownAudit, call: ActionRequest) => ShownAudit): void {
    router.action(actionId, 'administer', async (call) => {
      await call.view?.replace(await view(call.user, next(readShown(call.view.metadata), call)));
    });
  }
  onShow(auditActionIds.newest, ({ filter }) => firstAuditPage(filter));
  onShow(auditActionIds.previous, (shown) => ({ ...shown, ...previousCursor(shown) }));
  onShow(auditActionIds.next, (shown, { value }) => ({ ...shown, ...nextCursor(shown, value) }));
  onShow(auditActionIds.clear, () => firstAuditPage({}));
  for (const field of ['person', 'subject', 'from', 'to'] satisfies AuditFilterField[]) {
    onShow(auditFilterActions[field], ({ filter }, { value }) =>
      firstAuditPage(changeAuditFilter(filter, field, value)),
    );
  }

  registerExports(router, context);
  registerAuditVerification(router, context);
}

const formatNames: Readonly<Record<AuditFormat, string>> = { csv: 'CSV', jsonl: 'JSON lines' };

/** *Export CSV* and *Export JSON lines*: what is chosen, as a direct message. */
function registerExports(router: Router, { services: { audit, claims }, files, userName }: AppContext): void {
  const { get: once } = createAsyncCache<number>({ max: maxMemoizedExports });

  async function share(user: User, filter: ShownAuditFilter, format: AuditFormat): Promise<number> {
    const { workspaceId, userId } = user;
    const entries = audit.all(toAuditQuery(filter, user));
    const comment = mrkdwn`The audit of this workspace as ${formatNames[format]}`.source;
    let total = 0;
    for await (const { rows, ...file } of auditFiles(format, entries, userName)) {
      await files.share(workspaceId, { userId, needed: 'administer' }, { ...file, comment });
      total += rows;
    }
    return total;
  }

  async function write(call: ActionRequest, format: AuditFormat): Promise<void> {
    const { user, requestId, view, push } = call;
    const { filter } = readShown(view?.metadata);
    const replace = await push(loadingView(auditTitle, 'Writing the file…'));
    const { workspaceId } = user;
    const entry = { workspaceId, action: 'audit.export', details: { format, ...filter } } as const;
    const rows = await once(idempotencyKey(workspaceId, requestId), () =>
      audit.recordExport(entry, () => share(user, filter, format)),
    );
    await replace(
      notice(
        auditTitle,
        section(
          mrkdwn`:incoming_envelope: *The file is in your messages with Switchboard*: ${pluralize(rows, 'row')}.`,
        ),
      ),
    );
  }

  const oncePerDoubleClick = createOncePerDoubleClick(claims);
  for (const format of auditFormats) {
    const actionId = auditActionIds[format];
    router.action(actionId, 'administer', (call) =>
      oncePerDoubleClick(call, actionId, () => write(call, format)),
    );
  }
}
