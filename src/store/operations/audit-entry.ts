import { z } from 'zod';
import { maskPersonal } from '../../lib/redact.ts';
import type { NewAuditEntry } from '../audit/audit-trail.ts';
import { type OperationRow, readOperationError } from './operation.ts';

/** What a summary may call the one that an operation is about. */
const subjectSchema = z.object({
  to: z.union([z.string(), z.array(z.string())]).optional(),
  number: z.string().optional(),
  iccid: z.string().optional(),
  senderId: z.string().optional(),
});

const summarySchema = z.record(z.string(), z.json()).catch({});

/** What people call a campaign or a phonebook may hold a number, which would stay here after it is erased elsewhere. */
function withMaskedNames(summary: z.infer<typeof summarySchema>): z.infer<typeof summarySchema> {
  const names = ['campaign', 'phonebook'].filter((name) => typeof summary[name] === 'string');
  return {
    ...summary,
    ...Object.fromEntries(names.map((name) => [name, maskPersonal(String(summary[name]))])),
  };
}

/** Returns the entry of an operation that has ended. Its summary is masked already. */
export function auditEntryOf(row: OperationRow): NewAuditEntry {
  const summary: unknown = JSON.parse(row.summary);
  const { reason } = readOperationError(row.error) ?? {};
  return {
    workspaceId: row.workspace_id,
    userId: row.user_id,
    action: row.kind,
    subject: subjectOf(summary),
    outcome: row.state === 'underway' ? 'unconfirmed' : row.state,
    details: {
      ...withMaskedNames(summarySchema.parse(summary)),
      operation: row.id,
      ...(row.channel_id !== null && { channel: row.channel_id }),
      ...(row.pages !== null && { pages: row.pages }),
      ...(reason !== undefined && { reason }),
    },
  };
}

function subjectOf(summary: unknown): string | undefined {
  const { to, number, iccid, senderId } = subjectSchema.safeParse(summary).data ?? {};
  const [first, ...others] = Array.isArray(to) ? to : [to ?? number ?? iccid ?? senderId];
  return others.length > 0 ? `${first} …` : first;
}
