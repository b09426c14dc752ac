import type { KnownBlock } from '@slack/types';
import { csvFiles } from '../../../domain/csv/write-csv.ts';
import {
  type AuditFormat,
  type AuditRow,
  actionsOf,
  auditColumns,
  auditFormats,
  auditLine,
  describeProblem,
} from '../../../services/audit/audit-service.ts';
import type { AuditEntry, AuditQuery } from '../../../store/audit/audit-trail.ts';
import { button, context, loadingView, notice, section } from '../../block-kit/build.ts';
import { isFiltered, readFilterDays } from '../../block-kit/inputs/filters.ts';
import { cursorPages } from '../../block-kit/paging.ts';
import { capitalize, pluralize } from '../../block-kit/plural.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { joinInline, mrkdwn, timeFor } from '../../block-kit/text.ts';
import { withUserNames } from '../../client/user-names.ts';
import { byChoice, byDay, byPerson, type FilterOf } from '../../kit/filters.ts';
import { byCursor, defineList } from '../../kit/list.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { createOncePerDoubleClick, type ExportedFile, onExport } from '../../middleware/list-buttons.ts';
import type { Router } from '../../middleware/router/router.ts';
import type { Viewer } from '../../navigation/navigation.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { entryBlock, subjectWords } from './entry-view.ts';

const title = 'Audit log';
const verifyAction = 'audit_verify';
const entriesPerPage = 20;

/** The audit, for admins: page by page, filtered, verified, and as files in their messages. */
export function registerAudit(router: Router, context: AppContext): void {
  const list = createAuditList(context);
  list.register(router);
  router.action(openActions.audit, 'administer', ({ push, user }) => list.show(push, user, {}, undefined));

  for (const format of auditFormats) {
    onExport(router, context, exportAction(format), {
      title,
      exportOf({ user, view }) {
        const { filter } = list.stateOf(view?.metadata);
        const entries = context.services.audit.all(queryOf(filter, user));
        const rows = withUserNames(
          entries,
          ({ userId }) => userId,
          (id) => context.userName(user.workspaceId, id),
        );
        return {
          entry: { action: 'audit.export', details: { format, ...filter } },
          files:
            format === 'csv' ? csvFiles({ name: 'audit', columns: auditColumns, rows }) : lineFiles(rows),
          comment: `The audit of this workspace as ${formatWords[format]}`,
        };
      },
      count: (rows) => pluralize(rows, 'row'),
    });
  }
  registerVerification(router, context);
}

const filters = {
  person: byPerson,
  subject: byChoice('All kinds', subjectWords),
  from: byDay('From'),
  to: byDay('To'),
};

const formatWords: Readonly<Record<AuditFormat, string>> = { csv: 'CSV', jsonl: 'JSON lines' };
const exportAction = (format: AuditFormat) => `audit_export_${format}`;

function createAuditList({ services: { audit }, userGroups }: AppContext) {
  /** Slack is asked for the user groups where an entry may name one. */
  async function groupsIn(entries: readonly AuditEntry[], workspaceId: string) {
    const listed = entries.some(({ action }) => action.startsWith('role.'))
      ? await userGroups.list(workspaceId)
      : undefined;
    return listed?.kind === 'listed' ? listed.groups : [];
  }

  return defineList({
    id: 'audit',
    title,
    needs: 'administer',
    filters,
    paging: byCursor,
    async read(user, { filter, position }) {
      const after = position.after || undefined;
      const page = await audit.page({ ...queryOf(filter, user), after, limit: entriesPerPage });
      const groups = await groupsIn(page.entries, user.workspaceId);
      const handleOf = (groupId: string) => groups.find(({ id }) => id === groupId)?.handle;
      return {
        rows: page.entries.map((entry) => entryBlock(entry, handleOf)),
        empty: isFiltered(filter) ? mrkdwn`Nothing matches these filters.` : mrkdwn`Nothing yet.`,
        neighbours: cursorPages(position, page.next),
      };
    },
    buttons: () => [
      ...auditFormats.map((format) => button(exportAction(format), `Export ${formatWords[format]}`)),
      button(verifyAction, 'Verify'),
    ],
    below: () => [
      context(mrkdwn`Phone numbers are masked. The files contain the entries selected above, oldest first.`),
    ],
  });
}

function queryOf(
  { person, subject, ...days }: FilterOf<typeof filters>,
  { workspaceId, zone }: Viewer,
): AuditQuery {
  const actions = subject && actionsOf(subject);
  return { workspaceId, userId: person, actions, ...readFilterDays(days, zone) };
}

/** A file is kept in memory, so a long audit takes more than one. */
const maxRowsPerFile = 100_000;

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

/** *Verify*: checks every entry of the workspace, and names the changed ones. */
function registerVerification(router: Router, { services: { audit, once }, time }: AppContext): void {
  const oncePerDoubleClick = createOncePerDoubleClick(once);
  router.action(verifyAction, 'administer', (call) =>
    oncePerDoubleClick(call, verifyAction, async () => {
      const { workspaceId } = call.user;
      const replace = await call.push(loadingView(title, 'Checking every entry…'));
      const named: string[] = [];
      const { entries, problems } = await audit.verify({
        workspaceId,
        onProblem: async (problem) => {
          if (named.length < maxNamed) {
            named.push(describeProblem(problem));
          }
        },
      });
      const checked = mrkdwn`${pluralize(entries, 'entry', 'entries')} checked`;
      const about = context(joinInline([checked, timeFor(time.now())]));
      await replace(notice(title, ...foundBlocks(problems, named), about));
    }),
  );
}

function foundBlocks(problems: number, named: readonly string[]): KnownBlock[] {
  if (problems === 0) {
    return [
      section(
        mrkdwn`${stateIcons.done} *The audit log is complete.* No entry was changed, and none is missing.`,
      ),
    ];
  }
  const more = problems - named.length;
  return [
    section(mrkdwn`${stateIcons.failed} *${pluralize(problems, 'problem')} found.*`),
    section(mrkdwn`${named.map((text) => mrkdwn`• ${capitalize(text)}`)}`),
    ...(more === 0
      ? []
      : [section(mrkdwn`And ${pluralize(more, 'more problem')}. Your operator can list them all.`)]),
  ];
}
