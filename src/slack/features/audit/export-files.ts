import { csvFiles } from '../../../domain/csv/csv-files.ts';
import {
  type AuditFormat,
  type AuditRow,
  auditColumns,
  auditLine,
} from '../../../services/audit/audit-rows.ts';
import type { AuditEntry } from '../../../store/audit/audit-queries.ts';
import type { SharedFile } from '../../client/files.ts';
import type { UserName } from '../../client/user-names.ts';

type AuditFile = Pick<SharedFile, 'name' | 'content'> & { rows: number };

/** A file is kept in memory, so a long audit takes more than one. */
const maxRowsPerFile = 100_000;

/** Yields the entries as files, each made when it is requested. */
export function auditFiles(
  format: AuditFormat,
  entries: AsyncIterable<AuditEntry>,
  userName: UserName,
): AsyncGenerator<AuditFile> {
  const rows = withNames(entries, userName);
  return format === 'csv' ? csvFiles({ name: 'audit', columns: auditColumns, rows }) : lineFiles(rows);
}

async function* withNames(entries: AsyncIterable<AuditEntry>, userName: UserName): AsyncGenerator<AuditRow> {
  for await (const entry of entries) {
    const { workspaceId, userId } = entry;
    yield { ...entry, userName: userId === undefined ? undefined : await userName(workspaceId, userId) };
  }
}

async function* lineFiles(rows: AsyncIterable<AuditRow>): AsyncGenerator<AuditFile> {
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
