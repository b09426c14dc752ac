import type { AuditTrail, NewAuditEntry } from '../../store/audit/audit-trail.ts';
import type { AuditAction } from './audit-actions.ts';

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
   * Records what was done, refused or found. Called right after it, where it was not recorded in the transaction that did
   * it. Never rejects, as it is done already: an entry that cannot be written is reported, retried until it is written,
   * and keeps the program from being ready.
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
