import type { CsvColumn } from '../../domain/csv/write-csv.ts';
import type { AuditEntry } from '../../store/audit/audit-trail.ts';

/** An entry to export. `userName`: where it is known. */
export type AuditRow = AuditEntry & { userName?: string | undefined };

/** How an audit is exported. */
export const auditFormats = ['csv', 'jsonl'] as const;
export type AuditFormat = (typeof auditFormats)[number];

/** What it has of an entry, by its title. In JSON lines they are the properties. */
const cells: Readonly<Record<string, (row: AuditRow) => string | number | undefined>> = {
  number: ({ sequence }) => sequence,
  time: ({ at }) => timeOf(at),
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

/** ISO 8601. An entry that was changed can have a time that is none. */
function timeOf(at: Date): string {
  return Number.isNaN(at.getTime()) ? 'unknown' : at.toISOString();
}
