import type { ModalView } from '@slack/types';
import { csvFiles } from '../../../domain/csv/write-csv.ts';
import {
  type AuditFormat,
  type AuditRow,
  auditColumns,
  auditFormats,
  auditLine,
  describeProblem,
} from '../../../services/audit/audit-service.ts';
import type { AuditEntry, AuditEntryPage } from '../../../store/audit/audit-trail.ts';
import type { AuditCheck } from '../../../store/audit/verify-audit.ts';
import { context, loadingView, notice, section } from '../../block-kit/build.ts';
import { changeFilter } from '../../block-kit/inputs/filters.ts';
import { firstCursor } from '../../block-kit/paging.ts';
import { pluralize } from '../../block-kit/plural.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { joinInline, mrkdwn, timeFor } from '../../block-kit/text.ts';
import type { UserName } from '../../client/user-names.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import {
  createOncePerDoubleClick,
  type ExportedFile,
  onExport,
  onPaging,
} from '../../middleware/list-buttons.ts';
import type { ActionRequest, User } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { openActions } from '../../navigation/open-actions.ts';
import {
  type AuditFilter,
  auditActionIds,
  auditEntriesPerPage,
  auditFilterActions,
  auditFilterSchema,
  auditPagingActions,
  auditTitle,
  auditView,
  type ShownAudit,
  shownAuditSchema,
  toAuditQuery,
} from './views.ts';

/** The audit, for admins: page by page, filtered, and as files in their messages. */
export function registerAudit(router: Router, context: AppContext): void {
  const show = async ({ user, view }: ActionRequest, shown: ShownAudit) => {
    await view?.replace(await viewOf(context, user, shown));
  };
  router.action(openActions.audit, 'administer', async (call) => {
    await call.push(await viewOf(context, call.user, { filter: {}, ...firstCursor }));
  });
  onPaging(router, auditPagingActions, 'administer', shownAuditSchema, show);
  router.action(auditActionIds.clear, 'administer', (call) => show(call, { filter: {}, ...firstCursor }));
  for (const field of ['person', 'subject', 'from', 'to'] satisfies (keyof AuditFilter)[]) {
    router.action(auditFilterActions[field], 'administer', (call) => {
      const filter = changeFilter(auditFilterSchema, readFilter(call), field, call.value);
      return show(call, { filter, ...firstCursor });
    });
  }
  registerExports(router, context);
  registerVerification(router, context);
}

function readFilter({ view }: ActionRequest): AuditFilter {
  return auditFilterSchema.catch({}).parse(view?.metadata);
}

async function viewOf(context: AppContext, user: User, shown: ShownAudit): Promise<ModalView> {
  const query = toAuditQuery(shown.filter, user);
  const page = await context.services.audit.page({
    ...query,
    after: shown.after || undefined,
    limit: auditEntriesPerPage,
  });
  return auditView(page, shown, await handlesFor(context, page, user.workspaceId));
}

/** Slack is asked for the user groups where an entry may name one. */
async function handlesFor({ userGroups }: AppContext, { entries }: AuditEntryPage, workspaceId: string) {
  const listed = entries.some(({ action }) => action.startsWith('role.'))
    ? await userGroups.list(workspaceId)
    : undefined;
  const groups = listed?.kind === 'listed' ? listed.groups : [];
  return (groupId: string) => groups.find(({ id }) => id === groupId)?.handle;
}

const formatNames: Readonly<Record<AuditFormat, string>> = { csv: 'CSV', jsonl: 'JSON lines' };

/** *Export CSV* and *Export JSON lines*: what is chosen, as a direct message. */
function registerExports(router: Router, context: AppContext): void {
  for (const format of auditFormats) {
    onExport(router, context, auditActionIds[format], {
      title: auditTitle,
      exportOf(call) {
        const filter = readFilter(call);
        const entries = context.services.audit.all(toAuditQuery(filter, call.user));
        return {
          entry: { action: 'audit.export', details: { format, ...filter } },
          files: auditFiles(format, entries, context.userName),
          comment: `The audit of this workspace as ${formatNames[format]}`,
        };
      },
      count: (rows) => pluralize(rows, 'row'),
    });
  }
}

/** A file is kept in memory, so a long audit takes more than one. */
const maxRowsPerFile = 100_000;

/** Yields the entries as files, each made when it is requested. */
function auditFiles(
  format: AuditFormat,
  entries: AsyncIterable<AuditEntry>,
  userName: UserName,
): AsyncGenerator<ExportedFile> {
  const rows = withNames(entries, userName);
  return format === 'csv' ? csvFiles({ name: 'audit', columns: auditColumns, rows }) : lineFiles(rows);
}

async function* withNames(entries: AsyncIterable<AuditEntry>, userName: UserName): AsyncGenerator<AuditRow> {
  for await (const entry of entries) {
    const { workspaceId, userId } = entry;
    yield { ...entry, userName: userId === undefined ? undefined : await userName(workspaceId, userId) };
  }
}

async function* lineFiles(rows: AsyncIterable<AuditRow>): AsyncGenerator<ExportedFile> {
  let pieces: Buffer[] = [];
  let part = 1;
  const nameOf = (isOnly: boolean) => (isOnly ? 'audit.jsonl' : `audit-${part}.jsonl`);
  for await (const row of rows) {
    if (pieces.length === maxRowsPerFile) {
      yield { name: nameOf(false), content: Buffer.concat(pieces), rows: pieces.length };
      pieces = [];
      part += 1;
    }
    pieces.push(Buffer.from(`${auditLine(row)}\n`));
  }
  yield { name: nameOf(part === 1), content: Buffer.concat(pieces), rows: pieces.length };
}

/** Problems that are named. */
const maxNamed = 30;

/** *Verify*: checks every entry of the workspace, and names what was changed. */
function registerVerification(router: Router, { services: { audit, once }, time }: AppContext): void {
  const oncePerDoubleClick = createOncePerDoubleClick(once);
  router.action(auditActionIds.verify, 'administer', (call) =>
    oncePerDoubleClick(call, auditActionIds.verify, async () => {
      const { workspaceId } = call.user;
      const replace = await call.push(loadingView(auditTitle, 'Checking every entry…'));
      const named: string[] = [];
      const check = await audit.verify({
        workspaceId,
        onProblem: async (problem) => {
          if (named.length < maxNamed) {
            named.push(describeProblem(problem));
          }
        },
      });
      await replace(verificationView(check, named, time.now()));
    }),
  );
}

function verificationView(
  { entries, problems }: Pick<AuditCheck, 'entries' | 'problems'>,
  named: readonly string[],
  at: Date,
): ModalView {
  const more = problems - named.length;
  const found =
    problems === 0
      ? [
          section(
            mrkdwn`${stateIcons.done} *The audit is complete.* No entry was changed, and none is missing.`,
          ),
        ]
      : [
          section(mrkdwn`${stateIcons.failed} *${pluralize(problems, 'problem')} found.*`),
          section(mrkdwn`${named.map((text) => mrkdwn`• ${text.charAt(0).toUpperCase()}${text.slice(1)}`)}`),
          ...(more === 0
            ? []
            : [
                section(
                  mrkdwn`And ${pluralize(more, 'more problem')}. Those who run Switchboard can list them all.`,
                ),
              ]),
        ];
  const checked = mrkdwn`${pluralize(entries, 'entry', 'entries')} checked`;
  return notice(auditTitle, ...found, context(joinInline([checked, timeFor(at)])));
}
