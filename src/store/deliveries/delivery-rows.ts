import type { Selectable } from 'kysely';
import type { Schema } from '../schema.ts';

/** Where something is known from: a report that the provider sent, or its history, which it was asked for. */
export type DeliverySource = 'report' | 'history';

export type DeliveryRow = Selectable<Schema['delivery']>;

/** One as it is reported, before it is counted. */
export type ReportedRow = Omit<DeliveryRow, 'campaign' | 'counted_as' | 'counted_cost' | 'count_after'>;

export type NumberOfWorkspace = Pick<DeliveryRow, 'workspace_id' | 'hash'>;

/** A message of which it is known what it says, from whom, and when it was sent: it can be told of which request it is. */
export interface IdentifiableMessage extends DeliveryRow {
  content_hash: string;
  sentAt: Date;
}

/** Returns undefined where something of that is not known. */
export function identify(row: DeliveryRow): IdentifiableMessage | undefined {
  const { content_hash } = row;
  const sentAt = sentAtOf(row);
  return content_hash === null || sentAt === undefined ? undefined : { ...row, content_hash, sentAt };
}

/**
 * Returns when the provider says that a message was sent. A later report may name a later time, by which fewer requests could
 * have sent it: the earliest one counts.
 */
export function sentAtOf(row: Pick<DeliveryRow, 'reported_at' | 'first_reported_at'>): Date | undefined {
  const sentAt = row.first_reported_at ?? row.reported_at;
  return sentAt === 0 ? undefined : new Date(sentAt);
}
