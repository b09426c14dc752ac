import { z } from 'zod';
import { endOfDay, startOfDay } from '../../../domain/time/start-of-day.ts';
import { actionsOf } from '../../../services/audit/audit-actions.ts';
import type { AuditQuery } from '../../../store/audit/audit-queries.ts';
import { cursorPositionSchema, firstCursor } from '../../block-kit/paging/cursor-position.ts';
import type { User } from '../../middleware/requests.ts';
import { isSubject } from './words.ts';

/** What an admin has chosen. Days are in their time zone, and both are included. */
const shownFilterSchema = z.object({
  person: z.string().optional(),
  subject: z.string().refine(isSubject).optional(),
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
});
export type ShownAuditFilter = z.infer<typeof shownFilterSchema>;
export type AuditFilterField = keyof ShownAuditFilter;

/** What of the audit is shown. It is the metadata of its view. */
const auditQuerySchema = cursorPositionSchema.extend({ filter: shownFilterSchema });
export type ShownAudit = z.infer<typeof auditQuerySchema>;

export function firstAuditPage(filter: ShownAuditFilter): ShownAudit {
  return { filter, ...firstCursor };
}

/** What is no metadata of ours is the first page. */
export function readShown(metadata: unknown): ShownAudit {
  return auditQuerySchema.catch(firstAuditPage({})).parse(metadata);
}

/** What stands for any subject: a select cannot be emptied. */
export const anySubject = 'any';

export function changeAuditFilter(
  filter: ShownAuditFilter,
  field: AuditFilterField,
  value: string,
): ShownAuditFilter {
  const chosen = value === '' || value === anySubject ? undefined : value;
  return shownFilterSchema.catch(filter).parse({ ...filter, [field]: chosen });
}

export function isAuditFiltered(filter: ShownAuditFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}

export function toAuditQuery(
  { person, subject, from, to }: ShownAuditFilter,
  { workspaceId, zone }: Pick<User, 'workspaceId' | 'zone'>,
): AuditQuery {
  return {
    workspaceId,
    userId: person,
    actions: subject && actionsOf(subject),
    from: from === undefined ? undefined : startOfDay(from, zone),
    until: to === undefined ? undefined : endOfDay(to, zone),
  };
}
