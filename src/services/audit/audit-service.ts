import type { CsvColumn } from '../../domain/csv/write-csv.ts';
import type { AuditEntry, AuditTrail, NewAuditEntry } from '../../store/audit/audit-trail.ts';
import type { AuditProblem } from '../../store/audit/verify-audit.ts';

/**
 * Everything that the audit knows of, as `subject.verb`. Each name is recorded by a test, see
 * `test/journeys/audit.test.ts`.
 */
export const auditActions = [
  // The endings of operations have the kind of the operation. The ledger records them.
  'sms.send',
  'sms.confirm_stop',
  /** The sender of an unconfirmed message noted whether it was received. */
  'sms.mark',
  'campaign.test',
  'otp.sms',
  'otp.voice',
  'otp.email',
  'otp.chat',
  'otp.sms_token',
  'otp.in_app',
  /** A code was read back: it matched, or that was the last attempt. */
  'otp.verify',
  'sender_id.request',
  'contact.add',
  'contact.upload',
  'contact.delete',
  'esim.create',
  'esim.top_up',
  /** What installs an eSIM was sent to its user, or to a channel. */
  'esim.share',
  'campaign.import',
  'campaign.discard',
  'campaign.edit',
  'campaign.start',
  'campaign.schedule',
  'campaign.repeat',
  'campaign.skip',
  'campaign.pause',
  'campaign.resume',
  'campaign.leave_out',
  'campaign.change_sender',
  'campaign.cancel',
  'campaign.miss',
  'campaign.end',
  'campaign.resolve',
  'campaign.unschedule',
  'campaign.export',
  'reply.assign',
  'reply.finish',
  'suppression.add',
  'suppression.remove',
  'suppression.import',
  'suppression.export',
  'phonebook.add',
  'phonebook.remove',
  'approval.request',
  'approval.approve',
  'approval.reject',
  'approval.withdraw',
  'approval.expire',
  'approval.void',
  'connection.connect',
  'connection.replace',
  'connection.disconnect',
  'settings.change',
  'template.create',
  'template.change',
  'template.delete',
  'watch.mute',
  'watch.unmute',
  'role.add',
  'role.remove',
  'limits.change',
  'limits.lift',
  'keys.rotate',
  'person.erase',
  'person.export',
  'lookup.number',
  'lookup.dnd',
  'history.export',
  'installation.install',
  'installation.reinstall',
  'installation.uninstall',
  'installation.revoke',
  'audit.export',
  /** The program found that the ends of the audit had been changed. */
  'audit.tampered',
  /** Somebody tried what they may not do. */
  'access.refuse',
] as const;

export type AuditAction = (typeof auditActions)[number];

/** What an entry is about: what comes before the dot of its action. */
export type AuditSubject = AuditAction extends `${infer Subject}.${string}` ? Subject : never;

export function actionsOf(subject: AuditSubject): AuditAction[] {
  return auditActions.filter((action) => action.startsWith(`${subject}.`));
}

/** See `NewAuditEntry`. When, by whom and from where in Slack is known without saying. */
export interface AuditRecord extends NewAuditEntry {
  action: AuditAction;
}

export type AuditService = ReturnType<typeof createAuditService>;

export function createAuditService({
  trail,
  report,
}: {
  trail: AuditTrail;
  /** Called with errors that no caller waits for. */
  report: (error: unknown) => void;
}) {
  /**
   * Records what happened outside a transaction, right after it. Never rejects, because what happened can't be undone: a
   * failed entry is reported, retried until it is written, and keeps the program from being ready.
   */
  async function record(entry: AuditRecord): Promise<void> {
    try {
      await trail.append(entry);
    } catch (cause) {
      report(new Error(`An entry of the audit could not be written yet: ${entry.action}`, { cause }));
    }
  }

  return {
    record,

    /** Calls what writes an export and resolves with its rows. Records it, also where it breaks off. */
    async recordExport(entry: Omit<AuditRecord, 'outcome'>, write: () => Promise<number>): Promise<number> {
      try {
        const rows = await write();
        await record({ ...entry, outcome: 'done', details: { ...entry.details, rows } });
        return rows;
      } catch (error) {
        await record({ ...entry, outcome: 'failed' });
        throw error;
      }
    },

    /** Returns the newest entries first. */
    page: trail.page,
    /** Yields all entries, the oldest first, reading page by page. */
    all: trail.all,
    /** Checks every entry, while others may be appended. */
    verify: trail.verify,
  };
}

/** An entry to export. `userName`: where it is known. */
export type AuditRow = AuditEntry & { userName?: string | undefined };

/** How an audit is exported. */
export const auditFormats = ['csv', 'jsonl'] as const;
export type AuditFormat = (typeof auditFormats)[number];

/** What it has of an entry, by its title. In JSON lines they are the properties. */
const cells: Readonly<Record<string, (row: AuditRow) => string | number | undefined>> = {
  number: ({ sequence }) => sequence,
  // A tampered entry may hold an invalid time.
  time: ({ at }) => (Number.isNaN(at.getTime()) ? 'unknown' : at.toISOString()),
  user_id: ({ userId }) => userId,
  user_name: ({ userName }) => userName,
  action: ({ action }) => action,
  subject: ({ subject }) => subject,
  outcome: ({ outcome }) => outcome,
  surface: ({ surface }) => surface,
  channel_id: ({ channelId }) => channelId,
  details: ({ details }) => details,
  mac: ({ mac }) => mac,
};

export const auditColumns: readonly CsvColumn<AuditRow>[] = Object.entries(cells).map(([title, cell]) => ({
  title,
  cell: (row) => String(cell(row) ?? ''),
  phoneNumbers: title === 'subject',
}));

/** Returns an entry as a line of JSON, without a line feed. */
export function auditLine(row: AuditRow): string {
  const values = Object.entries(cells).map(([title, cell]) => [title, cell(row) ?? null]);
  return JSON.stringify({ workspace_id: row.workspaceId, ...Object.fromEntries(values) });
}

const problemTexts: Readonly<Record<AuditProblem['kind'], string>> = {
  changed: 'was changed',
  moved: 'was moved',
  inserted: 'was inserted',
  missing: 'is missing',
  cut_off: 'was cut off at the end',
  found_before: 'records that the end of the audit had been tampered with',
  ends_changed: 'the record of its first and last entries was changed',
  ends_missing: 'the record of its first and last entries is missing',
  chain_unknown: 'is not in the register of workspaces',
  register_changed: 'the register of workspaces was changed',
  key_missing: 'the key is missing, so nothing can be checked',
  key_unreadable: 'the key was changed, so nothing can be checked',
};

/** Describes a problem, to follow the name of the workspace and a colon. */
export function describeProblem({ kind, from, to, was }: AuditProblem): string {
  const text = problemTexts[kind];
  if (from === undefined) {
    return text;
  }
  const entries = to === undefined || to === from ? `entry ${from}` : `entries ${from} to ${to}`;
  return `${entries} ${text}${was === undefined ? '' : `: it was entry ${was}`}`;
}
