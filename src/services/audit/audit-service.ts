import type { AuditTrail, NewAuditEntry } from '../../store/audit/audit-trail.ts';
import type { AuditAction } from './audit-actions.ts';

/** See `NewAuditEntry`. When and from where in Slack is known without saying. */
export interface AuditRecord extends NewAuditEntry {
  action: AuditAction;
}

export interface AuditService {
  /**
   * Records what was done, refused or found. Called right after it, where it was not recorded in the transaction that did
   * it. Never rejects, as it is done already: an entry that cannot be written is reported, retried until it is written,
   * and keeps the program from being ready.
   */
  record(entry: AuditRecord): Promise<void>;
}

export function createAuditService(options: {
  trail: AuditTrail;
  /** Called with errors that no caller waits for. */
  report: (error: unknown) => void;
}): AuditService {
  const { trail, report } = options;
  return {
    async record(entry) {
      try {
        await trail.append(entry);
      } catch (cause) {
        report(new Error(`An entry of the audit could not be written yet: ${entry.action}`, { cause }));
      }
    },
  };
}
