import type { ActionsBlock, KnownBlock, ModalView, SectionBlock } from '@slack/types';
import type { AuditEntry, AuditEntryPage } from '../../../store/audit/audit-queries.ts';
import { actions, button, context, divider, modal, option, section } from '../../block-kit/build.ts';
import { cursorButtons } from '../../block-kit/paging/cursor-position.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { joinInline, type Markup, mrkdwn, plain, timeFor, userMention } from '../../block-kit/text.ts';
import { aboutOf, type GroupHandle } from './about.ts';
import { anySubject, isAuditFiltered, type ShownAudit, type ShownAuditFilter } from './query.ts';
import { subjectWords, wordsOfAction, wordsOfOutcome, wordsOfSurface } from './words.ts';

export const auditTitle = 'Audit';
const auditCallback = 'audit';
export const auditEntriesPerPage = 20;

export const auditActionIds = {
  newest: 'audit_newest',
  previous: 'audit_previous',
  next: 'audit_next',
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

/** The audit of a workspace, for an admin. */
export function auditView(
  { entries, next }: AuditEntryPage,
  shown: ShownAudit,
  handleOf: GroupHandle,
): ModalView {
  const { newest, previous, next: following, csv, jsonl, verify } = auditActionIds;
  const none = isAuditFiltered(shown.filter) ? mrkdwn`Nothing matches these filters.` : mrkdwn`Nothing yet.`;
  return modal({
    callbackId: auditCallback,
    title: auditTitle,
    metadata: shown,
    blocks: [
      filterBlock(shown.filter),
      divider(),
      ...(entries.length === 0 ? [section(none)] : entries.map((entry) => entryBlock(entry, handleOf))),
      actions(
        'audit_paging',
        ...cursorButtons(shown, next, { newest, previous, next: following }),
        button(csv, 'Export CSV'),
        button(jsonl, 'Export JSON lines'),
        button(verify, 'Verify'),
      ),
      remark(),
    ],
  });
}

function remark(): KnownBlock {
  return context(
    mrkdwn`Phone numbers are masked. The files have what is chosen above, the oldest entry first.`,
  );
}

/** Slack shows the values that the app sets only in a block with a new id. */
function filterBlock(filter: ShownAuditFilter): ActionsBlock {
  const { person, subject, from, to } = filter;
  const options = [
    option('All kinds', anySubject),
    ...Object.entries(subjectWords).map(([value, text]) => option(text, value)),
  ];
  const [all] = options;
  const initial = options.find(({ value }) => value === subject) ?? all;
  const date = (actionId: string, placeholder: string, day: string | undefined) => ({
    type: 'datepicker' as const,
    action_id: actionId,
    placeholder: plain(placeholder),
    ...(day === undefined ? {} : { initial_date: day }),
  });
  return actions(
    `audit_filter ${JSON.stringify(filter)}`,
    {
      type: 'users_select',
      action_id: auditFilterActions.person,
      placeholder: plain('Anyone'),
      ...(person === undefined ? {} : { initial_user: person }),
    },
    {
      type: 'static_select',
      action_id: auditFilterActions.subject,
      placeholder: plain('All kinds'),
      options,
      ...(initial === undefined ? {} : { initial_option: initial }),
    },
    date(auditFilterActions.from, 'From', from),
    date(auditFilterActions.to, 'To', to),
    ...(isAuditFiltered(filter) ? [button(auditActionIds.clear, 'Clear filters')] : []),
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
