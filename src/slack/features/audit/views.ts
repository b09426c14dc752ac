import type { ActionsBlock, ModalView, SectionBlock } from '@slack/types';
import { z } from 'zod';
import { actionsOf } from '../../../services/audit/audit-service.ts';
import type { AuditEntry, AuditEntryPage, AuditQuery } from '../../../store/audit/audit-trail.ts';
import { actions, button, context, divider, modal, section } from '../../block-kit/build.ts';
import {
  choiceFilter,
  dateFilter,
  filterDays,
  isFiltered,
  personFilter,
  readFilterDays,
} from '../../block-kit/inputs/filters.ts';
import { cursorPages, cursorPositionSchema, pagingButtons } from '../../block-kit/paging.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { joinInline, type Markup, mrkdwn, timeFor, userMention } from '../../block-kit/text.ts';
import type { User } from '../../middleware/requests.ts';
import {
  aboutOf,
  type GroupHandle,
  isSubject,
  subjectWords,
  wordsOfAction,
  wordsOfOutcome,
  wordsOfSurface,
} from './words.ts';

export const auditTitle = 'Audit';
const auditCallback = 'audit';
export const auditEntriesPerPage = 20;

export const auditPagingActions = {
  newest: 'audit_newest',
  previous: 'audit_previous',
  next: 'audit_next',
} as const;

export const auditActionIds = {
  clear: 'audit_clear',
  csv: 'audit_export_csv',
  jsonl: 'audit_export_jsonl',
  verify: 'audit_verify',
} as const;

export const auditFilterActions = {
  person: 'audit_person',
  subject: 'audit_subject',
  from: 'audit_from',
  to: 'audit_to',
} as const;

/** What an admin has chosen. */
export const auditFilterSchema = z.object({
  person: z.string().optional(),
  subject: z.string().refine(isSubject).optional(),
  ...filterDays,
});
export type AuditFilter = z.infer<typeof auditFilterSchema>;

/** What of the audit is shown. Its filter is the metadata of the view. */
export const shownAuditSchema = cursorPositionSchema.extend({ filter: auditFilterSchema });
export type ShownAudit = z.infer<typeof shownAuditSchema>;

export function toAuditQuery(
  { person, subject, ...days }: AuditFilter,
  { workspaceId, zone }: Pick<User, 'workspaceId' | 'zone'>,
): AuditQuery {
  return {
    workspaceId,
    userId: person,
    actions: subject && actionsOf(subject),
    ...readFilterDays(days, zone),
  };
}

/** The audit of a workspace, for an admin. */
export function auditView(
  { entries, next }: AuditEntryPage,
  shown: ShownAudit,
  handleOf: GroupHandle,
): ModalView {
  const { csv, jsonl, verify } = auditActionIds;
  const none = isFiltered(shown.filter) ? mrkdwn`Nothing matches these filters.` : mrkdwn`Nothing yet.`;
  return modal({
    callbackId: auditCallback,
    title: auditTitle,
    metadata: shown.filter,
    blocks: [
      filterBlock(shown.filter),
      divider(),
      ...(entries.length === 0 ? [section(none)] : entries.map((entry) => entryBlock(entry, handleOf))),
      actions(
        'audit_paging',
        ...pagingButtons(cursorPages(shown, next), auditPagingActions),
        button(csv, 'Export CSV'),
        button(jsonl, 'Export JSON lines'),
        button(verify, 'Verify'),
      ),
      context(mrkdwn`Phone numbers are masked. The files have what is chosen above, the oldest entry first.`),
    ],
  });
}

/** Slack shows the values that the app sets only in a block with a new id. */
function filterBlock(filter: AuditFilter): ActionsBlock {
  return actions(
    `audit_filter ${JSON.stringify(filter)}`,
    personFilter(auditFilterActions.person, filter.person),
    choiceFilter(auditFilterActions.subject, 'All kinds', subjectWords, filter.subject),
    dateFilter(auditFilterActions.from, 'From', filter.from),
    dateFilter(auditFilterActions.to, 'To', filter.to),
    ...(isFiltered(filter) ? [button(auditActionIds.clear, 'Clear filters')] : []),
  );
}

const outcomeIcons: Readonly<Record<string, Markup>> = {
  done: stateIcons.done,
  accepted: stateIcons.done,
  refused: stateIcons.blocked,
  unconfirmed: stateIcons.unconfirmed,
};

function entryBlock(entry: AuditEntry, handleOf: GroupHandle): SectionBlock {
  const { at, userId, action, outcome, surface } = entry;
  const about = aboutOf(entry, handleOf);
  const title = mrkdwn`*${wordsOfAction(action, outcome)}*`;
  const what = about === undefined ? title : mrkdwn`${title}: ${about}`;
  const below = [
    Number.isNaN(at.getTime()) ? mrkdwn`unknown time` : timeFor(at),
    ...(userId === undefined ? [] : [userMention(userId)]),
    mrkdwn`${wordsOfOutcome(outcome)}`,
    mrkdwn`${wordsOfSurface(surface)}`,
  ];
  return section(
    mrkdwn`${[mrkdwn`${outcomeIcons[outcome] ?? stateIcons.failed} ${what}`, joinInline(below)]}`,
  );
}
